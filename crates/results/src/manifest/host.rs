//! The machine of a run.

use std::fs;

use serde::{Deserialize, Serialize};

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name; empty if unknown.
    pub name: String,
    /// Operating system and architecture.
    pub system: String,
    /// Processor; empty if unknown.
    pub cpu: String,
    /// Hardware threads the process may use.
    pub cores: usize,
    /// Threads the run used.
    pub threads: usize,
}

impl Host {
    /// This machine, as far as it tells.
    pub fn detect(threads: usize) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Self {
            name: Self::name_of_this(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            cpu: cpu_name(&read("/proc/cpuinfo")),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads,
        }
    }

    /// The name of this machine; empty if unknown.
    pub(crate) fn name_of_this() -> String {
        let name = match fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default() {
            name if name.is_empty() => ["COMPUTERNAME", "HOSTNAME"]
                .into_iter()
                .find_map(|key| std::env::var(key).ok())
                .unwrap_or_default(),
            name => name,
        };
        name.trim().to_owned()
    }
}

fn cpu_name(cpuinfo: &str) -> String {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split_once(':')).map_or(String::new(), |(_, name)| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_is_read_from_cpuinfo() {
        assert_eq!(cpu_name("processor\t: 0\nmodel name\t: Fast CPU @ 3 GHz\nflags: x"), "Fast CPU @ 3 GHz");
        assert_eq!(cpu_name(""), "");
    }
}

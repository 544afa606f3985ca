//! xacro templates.

use crate::import_kit::*;
use carom_io::import::{Options, robot_file};

/// A stand-in for the program: it writes a robot whatever the file says, or fails as the real one does.
#[test]
fn templates_are_expanded_by_the_program_that_options_name() {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join("carom-import-xacro");
    std::fs::create_dir_all(&folder).unwrap();
    let template = folder.join("r.urdf.xacro");
    let text = "<robot name=\"r\" xmlns:xacro=\"x\"><xacro:property name=\"a\" value=\"1\"/></robot>";
    std::fs::write(&template, text).unwrap();
    let program = |name: &str, script: String| {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Options { xacro: Some(path), ..Options::default() }
    };
    let robot = format!("<robot name=\"made\">{}</robot>", link("a", "")).replace('\n', " ");
    let import = robot_file(&template, &program("writes", format!("echo '{robot}'"))).unwrap();
    assert_near(&toml(&import), "body.a.mass", &[1.0]);
    assert!(choices(&import).contains("expanded by xacro"));
    let fails = program("fails", "echo 'undefined substitution argument' >&2; exit 2".to_owned());
    let report = robot_file(&template, &fails).unwrap_err();
    assert_eq!(report.diagnostics[0].problem.code, "E0803");
    assert!(report.diagnostics[0].problem.message.contains("undefined substitution"));
    let absent = Options { xacro: Some(folder.join("no-such-program")), ..Options::default() };
    assert_eq!(codes(&robot_file(&template, &absent).unwrap()), ["E0803"]);
}

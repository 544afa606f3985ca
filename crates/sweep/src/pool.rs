//! Worker processes of this machine: each makes one run at a time, in one thread.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::{Case, Ledger, Plan, Reports, Row, Shard, make_run};

/// Workers that a run may kill before it is a failed row.
const LIVES: usize = 3;

/// How the runs of a study have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows that were there before.
    pub known: usize,
    /// Runs that finished now.
    pub finished: usize,
    /// Runs that did not.
    pub failed: usize,
}

struct Shared<'a> {
    queue: VecDeque<(&'a Case, usize)>,
    ledger: &'a mut Ledger,
    tally: Tally,
    broken: Option<io::Error>,
}

/// Has the runs of a shard that are not in the ledger made by worker processes, each of which `worker` starts anew; a worker reads
/// numbers of runs and writes rows, line by line ([`work`]). `told` is told of each row.
pub fn run_here(
    plan: &Plan,
    ledger: &mut Ledger,
    shard: Shard,
    workers: usize,
    worker: &(dyn Fn() -> Command + Sync),
    told: &(dyn Fn(&Row) + Sync),
) -> io::Result<Tally> {
    let (known, queue): (Vec<_>, Vec<_>) =
        plan.cases.iter().filter(|case| shard.has(case.number)).partition(|case| ledger.has(case.number));
    let tally = Tally { known: known.len(), ..Tally::default() };
    let workers = workers.min(queue.len());
    let queue = queue.into_iter().map(|case| (case, 0)).collect();
    let shared = Mutex::new(Shared { queue, ledger, tally, broken: None });
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                if let Err(error) = feed(plan, &shared, worker, told) {
                    lock(&shared).broken.get_or_insert(error);
                }
            });
        }
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    shared.broken.map_or(Ok(shared.tally), Err)
}

fn lock<'a, 'b>(shared: &'b Mutex<Shared<'a>>) -> std::sync::MutexGuard<'b, Shared<'a>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Feeds one worker until there is nothing left; one that dies is replaced.
fn feed(
    plan: &Plan,
    shared: &Mutex<Shared<'_>>,
    worker: &(dyn Fn() -> Command + Sync),
    told: &(dyn Fn(&Row) + Sync),
) -> io::Result<()> {
    let mut process: Option<Worker> = None;
    loop {
        let next = {
            let mut shared = lock(shared);
            if shared.broken.is_some() { None } else { shared.queue.pop_front() }
        };
        let Some((case, deaths)) = next else { break };
        let mut alive = match process.take() {
            Some(alive) => alive,
            None => Worker::start(worker())?,
        };
        let answer = alive.ask(case.number);
        let row = match answer {
            Some(row) => {
                process = Some(alive);
                row
            }
            None => {
                alive.bury();
                if deaths + 1 < LIVES {
                    // At the end: what kills one worker after the other holds up nobody.
                    lock(shared).queue.push_back((case, deaths + 1));
                    continue;
                }
                Row::killer(case, plan, LIVES)
            }
        };
        let mut shared = lock(shared);
        shared.ledger.keep(&row)?;
        if row.end == "finished" {
            shared.tally.finished += 1;
        } else {
            shared.tally.failed += 1;
        }
        drop(shared);
        told(&row);
    }
    if let Some(process) = process {
        process.bury();
    }
    Ok(())
}

/// A worker process.
struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Worker {
    fn start(mut command: Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a worker has no pipes"));
        };
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    /// The row of a run; `None` if the worker has died in it.
    fn ask(&mut self, number: usize) -> Option<Row> {
        writeln!(self.input, "{number}").and_then(|()| self.input.flush()).ok()?;
        let mut line = String::new();
        self.output.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }

    /// Lets it end: without input it does.
    fn bury(mut self) {
        drop(self.input);
        let _ = self.child.wait();
    }
}

/// What a worker does: reads numbers of runs from its input and writes their rows. It ends with its input, at once if whoever
/// feeds it is gone.
pub fn work(plan: &Plan, dir: &Path, reports: Reports) -> io::Result<()> {
    let (send, numbers) = std::sync::mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if let Ok(number) = line.trim().parse::<usize>() {
                let _ = send.send(number);
            }
        }
        // Whether a run is under way or not: nobody waits for its row, and its folder is whole at every moment.
        std::process::exit(0);
    });
    let mut out = io::stdout().lock();
    for number in numbers {
        let Some(case) = number.checked_sub(1).and_then(|index| plan.cases.get(index)) else { continue };
        let row = serde_json::to_string(&make_run(plan, case, dir, reports)).map_err(io::Error::other)?;
        writeln!(out, "{row}").and_then(|()| out.flush())?;
    }
    Ok(())
}

//! The links must form one tree.

use std::collections::{BTreeMap, BTreeSet};

use carom_engine::Problem;

use super::super::context::Context;
use super::super::robot::{Robot, WORLD};
use super::LinkIndex;
use crate::finding::Finding;

/// Holds the joints against a tree: each link has one parent joint at most, none is its own ancestor, and one
/// link has none. What breaks the tree is taken out, so that the rest can be looked at. `complete` says that all
/// joints of the file could be read.
pub(super) fn check(robot: &mut Robot, index: &LinkIndex, complete: bool, context: &Context<'_>) {
    let second_parents = find_second_parents(robot, context);
    let cycles = find_cycles(robot, &second_parents, context);
    let broken: BTreeSet<usize> = second_parents.into_iter().chain(cycles).collect();
    let mut k = 0;
    robot.joints.retain(|_| {
        k += 1;
        !broken.contains(&(k - 1))
    });
    if broken.is_empty() && complete {
        check_one_root(robot, index, context);
    }
}

fn find_second_parents(robot: &Robot, context: &Context<'_>) -> Vec<usize> {
    let mut second = Vec::new();
    let mut parents: BTreeMap<usize, usize> = BTreeMap::new();
    for (k, joint) in robot.joints.iter().enumerate() {
        let first = *parents.entry(joint.b).or_insert(k);
        if first == k {
            continue;
        }
        let first = &robot.joints[first];
        let name = &robot.links[joint.b].name;
        let message =
            format!("link \"{name}\" is the child of two joints, \"{}\" and \"{}\"", first.name, joint.name);
        let problem = Problem::new("E0808", "", message)
            .expected("a tree: one parent for each link")
            .help("URDF has no loops; close this one in the model file, with a joint that says cut = true");
        context.findings.push(Finding::at(problem, joint.span).related(first.span, "the other joint"));
        second.push(k);
    }
    second
}

/// One joint of each cycle.
fn find_cycles(robot: &Robot, without: &[usize], context: &Context<'_>) -> Vec<usize> {
    let mut holders = vec![None; robot.links.len()];
    for (k, joint) in robot.joints.iter().enumerate().filter(|(k, _)| without.binary_search(k).is_err()) {
        holders[joint.b].get_or_insert(k);
    }
    let mut seen = vec![false; robot.links.len()];
    let mut found = Vec::new();
    for start in 0..robot.links.len() {
        let mut path = Vec::new();
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            path.push(at);
            let Some(k) = holders[at] else { break };
            at = robot.joints[k].a;
            let Some(from) = path.iter().position(|l| *l == at) else { continue };
            let mut names: Vec<&str> = path[from..].iter().map(|&l| robot.links[l].name.as_str()).collect();
            names.reverse();
            names.insert(0, robot.links[path[from]].name.as_str());
            let message = format!("link \"{}\" is its own ancestor: {}", names[0], names.join(" -> "));
            let problem = Problem::new("E0808", "", message)
                .expected("a tree with one first link")
                .help("are parent and child of one of these joints exchanged?");
            context.report(problem, robot.joints[k].span);
            found.push(k);
        }
    }
    found
}

fn check_one_root(robot: &Robot, index: &LinkIndex, context: &Context<'_>) {
    let mut links: Vec<usize> = index.values().copied().collect();
    links.sort_unstable();
    let roots: Vec<usize> = links.into_iter().filter(|&k| k == WORLD || robot.holder(k).is_none()).collect();
    if let [first, second, ..] = roots[..] {
        let names: Vec<String> = roots.iter().map(|&k| format!("\"{}\"", robot.links[k].name)).collect();
        let message = format!("{} links are the child of no joint: {}", roots.len(), names.join(", "));
        let problem = Problem::new("E0808", "", message)
            .expected("one first link, from which joints lead to all others")
            .help("is a joint missing?");
        let finding = Finding::at(problem, robot.links[second].span);
        context.findings.push(finding.related(robot.links[first].span, "another first link"));
    }
}

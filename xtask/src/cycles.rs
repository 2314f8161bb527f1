//! `cargo xtask cycles`: finds modules of one crate that use each other in a cycle.
//!
//! A module and its children count as one: for each module, the check looks at which of its
//! children use which others. A re-export counts at the module that defines the item, so that a
//! short public path hides no dependency.

mod paths;
mod tree;

use std::collections::BTreeMap;

use anyhow::Result;

use crate::{print_violations, workspace};
use tree::Tree;

/// One module that uses another of the same crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrow {
    /// The using module.
    from: Vec<String>,
    /// The module that defines the used item.
    to: Vec<String>,
}

/// Checks every crate of the workspace and prints its cycles.
pub(crate) fn run() -> Result<bool> {
    let metadata = workspace::members()?;
    let mut found = Vec::new();
    for package in &metadata.packages {
        for target in &package.targets {
            if !(target.is_lib() || target.is_bin()) {
                continue;
            }
            let tree = Tree::read(target.src_path.as_std_path())?;
            let cycles = cycles(&paths::arrows(&tree));
            found.extend(
                cycles
                    .into_iter()
                    .map(|it| format!("{}: {it}", target.name)),
            );
        }
    }
    found.sort();
    found.dedup();
    Ok(print_violations("cycles", &found))
}

/// The cycles among the children of each module, one line each, with an example for every pair.
fn cycles(arrows: &[Arrow]) -> Vec<String> {
    let mut levels: BTreeMap<Vec<String>, BTreeMap<(String, String), &Arrow>> = BTreeMap::new();
    for arrow in arrows {
        let shared = arrow.from.iter().zip(&arrow.to).take_while(|(a, b)| a == b);
        let depth = shared.count();
        // Skip the arrow if one module contains the other: a module and its children count as one.
        let (Some(from), Some(to)) = (arrow.from.get(depth), arrow.to.get(depth)) else {
            continue;
        };
        let level = levels.entry(arrow.from[..depth].to_vec()).or_default();
        level.entry((from.clone(), to.clone())).or_insert(arrow);
    }
    let mut found = Vec::new();
    for (parent, pairs) in &levels {
        for members in cycle_groups(pairs.keys()) {
            let inside = pairs
                .iter()
                .filter(|((from, to), _)| members.contains(from) && members.contains(to));
            let shown: Vec<_> = inside
                .map(|(_, arrow)| format!("{} → {}", arrow.from.join("::"), arrow.to.join("::")))
                .collect();
            let place = match parent.is_empty() {
                true => String::new(),
                false => format!(" in {}", parent.join("::")),
            };
            found.push(format!(
                "{} modules{place} use each other: {} ({})",
                members.len(),
                members.join(", "),
                shown.join(", "),
            ));
        }
    }
    found
}

/// The groups of names that can reach each other, each sorted.
///
/// Uses reachability instead of a linear algorithm, because a module has few children.
fn cycle_groups<'a>(pairs: impl Iterator<Item = &'a (String, String)> + Clone) -> Vec<Vec<String>> {
    let mut reach: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in pairs {
        reach.entry(from).or_default().push(to);
        reach.entry(to).or_default();
    }
    let reached = |start: &str| {
        let mut seen: Vec<&str> = Vec::new();
        let mut next: Vec<&str> = reach.get(start).cloned().unwrap_or_default();
        while let Some(name) = next.pop() {
            if !seen.contains(&name) {
                seen.push(name);
                next.extend(reach.get(name).into_iter().flatten());
            }
        }
        seen
    };
    let all: BTreeMap<&str, Vec<&str>> = reach.keys().map(|name| (*name, reached(name))).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for (name, seen) in &all {
        let members: Vec<String> = seen
            .iter()
            .filter(|other| all.get(**other).is_some_and(|back| back.contains(name)))
            .map(|other| (*other).to_owned())
            .collect();
        if members.len() > 1 && !found.iter().any(|group| group.contains(&members[0])) {
            let mut members = members;
            members.sort();
            found.push(members);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(from: &str, to: &str) -> Arrow {
        let path = |text: &str| text.split("::").map(str::to_owned).collect();
        Arrow {
            from: path(from),
            to: path(to),
        }
    }

    #[test]
    fn two_modules_that_use_each_other_are_one_cycle_with_both_arrows() {
        assert_eq!(
            cycles(&[arrow("a", "b"), arrow("b", "a"), arrow("a", "c")]),
            ["2 modules use each other: a, b (a → b, b → a)"]
        );
    }

    #[test]
    fn a_cycle_may_be_long_and_may_pass_through_children() {
        assert_eq!(
            cycles(&[
                arrow("a::x", "b"),
                arrow("b::y", "c::z"),
                arrow("c", "a::w")
            ]),
            ["3 modules use each other: a, b, c (a::x → b, b::y → c::z, c → a::w)"]
        );
    }

    #[test]
    fn a_module_and_its_own_children_are_one() {
        assert_eq!(
            cycles(&[arrow("a", "a::x"), arrow("a::x", "a")]),
            Vec::<String>::new()
        );
    }

    #[test]
    fn children_of_one_module_are_looked_at_among_themselves() {
        assert_eq!(
            cycles(&[arrow("a::x", "a::y"), arrow("a::y::deep", "a::x")]),
            ["2 modules in a use each other: x, y (a::x → a::y, a::y::deep → a::x)"]
        );
    }

    #[test]
    fn two_circles_that_only_touch_one_way_are_two() {
        let arrows = [
            arrow("a", "b"),
            arrow("b", "a"),
            arrow("b", "c"),
            arrow("c", "d"),
            arrow("d", "c"),
        ];
        assert_eq!(
            cycles(&arrows),
            [
                "2 modules use each other: a, b (a → b, b → a)",
                "2 modules use each other: c, d (c → d, d → c)",
            ]
        );
    }
}

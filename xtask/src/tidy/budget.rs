//! How many crates the program may be built from.

use std::collections::BTreeSet;

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace;

const MOST_CRATES: usize = 400;
const PROGRAM: &str = "agon";
const TARGET: &str = "x86_64-unknown-linux-gnu";

pub(super) fn violations(metadata: &Metadata) -> Result<Vec<String>> {
    let tree = workspace::stdout_of(&mut workspace::cargo(
        metadata,
        &[
            "tree", "--locked", "-p", PROGRAM, "-e", "normal", "--target", TARGET, "--prefix",
            "none",
        ],
    ))?;
    let crates = count(&tree);
    println!("budget: {PROGRAM} is built from {crates} crates, {MOST_CRATES} are allowed");
    Ok(over(crates).into_iter().collect())
}

fn over(crates: usize) -> Option<String> {
    (crates > MOST_CRATES).then(|| {
        format!(
            "{PROGRAM} is built from {crates} crates: drop {} of them",
            crates - MOST_CRATES
        )
    })
}

/// Counts the packages of a tree, each name and version once.
fn count(tree: &str) -> usize {
    tree.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?))
        })
        .collect::<BTreeSet<_>>()
        .len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_counts_once_for_each_version() {
        let tree = "agon v0.1.0 (/x)\nserde v1.0.2\nserde v1.0.2 (*)\nserde v2.0.0\n\n";
        assert_eq!(count(tree), 3);
    }

    #[test]
    fn the_budget_ends_at_its_last_crate() {
        assert_eq!(over(MOST_CRATES), None);
        assert_eq!(
            over(MOST_CRATES + 2).unwrap(),
            "agon is built from 402 crates: drop 2 of them"
        );
    }
}

//! Limits the number of third-party crates in the program, without features and with each.

use std::collections::BTreeSet;

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace;

// The front ends for other AI tools (MCP, ACP) are in every build, so they count here.
/// Maximum number of third-party crates in a build without features.
const MAX_CRATES: usize = 360;
/// Maximum number of crates that a feature may add.
const FEATURES: &[(&str, usize)] = &[("local-model", 75), ("png", 10), ("telemetry", 25)];
const PROGRAM: &str = "agon";
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The crates of one build, and their maximum number.
struct Build {
    name: String,
    crates: usize,
    max: usize,
}

pub(super) fn violations(metadata: &Metadata) -> Result<Vec<String>> {
    let plain = crates(metadata, None)?;
    let mut builds = vec![Build {
        name: PROGRAM.to_owned(),
        crates: plain.len(),
        max: MAX_CRATES,
    }];
    for (feature, max) in FEATURES {
        builds.push(Build {
            name: format!("the feature `{feature}`"),
            crates: crates(metadata, Some(feature))?.difference(&plain).count(),
            max: *max,
        });
    }
    for Build { name, crates, max } in &builds {
        println!("budget: {name} uses {crates} third-party crates, {max} are allowed");
    }
    Ok(builds.iter().filter_map(violation).collect())
}

fn violation(build: &Build) -> Option<String> {
    let Build { name, crates, max } = build;
    (crates > max).then(|| {
        format!(
            "{name} uses {crates} third-party crates: remove {} of them",
            crates - max
        )
    })
}

fn crates(metadata: &Metadata, feature: Option<&str>) -> Result<BTreeSet<String>> {
    let mut tree = workspace::cargo(
        metadata,
        &[
            "tree", "--locked", "-p", PROGRAM, "-e", "normal", "--target", TARGET, "--prefix",
            "none",
        ],
    );
    tree.args(feature.map(|feature| format!("--features={feature}")));
    let own = metadata.workspace_packages();
    let own: Vec<&str> = own.iter().map(|package| package.name.as_str()).collect();
    Ok(packages(&workspace::stdout_of(&mut tree)?, &own))
}

/// The third-party packages of a dependency tree, each name and version once.
fn packages(tree: &str, own: &[&str]) -> BTreeSet<String> {
    let package = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next()?, words.next()?);
        (!own.contains(&name)).then(|| format!("{name} {version}"))
    };
    tree.lines().filter_map(package).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_party_package_counts_once_for_each_version() {
        let tree = "agon v0.1.0 (/x)\nserde v1.0.2\nserde v1.0.2 (*)\nserde v2.0.0\n\n";
        let expected = ["serde v1.0.2", "serde v2.0.0"];
        assert_eq!(
            packages(tree, &["agon"]),
            expected.map(str::to_owned).into()
        );
    }

    #[test]
    fn the_budget_ends_at_its_last_crate() {
        let build = |crates| Build {
            name: "agon".to_owned(),
            crates,
            max: 360,
        };
        assert_eq!(violation(&build(360)), None);
        assert_eq!(
            violation(&build(362)).unwrap(),
            "agon uses 362 third-party crates: remove 2 of them"
        );
    }
}

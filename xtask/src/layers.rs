//! `cargo xtask layers`: checks which crates use which.

use anyhow::Result;
use cargo_metadata::{DependencyKind, Metadata};

use crate::{print_violations, workspace};

/// Every crate of the workspace, its row, and the crates it may use. Add new crates here.
///
/// A crate's row is above those of all crates it uses; crates of the same row never use each other.
const LAYERS: &[Layer] = &[
    layer("agon", Row(13), AnyRowBelow),
    layer(
        "agon-trial",
        Row(12),
        Only(&[
            "agon-batch",
            "agon-caller",
            "agon-debates",
            "agon-files",
            "agon-record",
            "agon-report",
            "agon-verdict",
        ]),
    ),
    layer("agon-acp", Row(11), AnyRowBelow),
    layer("agon-mcp", Row(11), AnyRowBelow),
    layer("agon-web", Row(11), AnyRowBelow),
    layer(
        "agon-batch",
        Row(11),
        Only(&[
            "agon-agents",
            "agon-caller",
            "agon-config",
            "agon-debates",
            "agon-files",
            "agon-proc",
            "agon-record",
            "agon-seats",
            "agon-store",
        ]),
    ),
    layer(
        "agon-debates",
        Row(10),
        Only(&[
            "agon-agents",
            "agon-argue",
            "agon-caller",
            "agon-config",
            "agon-engine",
            "agon-evidence",
            "agon-files",
            "agon-folder",
            "agon-git",
            "agon-health",
            "agon-hosts",
            "agon-index",
            "agon-interview",
            "agon-proc",
            "agon-prompt",
            "agon-record",
            "agon-redact",
            "agon-report",
            "agon-rules",
            "agon-seats",
            "agon-sessions",
            "agon-store",
            "agon-tokens",
            "agon-verdict",
            "agon-wording",
        ]),
    ),
    layer(
        "agon-teamwork",
        Row(10),
        Only(&[
            "agon-agents",
            "agon-caller",
            "agon-engine",
            "agon-evidence",
            "agon-files",
            "agon-git",
            "agon-health",
            "agon-hosts",
            "agon-install",
            "agon-proc",
            "agon-prompt",
            "agon-record",
            "agon-redact",
            "agon-seats",
            "agon-team",
            "agon-tokens",
            "agon-verdict",
        ]),
    ),
    layer(
        "agon-health",
        Row(9),
        Only(&[
            "agon-caller",
            "agon-config",
            "agon-engine",
            "agon-files",
            "agon-folder",
            "agon-prompt",
            "agon-record",
            "agon-redact",
            "agon-report",
            "agon-rules",
            "agon-sessions",
            "agon-store",
            "agon-team",
            "agon-tokens",
            "agon-verdict",
            "agon-wording",
        ]),
    ),
    layer(
        "agon-install",
        Row(9),
        Only(&[
            "agon-agents",
            "agon-caller",
            "agon-config",
            "agon-files",
            "agon-hosts",
            "agon-proc",
            "agon-record",
            "agon-redact",
            "agon-selection",
            "agon-team",
            "agon-tokens",
        ]),
    ),
    layer(
        "agon-seats",
        Row(9),
        Only(&[
            "agon-agents",
            "agon-caller",
            "agon-config",
            "agon-files",
            "agon-git",
            "agon-local",
            "agon-proc",
            "agon-record",
            "agon-redact",
            "agon-report",
            "agon-sessions",
            "agon-store",
        ]),
    ),
    layer(
        "agon-caller",
        Row(8),
        Only(&[
            "agon-agents",
            "agon-config",
            "agon-files",
            "agon-folder",
            "agon-git",
            "agon-hint",
            "agon-hosts",
            "agon-index",
            "agon-proc",
            "agon-record",
            "agon-report",
            "agon-store",
        ]),
    ),
    layer("agon-fuzz", Row(12), AnyRowBelow),
    layer(
        "agon-engine",
        Row(7),
        Only(&[
            "agon-folder",
            "agon-store",
            "agon-report",
            "agon-verdict",
            "agon-prompt",
            "agon-rules",
            "agon-interview",
            "agon-agents",
            "agon-evidence",
            "agon-sessions",
            "agon-record",
            "agon-redact",
            "agon-proc",
        ]),
    ),
    layer(
        "agon-config",
        Row(7),
        Only(&["agon-agents", "agon-rules", "agon-record", "agon-files"]),
    ),
    layer(
        "agon-team",
        Row(7),
        Only(&["agon-git", "agon-hint", "agon-files"]),
    ),
    layer(
        "agon-hosts",
        Row(7),
        Only(&["agon-proc", "agon-selection", "agon-tokens", "agon-files"]),
    ),
    layer(
        "agon-index",
        Row(7),
        Only(&[
            "agon-folder",
            "agon-store",
            "agon-verdict",
            "agon-rules",
            "agon-record",
            "agon-files",
        ]),
    ),
    layer(
        "agon-folder",
        Row(6),
        Only(&[
            "agon-store",
            "agon-report",
            "agon-verdict",
            "agon-rules",
            "agon-record",
            "agon-files",
        ]),
    ),
    layer("agon-store", Row(5), Only(&["agon-record", "agon-files"])),
    layer(
        "agon-report",
        Row(5),
        Only(&[
            "agon-interview",
            "agon-verdict",
            "agon-rules",
            "agon-record",
            "agon-argue",
        ]),
    ),
    layer(
        "agon-verdict",
        Row(4),
        Only(&["agon-rules", "agon-record", "agon-argue", "agon-tokens"]),
    ),
    layer(
        "agon-prompt",
        Row(5),
        Only(&[
            "agon-interview",
            "agon-rules",
            "agon-wording",
            "agon-record",
            "agon-tokens",
        ]),
    ),
    layer(
        "agon-rules",
        Row(3),
        Only(&["agon-interview", "agon-record", "agon-hint", "agon-files"]),
    ),
    layer("agon-interview", Row(2), Only(&["agon-record"])),
    layer(
        "agon-agents",
        Row(3),
        Only(&[
            "agon-interview",
            "agon-wording",
            "agon-record",
            "agon-proc",
            "agon-hint",
            "agon-local",
            "agon-redact",
            "agon-files",
        ]),
    ),
    layer(
        "agon-evidence",
        Row(3),
        Only(&["agon-git", "agon-record", "agon-hint", "agon-files"]),
    ),
    layer("agon-git", Row(2), Only(&["agon-proc", "agon-files"])),
    layer(
        "agon-sessions",
        Row(2),
        Only(&["agon-record", "agon-redact", "agon-tokens", "agon-files"]),
    ),
    layer("agon-wording", Row(2), Only(&["agon-record"])),
    layer("agon-record", Row(1), Only(&[])),
    layer("agon-argue", Row(1), Only(&[])),
    layer("agon-redact", Row(1), Only(&[])),
    layer("agon-proc", Row(1), Only(&["agon-files"])),
    layer("agon-files", Row(0), Only(&[])),
    layer("agon-hint", Row(0), Only(&[])),
    layer("agon-tokens", Row(0), Only(&[])),
    layer("agon-selection", Row(1), Only(&[])),
    layer("agon-local", Row(1), Only(&["agon-files"])),
    layer(
        "agon-samples",
        TestsOnly,
        Only(&["agon-rules", "agon-record"]),
    ),
    layer("agon-testkit", TestsOnly, Only(&[])),
    layer("xtask", Apart, Only(&[])),
];

use Place::{Apart, Row, TestsOnly};
use Uses::{AnyRowBelow, Only};

/// The position of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// On a numbered row; dependencies go from a higher to a lower row.
    Row(u8),
    /// Below all rows: any crate may use it, but only as a dev-dependency.
    TestsOnly,
    /// Outside the rows: no crate may use it.
    Apart,
}

/// The workspace crates that one crate may use.
#[derive(Clone, Copy, Debug)]
enum Uses {
    Only(&'static [&'static str]),
    AnyRowBelow,
}

#[derive(Clone, Copy, Debug)]
struct Layer {
    name: &'static str,
    place: Place,
    uses: Uses,
}

const fn layer(name: &'static str, place: Place, uses: Uses) -> Layer {
    Layer { name, place, uses }
}

/// A dependency of one workspace crate on another, in its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Arrow {
    from: String,
    to: String,
    dev: bool,
}

/// Checks the workspace and prints the violations.
pub(crate) fn run() -> Result<bool> {
    let metadata = workspace::members()?;
    let crates: Vec<String> = metadata
        .packages
        .iter()
        .map(|it| it.name.to_string())
        .collect();
    Ok(print_violations(
        "layers",
        &violations(&crates, &arrows(&metadata)),
    ))
}

fn arrows(metadata: &Metadata) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for package in &metadata.packages {
        for dependency in &package.dependencies {
            if metadata
                .packages
                .iter()
                .any(|it| it.name.as_str() == dependency.name)
            {
                arrows.push(Arrow {
                    from: package.name.to_string(),
                    to: dependency.name.clone(),
                    dev: dependency.kind == DependencyKind::Development,
                });
            }
        }
    }
    arrows
}

fn violations(crates: &[String], arrows: &[Arrow]) -> Vec<String> {
    let strangers = crates
        .iter()
        .filter(|name| find(name).is_none())
        .map(|name| format!("`{name}` is missing from LAYERS in xtask/src/layers.rs"));
    strangers
        .chain(arrows.iter().filter_map(violation))
        .collect()
}

fn violation(arrow: &Arrow) -> Option<String> {
    let (from, to) = (find(&arrow.from)?, find(&arrow.to)?);
    let head = format!("`{}` may not use `{}`", from.name, to.name);
    match (from.place, to.place) {
        // A crate may depend on itself in tests, to switch on a feature that no build has.
        _ if arrow.dev && from.name == to.name => None,
        (_, Apart) => Some(format!("{head}: that crate is for tasks only")),
        (Apart, _) => Some(format!("{head}: it may use no crate of the workspace")),
        (TestsOnly, TestsOnly) => Some(format!("{head}: both are for tests")),
        (TestsOnly, Row(_)) => unlisted_violation(from, to, &head),
        (Row(_), TestsOnly) if arrow.dev => None,
        (Row(_), TestsOnly) => Some(format!("{head}, other than as a dev-dependency")),
        (Row(above), Row(below)) if above <= below => {
            Some(format!("{head}: row {above} is not above row {below}"))
        }
        (Row(_), Row(_)) => unlisted_violation(from, to, &head),
    }
}

fn unlisted_violation(from: &Layer, to: &Layer, head: &str) -> Option<String> {
    match from.uses {
        AnyRowBelow => None,
        Only(names) if names.contains(&to.name) => None,
        Only([]) => Some(format!("{head}: it may use no crate of the workspace")),
        Only(names) => Some(format!("{head}, only {}", names.join(", "))),
    }
}

fn find(name: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(from: &str, to: &str) -> Arrow {
        Arrow {
            from: from.to_owned(),
            to: to.to_owned(),
            dev: false,
        }
    }

    fn dev(from: &str, to: &str) -> Arrow {
        Arrow {
            dev: true,
            ..arrow(from, to)
        }
    }

    fn found(arrows: &[Arrow]) -> Vec<String> {
        violations(&[], arrows)
    }

    #[test]
    fn every_arrow_of_the_table_points_strictly_down() {
        for layer in LAYERS {
            let Only(names) = layer.uses else { continue };
            for name in names {
                assert_eq!(found(&[arrow(layer.name, name)]), Vec::<String>::new());
            }
        }
    }

    #[test]
    fn the_tests_of_a_crate_may_ask_a_feature_of_it() {
        assert_eq!(
            found(&[dev("agon-team", "agon-team")]),
            Vec::<String>::new()
        );
        assert_eq!(found(&[arrow("agon-team", "agon-team")]).len(), 1);
    }

    #[test]
    fn front_ends_use_any_row_below() {
        for (from, to) in [
            ("agon", "agon-mcp"),
            ("agon", "agon-proc"),
            ("agon-web", "agon-engine"),
        ] {
            assert_eq!(found(&[arrow(from, to)]), Vec::<String>::new());
        }
    }

    #[test]
    fn an_arrow_up_is_a_violation() {
        assert_eq!(
            found(&[arrow("agon-rules", "agon-store")]),
            ["`agon-rules` may not use `agon-store`: row 3 is not above row 5"]
        );
    }

    #[test]
    fn an_arrow_along_a_row_is_a_violation() {
        assert_eq!(
            found(&[
                arrow("agon-engine", "agon-config"),
                arrow("agon-teamwork", "agon-debates")
            ]),
            [
                "`agon-engine` may not use `agon-config`: row 7 is not above row 7",
                "`agon-teamwork` may not use `agon-debates`: row 10 is not above row 10",
            ]
        );
    }

    #[test]
    fn an_arrow_down_that_the_table_does_not_have_is_a_violation() {
        assert_eq!(
            found(&[
                arrow("agon-store", "agon-proc"),
                arrow("agon-config", "agon-report")
            ]),
            [
                "`agon-store` may not use `agon-proc`, only agon-record, agon-files",
                "`agon-config` may not use `agon-report`, only agon-agents, agon-rules, agon-record, agon-files",
            ]
        );
    }

    #[test]
    fn dev_dependencies_keep_to_the_same_arrows() {
        assert_eq!(
            found(&[dev("agon-rules", "agon-store")]),
            ["`agon-rules` may not use `agon-store`: row 3 is not above row 5"]
        );
    }

    #[test]
    fn the_testkit_is_for_tests_and_knows_no_crate_of_ours() {
        assert_eq!(
            found(&[
                dev("agon-proc", "agon-testkit"),
                arrow("agon-proc", "agon-testkit"),
                dev("agon-testkit", "agon-record"),
            ]),
            [
                "`agon-proc` may not use `agon-testkit`, other than as a dev-dependency",
                "`agon-testkit` may not use `agon-record`: it may use no crate of the workspace",
            ]
        );
    }

    #[test]
    fn tasks_stand_apart() {
        assert_eq!(
            found(&[arrow("xtask", "agon-record"), dev("agon", "xtask")]),
            [
                "`xtask` may not use `agon-record`: it may use no crate of the workspace",
                "`agon` may not use `xtask`: that crate is for tasks only",
            ]
        );
    }

    #[test]
    fn a_crate_on_no_layer_is_a_violation() {
        assert_eq!(
            violations(&["agon-record".to_owned(), "agon-utils".to_owned()], &[]),
            ["`agon-utils` is missing from LAYERS in xtask/src/layers.rs"]
        );
    }

    #[test]
    fn the_arrows_of_this_workspace_are_read_from_its_manifests() {
        let arrows = arrows(&workspace::members().unwrap());
        assert!(arrows.contains(&arrow("agon-store", "agon-record")));
    }
}

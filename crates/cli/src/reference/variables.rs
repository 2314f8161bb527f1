//! `docs/variables.md`: every environment variable that Agon reads.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use agon_config::{KEYS, unknown_vars};

use super::{check_generated, root};

const INTRODUCTION: &str = "\
# Variables

Agon reads these variables. [SECURITY.md](../SECURITY.md) lists the ones that it passes on to each
program it starts. This page is generated from the program.

## Settings

A variable overrides [the files](settings.md). In unattended runs, a variable does not raise a
limit.

| variable | what it sets |
|---|---|
";

/// Variables other than settings: heading, then name and purpose.
const OTHERS: [(&str, &[(&str, &str)]); 6] = [
    (
        "Agon itself",
        &[
            (
                "AGON_CONFIG_DIR",
                "The folder of your own settings, instead of `~/.config/agon`",
            ),
            ("AGON_TEAM_PROFILE", "The profile of a team's settings"),
            (
                "AGON_FLAG_NAME",
                "A flag of a team, such as `AGON_FLAG_REVIEW_ROUNDS=3`",
            ),
            (
                "AGON_MODELS_DIR",
                "The folder of downloaded built-in models",
            ),
            (
                "AGON_LOOPBACK_SERVERS",
                "Addresses of model servers on this machine, with commas between them",
            ),
            (
                "XDG_CONFIG_HOME",
                "The parent of Agon's settings, instead of `~/.config`",
            ),
            (
                "XDG_STATE_HOME",
                "The parent of Agon's state, instead of `~/.local/state`",
            ),
            (
                "XDG_DATA_HOME",
                "The parent of Agon's data, instead of `~/.local/share`",
            ),
            (
                "XDG_CACHE_HOME",
                "The parent of Agon's cache, instead of `~/.cache`",
            ),
        ],
    ),
    (
        "Terminal",
        &[
            ("AGON_PAGER", "The pager; `cat` switches it off"),
            ("PAGER", "The pager, if `AGON_PAGER` is not set"),
            ("NO_COLOR", "Any value switches colors off"),
            ("VISUAL", "The editor for a form"),
            (
                "EDITOR",
                "The editor, if `VISUAL` is not set; `none` asks at the terminal",
            ),
            ("BROWSER", "The browser that `agon open` uses"),
        ],
    ),
    (
        "Keys of model services",
        &[
            ("OPENAI_API_KEY", "For `openai:MODEL`"),
            ("ANTHROPIC_API_KEY", "For `anthropic:MODEL`"),
            ("GEMINI_API_KEY", "For `gemini:MODEL`"),
            (
                "GOOGLE_API_KEY",
                "For `gemini:MODEL`, if `GEMINI_API_KEY` is not set",
            ),
            ("OPENROUTER_API_KEY", "For `openrouter:MODEL`"),
        ],
    ),
    (
        "Traces",
        &[
            (
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "The address of the trace collector; without it, no traces are sent",
            ),
            (
                "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
                "The same for traces only, with the whole path",
            ),
            ("OTEL_EXPORTER_OTLP_HEADERS", "Headers for the collector"),
            (
                "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
                "Headers for traces only",
            ),
            (
                "OTEL_EXPORTER_OTLP_PROTOCOL",
                "`http/protobuf` or `http/json`",
            ),
            (
                "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
                "As above, for traces only",
            ),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "Milliseconds for one request"),
            (
                "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
                "As above, for traces only",
            ),
            ("OTEL_SERVICE_NAME", "The name of the service in traces"),
            (
                "OTEL_RESOURCE_ATTRIBUTES",
                "Further attributes of every trace",
            ),
            ("OTEL_TRACES_EXPORTER", "`none` switches traces off"),
            ("OTEL_SDK_DISABLED", "`true` switches traces off"),
            (
                "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT",
                "`true` puts the debated text into traces, without secrets",
            ),
        ],
    ),
    (
        "Set by an AI tool or an editor",
        &[(
            "AI_STATE_DIR",
            "The state folder of the AI tool; the last debate is written there",
        )],
    ),
    (
        "Set by Agon for its own processes",
        &[
            (
                "AGON_TEAM_TOKEN",
                "Identifies a member of a team that Agon started",
            ),
            ("AGON_DEPTH", "How deeply this process is nested in debates"),
            ("AGON_GROUP", "Marks the processes that belong to one call"),
            ("AGON_COMPLETE", "Asks for completions; the shell sets it"),
        ],
    ),
];

/// Variables of tests and builds.
const OF_TESTS: [&str; 7] = [
    "AGON_BLESS",
    "AGON_BUILD_COMMIT",
    "AGON_FAILPOINT",
    "AGON_FOREIGN_DEBATES",
    "AGON_OLDER_PROGRAM",
    "AGON_FAKE_",
    "AGON_STORE_TEST_",
];

#[test]
fn the_page_of_variables_is_what_the_program_reads() {
    let mut page = INTRODUCTION.to_owned();
    for key in KEYS {
        let name = format!("AGON_{}", key.name.to_uppercase());
        let vars = BTreeMap::from([(name.clone(), String::new())]);
        if unknown_vars(&vars).is_empty() {
            let about = key.about.trim_end_matches('.');
            writeln!(page, "| `{name}` | {about} |").unwrap();
        }
    }
    for (heading, variables) in OTHERS {
        writeln!(
            page,
            "\n## {heading}\n\n| variable | what it sets |\n|---|---|"
        )
        .unwrap();
        for (name, about) in variables {
            writeln!(page, "| `{name}` | {about} |").unwrap();
        }
    }
    let missing: Vec<_> = read_variables()
        .into_iter()
        .filter(|name| {
            let is_of_tests = name.starts_with("AGON_RECORD_") || name.starts_with("AGON_TEST_");
            let is_of_tests = is_of_tests || OF_TESTS.iter().any(|it| name.starts_with(it));
            !is_of_tests && !page.contains(name.as_str())
        })
        .collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
    check_generated("variables.md", &page);
}

/// Returns the `AGON_` and `OTEL_` names that are whole strings in the sources of all crates.
fn read_variables() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        collect_variables(&entry.unwrap().path().join("src"), &mut names);
    }
    assert!(names.contains("AGON_CONFIG_DIR"), "{names:?}");
    names
}

fn collect_variables(folder: &Path, names: &mut BTreeSet<String>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_variables(&path, names);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let strings = text.split('"');
            let is_name = |it: &&str| {
                ["AGON_", "OTEL_"]
                    .iter()
                    .any(|start| it.starts_with(start) && it.len() > start.len())
                    && it.chars().all(|c| c.is_ascii_uppercase() || c == '_')
            };
            names.extend(strings.filter(is_name).map(str::to_owned));
        }
    }
}

//! `docs/settings.md`: every setting with its default, and the files of a team's settings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use agon_config::{KEYS, Layer, Settings, built_in_topics, commented_file, unknown_vars};
use agon_record::weights::WeightName;
use serde_json::Value;

use super::{check_generated, root};
use crate::schema::find_schema;

const INTRODUCTION: &str = "\
# Settings

`agon config path` prints where the files are, `agon config init` writes one with every key commented
out, and `agon config check` reads all of them. `agon config show --sources` prints every value with
the file and line that set it. This page is generated from the program.

These layers apply, each over the one before it:

1. the defaults
2. your own file, `~/.config/agon/config.toml`, or `config.toml` in `$AGON_CONFIG_DIR`
3. the project's `agon.toml`
4. the profile: `--profile NAME`, `AGON_PROFILE` or the key `profile`
5. [variables](variables.md) such as `AGON_ROUNDS=3`
6. options on the command line

A project's file may set the keys marked *project*, and may only make rules stricter. Any other key
needs your trust: `trust = [\"/srv/project\"]` in your own file. No project may name a program or an
address. Times are written as `90s`, `10m` or `1h30m`, and numbers as `250_000`, `250k` or `50M`.

## config.toml

| key | default | from a project | what it sets |
|---|---|---|---|
";

const TEAM_FILES: [(&str, &str); 5] = [
    ("profiles", "Named sets of choices. One of them is active."),
    ("teams", "Who takes part in a run, and who checks changes."),
    (
        "flags",
        "How a run works. A file of yours sets values below `[set]`.",
    ),
    ("agents", "How each role runs in each AI tool."),
    ("mcp", "Servers, and the roles that get them."),
];

/// Returns the default of a key; empty if it has none.
fn setting_default(key: &str, settings: &Settings) -> String {
    let value = match key {
        "rounds" => settings.rounds.to_string(),
        "effort" => format!("{:?}", settings.effort).to_lowercase(),
        "fallback" => format!("{:?}", settings.fallback).to_lowercase(),
        "timeout" => format!("{}s", settings.timeout),
        "max_tokens" => settings.max_tokens.to_string(),
        "max_time" => format!("{}s", settings.max_time),
        "daily_tokens" => settings.daily_tokens.to_string(),
        "batch_calls" => settings.batch_calls.to_string(),
        "plan_review" => settings.plan_review.name().to_owned(),
        "plan_review_time" => format!("{}s", settings.plan_review_time),
        "costly" => format!("{:?}", settings.costly),
        "debates_dir" => settings.debates_dir.display().to_string(),
        _ => return String::new(),
    };
    format!("`{value}`")
}

/// Returns the names of all weights, read from the error on an unknown name.
fn weight_names() -> Vec<String> {
    let unknown = serde_json::from_str::<WeightName>("\"nothing\"").unwrap_err();
    let unknown = unknown.to_string();
    let (_, known) = unknown.split_once("expected one of ").unwrap();
    let known = known.split(" at line").next().unwrap();
    let names = known.split(", ").map(|name| name.trim_matches('`'));
    names.map(str::to_owned).collect()
}

/// Appends a row for each numeric limit of a team, with its default and purpose.
fn push_limits(page: &mut String, prefix: &str, schema: &Value, all: &Value, defaults: &Value) {
    let Some(properties) = schema["properties"].as_object() else {
        return;
    };
    let mut tables = BTreeMap::new();
    for (name, one) in properties {
        let default = match &one["default"] {
            Value::Null => &defaults[name],
            default => default,
        };
        if let Some(at) = one["$ref"].as_str() {
            tables.insert(name, (at.trim_start_matches("#/$defs/"), default));
            continue;
        }
        let about = one["description"].as_str().unwrap_or_default();
        writeln!(page, "| `{prefix}{name}` | {default} | {about} |").unwrap();
    }
    for (name, (at, default)) in tables {
        push_limits(
            page,
            &format!("{prefix}{name}."),
            &all["$defs"][at],
            all,
            default,
        );
    }
}

#[test]
fn the_page_of_settings_is_what_the_program_says() {
    let settings = Settings::from(Layer::default());
    let of_project = commented_file(true);
    let mut page = INTRODUCTION.to_owned();
    for key in KEYS {
        let is_allowed = of_project.contains(&format!("# {}\n", key.example));
        let mark = if is_allowed { "project" } else { "" };
        let about = key.about.trim_end_matches('.');
        let default = setting_default(key.name, &settings);
        writeln!(page, "| `{}` | {default} | {mark} | {about} |", key.name).unwrap();
    }
    page.push_str("\nAn example of each setting:\n\n```toml\n");
    for key in KEYS {
        writeln!(page, "{}", key.example).unwrap();
    }
    let variable = |name: &str| format!("AGON_{}", name.to_uppercase());
    let is_variable = |name: &&str| {
        let vars = BTreeMap::from([(variable(name), String::new())]);
        unknown_vars(&vars).is_empty()
    };
    let names: Vec<&str> = KEYS
        .iter()
        .map(|key| key.name)
        .filter(is_variable)
        .collect();
    assert!(names.contains(&"rounds") && !names.contains(&"trust"));
    page.push_str("```\n\n## Weights of arguments\n\n");
    page.push_str(
        "`[graph]` sets the weight of each kind of edge, from 0 to 1, in debates that are \
         opened afterwards.\n[The formal debate](formal.md) explains them.\n\n\
         | weight | default |\n|---|---|\n",
    );
    for name in weight_names() {
        let weight: WeightName = serde_json::from_str(&format!("\"{name}\"")).unwrap();
        writeln!(page, "| `{name}` | {} |", weight.default_weight()).unwrap();
    }
    page.push_str(
        "\n## Costly topics\n\nThe built-in topics of the key `costly`. \
         [Suggestions](hosts.md#suggestions) says what they are for.\n\n\
         | topic | what is costly to undo |\n|---|---|\n",
    );
    for topic in built_in_topics() {
        writeln!(page, "| `{}` | {} |", topic.name, topic.about).unwrap();
    }
    page.push_str(
        "\n## Limits of a team\n\nSet them below `[team]`, for example `lease_ms = 900_000`.\n\n",
    );
    page.push_str("| limit | default | what it limits |\n|---|---|---|\n");
    let schema = find_schema("team_limits").unwrap();
    push_limits(&mut page, "", &schema, &schema, &Value::Null);
    page.push_str(
        "\n## Files of a team's settings\n\n[The roster](roster.md) says where these files are read. \
         These are the defaults, with their comments.\n`agon schema NAME` describes every \
         key of a file.\n",
    );
    for (name, about) in TEAM_FILES {
        let text =
            fs::read_to_string(root().join(format!("content/defaults/{name}.toml"))).unwrap();
        write!(
            page,
            "\n### {name}.toml\n\n{about}\n\n```toml\n{}\n```\n",
            text.trim_end()
        )
        .unwrap();
    }
    check_generated("settings.md", &page);
}

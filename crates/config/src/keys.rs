//! Every key that can be set, what it is for, and a file that shows them all.

use crate::project;

/// A key of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it is for, in a line.
    pub about: &'static str,
    /// How it is set, as TOML.
    pub example: &'static str,
}

const fn key(name: &'static str, about: &'static str, example: &'static str) -> Key {
    Key {
        name,
        about,
        example,
    }
}

/// Every key, those of tables last.
pub const KEYS: [Key; 26] = [
    key(
        "proposer",
        "The tool that proposes.",
        "proposer = \"claude\"",
    ),
    key(
        "challenger",
        "The tool that challenges.",
        "challenger = \"codex\"",
    ),
    key("judge", "The tool that judges.", "judge = \"gemini\""),
    key("rounds", "Rounds of a duel, 1 to 5.", "rounds = 2"),
    key(
        "effort",
        "How hard every seat thinks: low, medium, high or max; judges at least high.",
        "effort = \"medium\"",
    ),
    key(
        "transport",
        "How every tool is spoken to: acp (one conversation for the debate) or cli (one start for each answer).",
        "transport = \"cli\"",
    ),
    key(
        "fallback",
        "Who debates where no AI tool is installed: any (a model on this machine) or none.",
        "fallback = \"none\"",
    ),
    key(
        "context",
        "What every seat is given: none, diff, commit=A..B, file=PATH, dir=DIR or repo. Not set: repo in a git work tree where every seat can read a folder, else none.",
        "context = \"repo\"",
    ),
    key("timeout", "How long one turn may take.", "timeout = \"4m\""),
    key(
        "max_calls",
        "The most calls of one debate.",
        "max_calls = 12",
    ),
    key(
        "max_tokens",
        "The most tokens of one debate, in and out.",
        "max_tokens = 250_000",
    ),
    key(
        "max_time",
        "How long one debate may run.",
        "max_time = \"30m\"",
    ),
    key(
        "max_cost",
        "The most money of one debate, in US dollars.",
        "max_cost = 2.50",
    ),
    key(
        "daily_tokens",
        "The most tokens of a day (UTC) for what is started while no person watches; only in your own file.",
        "daily_tokens = 20_000_000",
    ),
    key(
        "monthly_tokens",
        "The most tokens of a month (UTC) for debates and questions, counted from when it is set; only in your own file.",
        "monthly_tokens = \"50M\"",
    ),
    key(
        "debates_dir",
        "Where debates go.",
        "debates_dir = \"debates\"",
    ),
    key(
        "otlp_endpoint",
        "Where traces are sent, by the programs that can send them.",
        "otlp_endpoint = \"http://127.0.0.1:4318\"",
    ),
    key(
        "trust",
        "Folders whose agon.toml may set anything; only in your own file.",
        "trust = [\"/srv/project\"]",
    ),
    key("model", "The model of a seat.", "model.judge = \"opus\""),
    key(
        "tools",
        "What differs from the way a tool is known; `agon tools` lists their names.",
        "tools.claude.model = \"sonnet\"",
    ),
    key(
        "team",
        "Limits of a team, in milliseconds where they are times; `agon schema team_limits` lists them.",
        "team.lease_ms = 900_000",
    ),
    key(
        "limits",
        "Tokens from which on a model gets worse (onset) and much worse (severe), for `agon context`.",
        "limits = [{ model = \"claude-opus\", onset = 100000, severe = 180000 }]",
    ),
    key(
        "rules",
        "How much a rule counts: warning, error or fatal; `agon rules` lists them.",
        "rules.reply-words = \"warning\"",
    ),
    key(
        "graph",
        "What the edges of argument graphs carry, from 0 to 1.",
        "graph.concession = 0.5",
    ),
    key(
        "profile",
        "The profile that holds where none is named; --profile and AGON_PROFILE name one.",
        "profile = \"careful\"",
    ),
    key(
        "profiles",
        "Named sets of these keys, put on top of the files: --profile careful",
        "profiles.careful = { rounds = 3, effort = \"high\" }",
    ),
];

/// A file with every key, all of them commented out; for a project only those that it may set.
pub fn commented_file(is_project: bool) -> String {
    let mut text = String::from(match is_project {
        true => {
            "# Agon's settings for this project. They hold on top of each user's own file.\n\
             # Anything else that is set here needs the user's trust.\n"
        }
        false => {
            "# Agon's settings. Take the # away from a line to set it.\n\
             # A project's agon.toml, the environment (AGON_ROUNDS=3) and flags come on top.\n"
        }
    });
    let may_set = |key: &&Key| !is_project || project::ALLOWED.contains(&key.name);
    for key in KEYS.iter().filter(may_set) {
        text.push_str(&format!("\n# {}\n# {}\n", key.about, key.example));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::Layer;

    #[test]
    fn the_file_names_every_key_and_holds_when_every_line_is_set() {
        let unknown = toml::from_str::<Layer>("nothing_of_the_kind = 1").unwrap_err();
        let known = unknown.message().split_once("expected one of ").unwrap().1;
        let mut known: Vec<_> = known
            .split(", ")
            .map(|name| name.trim_matches('`'))
            .collect();
        let mut named = KEYS.map(|key| key.name).to_vec();
        known.sort_unstable();
        named.sort_unstable();
        assert_eq!(named, known);

        assert_eq!(
            toml::from_str::<Layer>(&commented_file(false)),
            Ok(Layer::default())
        );
        for key in KEYS {
            let set = toml::from_str::<Layer>(key.example).unwrap();
            assert_ne!(set, Layer::default(), "{}", key.name);
        }
        assert!(commented_file(true).contains("# rounds = 2"));
        assert!(!commented_file(true).contains("debates_dir"));
    }
}

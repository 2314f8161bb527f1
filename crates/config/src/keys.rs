//! All configuration keys with descriptions, and a file that shows them all.

use crate::project;

/// A configuration key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub about: &'static str,
    /// Example in TOML.
    pub example: &'static str,
}

const fn key(name: &'static str, about: &'static str, example: &'static str) -> Key {
    Key {
        name,
        about,
        example,
    }
}

/// All keys, with table keys last.
pub const KEYS: [Key; 32] = [
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
        "Reasoning effort of every seat: low, medium, high or max (judges: at least high).",
        "effort = \"medium\"",
    ),
    key(
        "transport",
        "Transport for every tool: acp (one conversation per debate) or cli (one process per answer).",
        "transport = \"cli\"",
    ),
    key(
        "fallback",
        "Who debates if no AI tool is installed: any (a model on this machine) or none.",
        "fallback = \"none\"",
    ),
    key(
        "context",
        "Context of every seat: none, diff, commit=A..B, file=PATH, dir=DIR, session or repo. Default: repo in git if every seat can read files, else none.",
        "context = \"repo\"",
    ),
    key("timeout", "Time limit of one turn.", "timeout = \"4m\""),
    key(
        "max_calls",
        "Maximum calls of one debate.",
        "max_calls = 12",
    ),
    key(
        "max_tokens",
        "Maximum tokens of one debate, input and output.",
        "max_tokens = 250_000",
    ),
    key(
        "max_time",
        "Time limit of one debate.",
        "max_time = \"30m\"",
    ),
    key(
        "max_cost",
        "Maximum cost of one debate, in US dollars.",
        "max_cost = 2.50",
    ),
    key(
        "daily_tokens",
        "Maximum tokens per day (UTC) for unattended runs; only in your own file.",
        "daily_tokens = 20_000_000",
    ),
    key(
        "monthly_tokens",
        "Maximum tokens per month (UTC) for debates and questions, counted from when you set it; only in your own file.",
        "monthly_tokens = \"50M\"",
    ),
    key(
        "batch_calls",
        "Maximum simultaneous calls to one account in a batch; Agon makes fewer if the provider refuses some.",
        "batch_calls = 64",
    ),
    key(
        "plan_review",
        "Reviews of plans, with `agon install --what plan-review`: off, suggest, or auto, which starts a debate; a project's file may only lower it.",
        "plan_review = \"auto\"",
    ),
    key(
        "plan_review_time",
        "Time limit of the debate on a plan, at most 5m; only in your own file.",
        "plan_review_time = \"90s\"",
    ),
    key(
        "costly",
        "What is costly to undo, for `agon install --what suggest`: built-in topics or NAME: PHRASE, PHRASE; a project's file may only add topics.",
        "costly = [\"built-in\", \"ledger: change|rename * ledger*, double entry\"]",
    ),
    key(
        "debates_dir",
        "Folder for debates.",
        "debates_dir = \"debates\"",
    ),
    key(
        "decision_records",
        "Folder in the project where every verdict becomes a decision record (not committed), or auto.",
        "decision_records = \"docs/adr\"",
    ),
    key(
        "otlp_endpoint",
        "Address for traces, in builds that can send them.",
        "otlp_endpoint = \"http://127.0.0.1:4318\"",
    ),
    key(
        "vendors",
        "Vendors that may be sent material from any project without asking, or `all` for every vendor; not in a project's file.",
        "vendors = [\"anthropic\", \"openai\"]",
    ),
    key(
        "trust",
        "Folders whose agon.toml may set anything; only in your own file.",
        "trust = [\"/srv/project\"]",
    ),
    key("model", "The model of a seat.", "model.judge = \"opus\""),
    key(
        "tools",
        "Overrides of a tool's profile; `agon tools` lists the names.",
        "tools.claude.model = \"sonnet\"",
    ),
    key(
        "team",
        "Limits of a team, times in milliseconds; `agon schema team_limits` lists them.",
        "team.lease_ms = 900_000",
    ),
    key(
        "limits",
        "Number of tokens from which a model gets worse (onset) and much worse (severe), for `agon context`.",
        "limits = [{ model = \"claude-opus\", onset = 100000, severe = 180000 }]",
    ),
    key(
        "rules",
        "Severity of a rule: warning, error or fatal; `agon rules` lists the rules.",
        "rules.reply-words = \"warning\"",
    ),
    key(
        "graph",
        "Weights of edges in argument graphs, from 0 to 1.",
        "graph.concession = 0.5",
    ),
    key(
        "profile",
        "Default profile; --profile and AGON_PROFILE override it.",
        "profile = \"careful\"",
    ),
    key(
        "profiles",
        "Named sets of these keys that override the files: --profile careful",
        "profiles.careful = { rounds = 3, effort = \"high\" }",
    ),
];

/// Returns a file with all keys commented out; for a project, only keys that it may set.
pub fn commented_file(is_project: bool) -> String {
    let mut text = String::from(match is_project {
        true => {
            "# Agon's settings for this project. They override each user's own file.\n\
             # Any other key here needs the user's trust.\n"
        }
        false => {
            "# Agon's settings. Remove the # from a line to set it.\n\
             # A project's agon.toml, the environment (AGON_ROUNDS=3) and flags override these.\n"
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

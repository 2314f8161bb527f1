//! Every command that reads a debate, and which of them are run on which debate.

use super::world::World;

/// A command that reads.
pub(super) struct Reading {
    /// Its words; `{}` stands for the debate's name.
    words: &'static [&'static str],
    /// Whether it prints a document with `--json` that is not what it prints without.
    json: bool,
    /// Whether it is run on every debate, or on some of them each time.
    always: bool,
}

/// Of the commands that are not run on every debate, each is run on one debate in so many.
const ONE_IN: usize = 12;

const fn always(words: &'static [&'static str]) -> Reading {
    Reading {
        words,
        json: true,
        always: true,
    }
}

const fn sometimes(words: &'static [&'static str]) -> Reading {
    Reading {
        words,
        json: true,
        always: false,
    }
}

/// One that prints one thing only.
const fn formatted(words: &'static [&'static str]) -> Reading {
    Reading {
        words,
        json: false,
        always: false,
    }
}

const READINGS: &[Reading] = &[
    always(&["show", "{}"]),
    always(&["check", "{}"]),
    Reading {
        always: true,
        ..formatted(&["replay", "{}", "--speed", "0"])
    },
    formatted(&["replay", "{}", "--speed", "0", "--json"]),
    sometimes(&["wait", "{}", "--timeout", "0"]),
    sometimes(&["list"]),
    sometimes(&["show", "{}", "--section", "transcript"]),
    sometimes(&["show", "{}", "--section", "findings"]),
    sometimes(&["show", "{}", "--section", "arguments"]),
    sometimes(&["show", "{}", "--section", "transcript", "--limit", "2"]),
    sometimes(&["wait", "{}", "--timeout", "0", "--exit-code"]),
    sometimes(&["check", "{}", "--evidence"]),
    sometimes(&["check", "{}", "--rule", "duel-praise"]),
    sometimes(&["evidence", "{}"]),
    sometimes(&["evidence", "{}", "--all", "--limit", "3"]),
    sometimes(&["evidence", "{}", "--stamp", "wrong"]),
    sometimes(&["graph", "{}"]),
    sometimes(&["graph", "{}", "--task", "contributions"]),
    sometimes(&[
        "graph",
        "{}",
        "--task",
        "contributions",
        "--measure",
        "shapley",
    ]),
    sometimes(&["graph", "{}", "--task", "flip", "--limit", "3"]),
    sometimes(&[
        "graph",
        "{}",
        "--task",
        "extensions",
        "--semantics",
        "preferred",
    ]),
    sometimes(&[
        "graph",
        "{}",
        "--task",
        "acceptance",
        "--semantics",
        "grounded",
    ]),
    sometimes(&["graph", "{}", "--base", "equal", "--semantics", "df-quad"]),
    formatted(&["graph", "{}", "--format", "i23"]),
    formatted(&["graph", "{}", "--format", "apx"]),
    formatted(&["graph", "{}", "--format", "tgf"]),
    formatted(&["graph", "{}", "--format", "bag"]),
    formatted(&["graph", "{}", "--format", "aif"]),
    formatted(&["graph", "{}", "--format", "mermaid"]),
    formatted(&["graph", "{}", "--format", "dot"]),
    formatted(&["report", "{}", "--format", "verdict"]),
    formatted(&["report", "{}", "--format", "json"]),
    formatted(&["report", "{}", "--format", "transcript"]),
    formatted(&["report", "{}", "--format", "md"]),
    formatted(&["report", "{}", "--format", "html"]),
    formatted(&["report", "{}", "--format", "mermaid"]),
    formatted(&["report", "{}", "--format", "dot"]),
    formatted(&["report", "{}", "--format", "svg"]),
    formatted(&["report", "{}", "--format", "png"]),
    sometimes(&["list", "--search", "lease"]),
    sometimes(&["recall", "SQLite or plain files for the job store?"]),
    sometimes(&["usage"]),
    sometimes(&["usage", "--by", "debate"]),
    sometimes(&["usage", "--by", "model"]),
    sometimes(&["usage", "--by", "day"]),
    sometimes(&["run", "{}", "1", "--dry-run"]),
];

/// The commands that are run on the debate of this name, which stands at this place of all of
/// them; all commands where every test is asked for.
pub(super) fn on(name: &str, at: usize, full: bool) -> Vec<Vec<String>> {
    let readings = READINGS.iter().enumerate();
    let readings = readings
        .filter(|(nth, reading)| full || reading.always || (at + nth).is_multiple_of(ONE_IN));
    readings
        .flat_map(|(_, reading)| {
            let plain = filled(reading.words, name);
            let json = [plain.clone(), vec!["--json".to_owned()]].concat();
            let json = reading.json.then_some(json);
            [plain].into_iter().chain(json)
        })
        .collect()
}

/// The words with the debate's name in its place.
pub(super) fn filled(words: &[&str], name: &str) -> Vec<String> {
    words.iter().map(|word| word.replace("{}", name)).collect()
}

/// Runs the commands and gives what each printed.
pub(super) fn print(world: &World, commands: &[Vec<String>]) -> Vec<super::printed::Block> {
    let print = |args: &Vec<String>| super::printed::run(world, args);
    commands.iter().map(print).collect()
}

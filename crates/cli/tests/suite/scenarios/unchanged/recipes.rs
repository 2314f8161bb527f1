//! How each recorded debate was made, and how it can be taken further.

mod duel;
mod formal;
mod human;
mod steered;

use agon_testkit::Script;

use super::world::World;

/// A kind of debate.
pub(super) struct Recipe {
    /// Its name: that of the debate's folder.
    pub(super) name: &'static str,
    /// What the tools answer, when it is made and when it is taken further.
    pub(super) script: fn() -> Script,
    /// Makes the debate of this name.
    pub(super) make: fn(&World, &str),
    /// The commands that take it further, one after the other; `{}` stands for its name.
    pub(super) acts: &'static [&'static [&'static str]],
}

/// Every kind, in the order of this list.
pub(super) fn all() -> impl Iterator<Item = &'static Recipe> {
    [
        duel::RECIPES,
        steered::RECIPES,
        human::RECIPES,
        formal::RECIPES,
    ]
    .into_iter()
    .flatten()
}

/// The kind of this name, unless it is one that only an older build recorded.
pub(super) fn named(name: &str) -> Option<&'static Recipe> {
    all().find(|recipe| recipe.name == name)
}

const RESUME: &[&str] = &["resume", "{}", "--json"];
const CONTINUE: &[&str] = &[
    "continue",
    "{}",
    "--note",
    "we get a second writer",
    "--json",
];

/// The hand-written duel with a verdict that names nothing of its second round.
fn one_round() -> Script {
    let mut script = Script::job_store();
    for verdict in script.turns.get_mut("verdict.judge").unwrap() {
        *verdict = verdict
            .replace("pro_002a", "pro_001b")
            .replace("pro_002b", "pro_001c")
            .replace("cha_002a", "cha_001a");
    }
    script
}

/// The same with this reply of the judge's for the other side.
fn for_the_challenger(script: Script, turn: &str) -> Script {
    let ruling = script.turns["verdict.judge"][0].clone();
    let ruling = ruling.replace("\"winner\": \"proposer\"", "\"winner\": \"challenger\"");
    script.turn(turn, [ruling])
}

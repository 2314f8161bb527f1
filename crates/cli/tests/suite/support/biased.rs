//! A judge who follows the order of presentation.

use agon_testkit::{Cue, Script};

/// A judge for whoever is shown first, whatever was said.
pub(crate) fn for_the_first_shown() -> Script {
    let script = Script::job_store();
    let proposer = script.turns["verdict.judge"][0].clone();
    let challenger = proposer.replace("\"winner\": \"proposer\"", "\"winner\": \"challenger\"");
    let hidden = |ruling: &str| {
        let alone = Script::default().turn("verdict.judge", [ruling]);
        alone.reply(&Cue::of("Turn: verdict.swap")).into_owned()
    };
    // What each side says, and nobody else does.
    let [said, answered] = [
        "If ownership takes two steps and another writer may act between them",
        "The claim itself is one rename(2)",
    ];
    let swap = [(said, hidden(&proposer)), (answered, hidden(&challenger))];
    script
        .by_first("verdict.judge", [(said, proposer), (answered, challenger)])
        .by_first("verdict.swap", swap)
}

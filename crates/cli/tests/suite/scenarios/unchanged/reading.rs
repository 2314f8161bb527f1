//! What each command that reads prints of each recorded debate.

use agon_testkit::is_full;

use super::fixture::{self, Recorded};
use super::world::World;
use super::{bundle, commands, older, printed};

/// A place with the debate in it.
pub(super) fn laid_out(recorded: &Recorded) -> World {
    let world = World::new();
    world.lay_out(&recorded.name, &recorded.files());
    world
}

#[test]
fn every_recorded_debate_is_read_as_it_was_when_it_was_recorded() {
    let wrong = fixture::each(&fixture::all(), |at, recorded| {
        let world = laid_out(recorded);
        let commands = commands::on(&recorded.name, at, is_full());
        let now = commands::print(&world, &commands);
        let before = printed::from_text(&recorded.text("printed"));
        let mut wrong = printed::differences(&recorded.name, &before, &now);
        wrong.extend(older::explain(recorded, &printed::differing(&before, &now)));
        if bundle::of_folder(&world.folder(&recorded.name)) != recorded.files() {
            wrong.push(format!(
                "{}: what reads wrote into the folder",
                recorded.name
            ));
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_recorded_has_every_kind_and_plays_again_without_a_difference() {
    let all = fixture::all();
    assert!(all.len() >= 40, "{} debates", all.len());
    let differs: Vec<_> = all
        .iter()
        .filter(|recorded| {
            let replay = format!("replay {} --speed 0", recorded.name);
            let blocks = printed::from_text(&recorded.text("printed"));
            let block = blocks.iter().find(|block| block.head == replay).unwrap();
            !block.body.starts_with("= exit 0\n")
        })
        .map(|recorded| recorded.name.as_str())
        .collect();
    let expected = [
        // Another tool left what cannot be made again. A kill, and a stop before anything was
        // decided, leave the documents as they were.
        "duel-killed-before-the-challenger",
        "duel-stopped-before-the-proposer",
        "formal-imported",
        "formal-stopped-between-sides",
        "formal-stopped-in-theses",
    ];
    assert_eq!(differs, expected);
}

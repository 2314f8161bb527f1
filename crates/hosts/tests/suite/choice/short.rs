//! Short messages of every day call for no skill.

use agon_hosts::choice::{ChoiceRequest, SkillSet};

use super::measure::{BUDGET, skills};

/// What people write between two requests, in the languages of the examples.
const MESSAGES: [&str; 36] = [
    "ok",
    "hello",
    "thanks",
    "yes",
    "go on",
    "continue",
    "restart the server",
    "commit this",
    "push it",
    "looks good to me",
    "try again",
    "stop",
    "undo that",
    "run the tests",
    "open the file",
    "merge it",
    "danke",
    "guten Morgen",
    "ja, mach weiter",
    "starte den Server neu",
    "passt so",
    "bitte committen",
    "merci",
    "bonjour",
    "d'accord, continue",
    "redémarre le serveur",
    "fais le commit",
    "gracias",
    "hola",
    "sí, sigue",
    "reinicia el servidor",
    "好的",
    "你好",
    "谢谢",
    "继续",
    "重启服务器",
];

#[test]
fn a_short_message_of_every_day_gets_no_skill() {
    let set = SkillSet::new(skills());
    let given = |message: &'static str| {
        let choice = set.choose(&ChoiceRequest {
            request: message,
            budget: BUDGET,
            ..ChoiceRequest::default()
        });
        let names = choice.given.into_iter().map(|skill| skill.name);
        (message, names.collect::<Vec<_>>())
    };
    let found = MESSAGES.into_iter().map(given);
    let found: Vec<_> = found.filter(|(_, names)| !names.is_empty()).collect();
    assert_eq!(found, []);
}

//! One reply of a formal debate for each way to break a rule.

use serde_json::{Value, json};

use super::formal::{attack, contention, defend, rescored, scored};

/// A reply that breaks a rule: its code, the turn, the change to valid moves, the place, and words
/// of the message or hint.
pub(super) type Breach = (
    &'static str,
    &'static str,
    fn(&mut Value),
    &'static str,
    &'static str,
);

fn long(words: usize) -> Value {
    json!("w ".repeat(words))
}

fn push(list: &mut Value, item: Value) {
    list.as_array_mut().unwrap().push(item);
}

pub(super) const BREACHES: &[Breach] = &[
    (
        "reply-nothing",
        "theses.judge",
        |m| m["opposition"] = json!("…"),
        "",
        "no usable move",
    ),
    (
        "reply-nothing",
        "r0.prop",
        |m| *m = json!([]),
        "",
        "no usable move",
    ),
    (
        "reply-nothing",
        "r1.opp",
        |m| {
            m["title"] = json!("-");
            m["claim"] = json!("-");
        },
        "",
        "no usable move",
    ),
    (
        "reply-nothing",
        "r1.judge",
        |m| *m = json!({ "scores": [] }),
        "",
        "no usable move",
    ),
    (
        "reply-theses",
        "theses.judge",
        |m| m["opposition"] = json!("cities SHOULD ban private cars"),
        "opposition",
        "the same thesis",
    ),
    (
        "reply-words",
        "theses.judge",
        |m| m["proposition"] = long(31),
        "proposition",
        "31 words, but at most 30",
    ),
    (
        "reply-words",
        "r0.prop",
        |m| m[1]["title"] = json!("Short"),
        "arguments[1].title",
        "1 word, but 5 to 7",
    ),
    (
        "reply-words",
        "r1.prop",
        |m| m["title"] = json!("Many words more than any title of it may have"),
        "title",
        "10 words, but",
    ),
    (
        "reply-words",
        "r1.prop",
        |m| m["claim"] = long(26),
        "claim",
        "26 words, but at most 25",
    ),
    (
        "reply-words",
        "r1.prop",
        |m| m["grounds"][0]["content"] = long(101),
        "grounds[0].content",
        "101 words, but at most 100",
    ),
    (
        "reply-words",
        "r0.opp",
        |m| m[2]["grounds"][0]["relevance"] = long(31),
        "arguments[2].grounds[0].relevance",
        "31 words",
    ),
    (
        "reply-words",
        "r1.prop",
        |m| m["warrant"] = long(51),
        "warrant",
        "51 words, but at most 50",
    ),
    (
        "reply-words",
        "r1.prop",
        |m| m["backing"] = long(51),
        "backing",
        "51 words, but at most 50",
    ),
    (
        "reply-words",
        "r1.prop",
        |m| m["qualifier"] = long(11),
        "qualifier",
        "11 words, but at most 10",
    ),
    (
        "reply-words",
        "r1.prop",
        |m| m["attacks"][1]["content"] = long(76),
        "attacks[1].content",
        "76 words, but at most 75",
    ),
    (
        "reply-words",
        "r1.prop",
        |m| m["defends"][0]["content"] = long(76),
        "defends[0].content",
        "76 words, but at most 75",
    ),
    (
        "reply-words",
        "r1.judge",
        |m| m["scores"][1]["reasoning"] = long(76),
        "scores[1].reasoning",
        "76 words, but at most 75",
    ),
    (
        "reply-words",
        "r1.judge",
        |m| m["rescores"][0]["reasoning"] = long(76),
        "rescores[0].reasoning",
        "76 words, but at most 75",
    ),
    (
        "reply-empty",
        "r1.judge",
        |m| m["scores"][0]["reasoning"] = json!(""),
        "scores[0].reasoning",
        "empty",
    ),
    (
        "reply-empty",
        "r1.judge",
        |m| m["rescores"][0]["reasoning"] = json!(" … "),
        "rescores[0].reasoning",
        "empty",
    ),
    (
        "reply-empty",
        "r0.prop",
        |m| m[0]["claim"] = json!("?"),
        "arguments[0].claim",
        "empty",
    ),
    (
        "reply-empty",
        "r1.opp",
        |m| m["attacks"][0]["content"] = json!("!"),
        "attacks[0].content",
        "empty",
    ),
    (
        "reply-empty",
        "r1.opp",
        |m| m["grounds"][0]["source"] = json!(""),
        "grounds[0].source",
        "empty",
    ),
    (
        "reply-grounds",
        "r0.prop",
        |m| m[2]["grounds"] = json!([]),
        "arguments[2].grounds",
        "0 grounds, but 1 to 3",
    ),
    (
        "reply-grounds",
        "r1.prop",
        |m| {
            let one = m["grounds"][0].clone();
            m["grounds"] = json!(vec![one; 4]);
        },
        "grounds",
        "4 grounds, but 1 to 3",
    ),
    (
        "opening-count",
        "r0.prop",
        |m| push(m, contention("k")),
        "arguments",
        "4 arguments instead of exactly 3",
    ),
    (
        "opening-count",
        "r0.opp",
        |m| *m = json!([contention("k")]),
        "arguments",
        "1 argument instead of exactly 3",
    ),
    (
        "opening-attacks",
        "r0.prop",
        |m| m[1]["attacks"] = json!([attack("opp_000a", "claim_attack")]),
        "arguments[1].attacks",
        "nothing to attack",
    ),
    (
        "opening-attacks",
        "r0.opp",
        |m| m[0]["defends"] = json!([defend("opp_000b", "clarify")]),
        "arguments[0].defends",
        "nothing to defend",
    ),
    (
        "attack-target",
        "r2.opp",
        |m| m["attacks"] = json!([attack("opp_001", "claim_attack")]),
        "attacks[0].target_id",
        "opposition attacks its own argument: opp_001 / possible targets in exchange 2: prop_000a, prop_000b, prop_000c, prop_001",
    ),
    (
        "attack-target",
        "r1.prop",
        |m| m["attacks"][1]["target_id"] = json!("opp_001"),
        "attacks[1].target_id",
        "opp_001 is from this same exchange",
    ),
    (
        "attack-target",
        "r1.prop",
        |m| m["attacks"][1]["target_id"] = json!("opp_002"),
        "attacks[1].target_id",
        "opp_002 is from a later exchange",
    ),
    (
        "attack-target",
        "r1.prop",
        |m| m["attacks"][0]["target_id"] = json!("opp_000d"),
        "attacks[0].target_id",
        "there is no argument opp_000d",
    ),
    (
        "attack-target",
        "r1.prop",
        |m| m["attacks"][0]["target_id"] = json!("opp_000"),
        "attacks[0].target_id",
        "there is no argument opp_000 /",
    ),
    (
        "attack-target",
        "r1.prop",
        |m| m["attacks"][0]["target_id"] = json!("cha_000a"),
        "attacks[0].target_id",
        "there is no argument cha_000a",
    ),
    (
        "attack-defense",
        "r1.opp",
        |m| m["defends"][0]["target_id"] = json!("prop_000a"),
        "defends[0].target_id",
        "opposition defends an argument of the other side: prop_000a / possible targets in exchange 1: opp_000a, opp_000b, opp_000c",
    ),
    (
        "attack-defense",
        "r1.opp",
        |m| m["defends"][0]["target_id"] = json!("opp_001"),
        "defends[0].target_id",
        "opp_001 is from this same exchange",
    ),
    (
        "attack-defense",
        "r1.opp",
        |m| m["defends"][0]["target_id"] = json!("opp_007"),
        "defends[0].target_id",
        "opp_007 is from a later exchange",
    ),
    (
        "attack-defense",
        "r2.prop",
        |m| m["defends"][1]["target_id"] = json!("prop_001a"),
        "defends[1].target_id",
        "there is no argument prop_001a",
    ),
    (
        "attack-count",
        "r2.prop",
        |m| push(&mut m["attacks"], attack("opp_000c", "backing_attack")),
        "attacks",
        "4 items in `attacks`, but at most 3",
    ),
    (
        "attack-count",
        "r2.prop",
        |m| push(&mut m["defends"], defend("prop_000c", "clarify")),
        "defends",
        "3 items in `defends`, but at most 2",
    ),
    (
        "attack-repeat",
        "r2.prop",
        |m| m["attacks"][2]["attack_type"] = json!("warrant_attack"),
        "attacks[2].target_id",
        "the warrant of opp_000a is attacked twice",
    ),
    (
        "attack-repeat",
        "r2.prop",
        |m| m["defends"][1]["defense_type"] = json!("clarify"),
        "defends[1].target_id",
        "prop_001 is defended twice as clarify",
    ),
    (
        "score-missing",
        "r0.judge",
        |m| m["scores"] = json!([scored("prop_000a", 0.5), scored("opp_000a", -0.1)]),
        "scores",
        "not scored: prop_000b, prop_000c, opp_000b, opp_000c",
    ),
    (
        "score-stranger",
        "r1.judge",
        |m| push(&mut m["scores"], scored("opp_000c", 0.0)),
        "scores[2].argument_id",
        "opp_000c already has a score / use `rescores` to change it; arguments to score: prop_001, opp_001",
    ),
    (
        "score-stranger",
        "r1.judge",
        |m| push(&mut m["scores"], scored("opp_002", 0.0)),
        "scores[2].argument_id",
        "there is no argument opp_002",
    ),
    (
        "repeat-argument",
        "r0.opp",
        |m| m[2]["claim"] = m[0]["claim"].clone(),
        "arguments[2].claim",
        "restates `arguments[0]`",
    ),
    (
        "repeat-argument",
        "r2.prop",
        |m| m["claim"] = json!("The claim b!"),
        "claim",
        "restates prop_000b",
    ),
    (
        "score-repeat",
        "r1.judge",
        |m| push(&mut m["scores"], scored("prop_001", 0.9)),
        "scores[2].argument_id",
        "prop_001 is scored twice",
    ),
    (
        "score-repeat",
        "r1.judge",
        |m| push(&mut m["rescores"], rescored("prop_000a", 0.2)),
        "rescores[1].argument_id",
        "prop_000a is rescored twice",
    ),
    (
        "score-range",
        "r1.judge",
        |m| {
            m["scores"][0]["score"] = json!(1.001);
            m["scores"][1]["score"] = json!(-0.999);
        },
        "scores[0].score",
        "+1.001 is out of range",
    ),
    (
        "score-range",
        "r1.judge",
        |m| m["rescores"][0]["new_score"] = json!(-1e300),
        "rescores[0].new_score",
        "is out of range",
    ),
    (
        "score-sum",
        "r1.judge",
        |m| m["scores"][0]["score"] = json!(0.111),
        "scores",
        "the scores sum to +0.011 instead of zero",
    ),
    (
        "score-sum",
        "r0.judge",
        |m| m["scores"][3]["score"] = json!(-0.5),
        "scores",
        "the scores sum to -0.200",
    ),
    (
        "score-rescore",
        "r1.judge",
        |m| push(&mut m["rescores"], rescored("opp_001", 0.0)),
        "rescores[1].argument_id",
        "opp_001 is new and has no score to change",
    ),
    (
        "score-rescore",
        "r1.judge",
        |m| push(&mut m["rescores"], rescored("opp_000d", 0.0)),
        "rescores[1].argument_id",
        "there is no argument opp_000d / scored before: prop_000a, prop_000b, prop_000c, opp_000a, opp_000b, opp_000c",
    ),
    (
        "score-old",
        "r1.judge",
        |m| m["rescores"][0]["old_score"] = json!(0.301),
        "rescores[0].old_score",
        "the score of prop_000a is +0.300, not +0.301",
    ),
    (
        "score-old",
        "r2.judge",
        |m| m["rescores"][0]["old_score"] = json!(0.3),
        "rescores[0].old_score",
        "the score of prop_000a is -0.100, not +0.300",
    ),
    (
        "score-step",
        "r1.judge",
        |m| m["rescores"][0]["new_score"] = json!(-0.201),
        "rescores[0].new_score",
        "prop_000a changes by -0.501, but at most 0.5 is allowed / from +0.300 the new score may be -0.200 to +0.800",
    ),
    (
        "score-step",
        "r2.judge",
        |m| m["rescores"][1]["new_score"] = json!(0.401),
        "rescores[1].new_score",
        "opp_001 changes by +0.501",
    ),
    (
        "score-ids",
        "r1.judge",
        |m| m["scores"][0]["reasoning"] = json!("It leaves opp_009 unanswered."),
        "scores[0].reasoning",
        "there is no point opp_009",
    ),
];

/// Rules that say more about a reply which another rule finds unusable.
pub(super) fn beside(code: &str) -> &'static [&'static str] {
    match code {
        "reply-nothing" => &["reply-empty", "opening-count", "score-missing"],
        "opening-attacks" => &["attack-target", "attack-defense"],
        _ => &[],
    }
}

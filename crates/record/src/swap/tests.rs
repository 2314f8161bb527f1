use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn names_of_sides_points_and_turns_are_hidden_wherever_they_stand() {
    for (text, expected) in [
        ("As pro_001a says", "As b_001a says"),
        ("(cha_002aa)", "(a_002aa)"),
        ("pro_001a/cha_001b", "b_001a/a_001b"),
        ("pro_001a's ground", "b_001a's ground"),
        ("the turn r1.cha.", "the turn r1.a."),
        ("r12.pro, stance", "r12.b, stance"),
        ("The proposer's claim", "Side B's claim"),
        ("what the challenger says", "what side A says"),
        ("a Challenger-friendly view", "a side A-friendly view"),
        ("Proposer: yes", "side B: yes"),
        ("breathe challenger", "breathe side A"),
    ] {
        assert_eq!(hide_names(text), expected);
    }
}

#[test]
fn what_is_no_name_of_the_debate_stays() {
    for text in [
        "src/paxos/proposer.rs:12",
        "proposer.rs",
        "proposers",
        "the_proposer",
        "pro_1a",
        "approach_001a",
        "prop_001a",
        "r1.judge",
        "pros and cons",
        "",
    ] {
        assert_eq!(hide_names(text), text);
    }
}

#[test]
fn a_reply_is_told_in_the_debates_own_names() {
    let reply = json!({
        "winner": "A",
        "why": "Side A shows in a_001a that b_001b fails; side B's answer (b_002a) does not. sideboard",
        "decisive": ["a_001a", "b_002aa"],
        "disagreements": [{ "point": "x", "side_a": "side A", "side_b": "no" }],
        "odd": [1, null, true, "a_b", "data_001a"],
    });
    let expected = json!({
        "winner": "challenger",
        "why": "The challenger shows in cha_001a that pro_001b fails; the proposer's answer (pro_002a) \
                does not. sideboard",
        "decisive": ["cha_001a", "pro_002aa"],
        "disagreements": [{ "point": "x", "challenger": "the challenger", "proposer": "no" }],
        "odd": [1, null, true, "a_b", "data_001a"],
    });
    let Value::Object(reply) = reply else {
        panic!("an object")
    };
    assert_eq!(Value::Object(restore_reply_names(reply)), expected);
}

#[test]
fn a_winner_may_be_written_in_several_ways() {
    for (written, seat) in [
        ("A", "challenger"),
        ("b", "proposer"),
        ("side A", "challenger"),
        ("Side B", "proposer"),
        ("side_b", "proposer"),
        (" \"A\" ", "challenger"),
        ("C", "C"),
        ("neither", "neither"),
        ("", ""),
    ] {
        let mut object = Map::new();
        object.insert("winner".to_owned(), json!(written));
        assert_eq!(restore_reply_names(object)["winner"], seat, "{written:?}");
    }
}

proptest! {
    #[test]
    fn hiding_twice_changes_nothing_more(text in "(pro|cha|the |The |proposer|challenger|_001a|r1[.]|[ -~é]){0,20}") {
        let once = hide_names(&text);
        prop_assert_eq!(hide_names(&once), once);
    }

    #[test]
    fn every_id_comes_back_as_it_was(round: u16, place in 0_u16..702, proposes: bool) {
        let seat = if proposes { Seat::Proposer } else { Seat::Challenger };
        let id = NodeId { seat, round, place: Some(place) }.to_string();
        let told = hide_names(&id);
        prop_assert!(!told.contains("pro") && !told.contains("cha"), "{}", told);
        prop_assert_eq!(rewrite_names(&told, restore_side_name_at_start), id);
    }
}

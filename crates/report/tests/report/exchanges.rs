//! What a person sees of a formal debate.

use agon_record::event::{CauseCode, Event};
use agon_record::finding::Severity;
use agon_record::id::{Seat, TurnId};
use agon_record::moves::{Formal, Moves};
use agon_record::spec::Standby;
use agon_record::spec::{Definition, FormalSpec, Kind};
use agon_record::state::State;
use agon_report::screen::{self, Detail};
use agon_report::text::display_width;
use agon_rules::panel;
use serde_json::{Value, json};

use crate::debates::shown;
use agon_samples::job_store::{Debate, finding, seating, turn};

const SCRIPT: &str = include_str!("../../../testkit/scripts/formal.json");
const FOLDER: &str = "debates/read-every-change";

/// What the script has for `at`, with other free text where there is any.
pub(crate) fn scripted(at: &str, text: Option<&str>) -> Moves {
    let script: Value = serde_json::from_str(SCRIPT).unwrap();
    let reply = script["turns"][at][0].as_str().unwrap();
    let (_, block) = reply.rsplit_once("```json").unwrap();
    let mut said: Value = serde_json::from_str(block.split("```").next().unwrap()).unwrap();
    if let Some(text) = text {
        replace(&mut said, text);
    }
    let formal = match at {
        "theses.judge" => Formal::Theses(serde_json::from_value(said).unwrap()),
        "r0.prop" | "r0.opp" => {
            Formal::Case(serde_json::from_value(json!({ "arguments": said })).unwrap())
        }
        at if at.contains("judge") => Formal::Scores(serde_json::from_value(said).unwrap()),
        _ => Formal::Rebuttal(serde_json::from_value(said).unwrap()),
    };
    Moves::Formal(formal)
}

fn replace(json: &mut Value, text: &str) {
    const KEPT: [&str; 4] = ["target_id", "attack_type", "defense_type", "argument_id"];
    match json {
        Value::String(old) => text.clone_into(old),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, text)),
        Value::Object(fields) => {
            let free = fields
                .iter_mut()
                .filter(|(name, _)| !KEPT.contains(&name.as_str()));
            free.for_each(|(_, value)| replace(value, text));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A debate on the motion, in which nobody has spoken.
pub(crate) fn opened(motion: &str) -> Debate {
    let mut debate = Debate::open();
    let spec = &mut debate.spec;
    spec.slug = "read-every-change".to_owned();
    spec.topic = motion.to_owned();
    spec.kind = Kind::formal(FormalSpec {
        definitions: vec![Definition {
            term: "change".to_owned(),
            meaning: "what one merge brings in".to_owned(),
        }],
        scope: Some("Teams of three to thirty people.".to_owned()),
        theses: None,
    });
    spec.seats = [
        (
            Seat::Proposition,
            seating("claude", "anthropic", Some("opus")),
        ),
        (Seat::Opposition, seating("codex", "openai", None)),
        (Seat::JUDGE, seating("gemini", "google", None)),
    ]
    .into();
    debate.events.push(Event::Continued {
        through: 3,
        seats: debate.spec.seats.clone(),
        caps: debate.spec.caps,
        standby: Standby::default(),
    });
    debate
}

/// `debate` with these exchanges played, with other free text where there is any.
fn play(debate: &mut Debate, exchanges: std::ops::Range<u16>, text: Option<&str>) {
    for exchange in exchanges {
        for seat in ["prop", "opp", "judge"] {
            let at = format!("r{exchange}.{seat}");
            debate.speak(turn(&at), scripted(&at, text));
        }
        let judgment = panel::judgment_by_all_judges(&debate.state(), exchange);
        debate.events.push(Event::Scored(Box::new(judgment)));
    }
}

const MOTION: &str = "This house would read every change before it is merged";

pub(crate) fn played(exchanges: u16) -> Debate {
    let mut debate = opened(MOTION);
    debate.speak(turn("theses.judge"), scripted("theses.judge", None));
    play(&mut debate, 0..exchanges, None);
    debate
}

/// Everything that is shown while a debate runs, and when it rests.
fn all(state: &State, width: usize) -> String {
    let mut lines = screen::header_lines(state, FOLDER, None, width);
    for &id in state.turns.keys() {
        lines.extend(screen::turn_lines(state, id, Detail::Whole, width));
    }
    for exchange in 0..=4 {
        lines.extend(screen::exchange_lines(
            state,
            exchange,
            Detail::Whole,
            width,
        ));
    }
    lines.extend(screen::formal_verdict_lines(state, FOLDER, width));
    shown(&lines)
}

#[test]
fn a_formal_debate_from_its_theses_to_its_totals() {
    let state = played(4).state();
    insta::assert_snapshot!("formal_110", all(&state, 110));
    insta::assert_snapshot!("formal_60", all(&state, 60));
}

#[test]
fn a_formal_debate_as_it_stands() {
    let mut debate = played(1);
    let broken = finding("reply-words", Severity::Warning, "claim");
    debate.send_back(turn("r1.prop"), vec![broken.clone()]);
    debate.speak(turn("r1.prop"), scripted("r1.prop", None));
    if let Some(Event::Admitted { findings, .. }) = debate.events.last_mut() {
        findings.push(broken);
    }
    debate.lose(turn("r1.opp"), CauseCode::Timeout);
    let state = debate.state();
    let mut lines = screen::formal_overview_lines(&state, FOLDER, Detail::Whole, 110);
    lines.extend(screen::turn_lines(
        &state,
        turn("r1.opp"),
        Detail::Whole,
        110,
    ));
    lines.extend(screen::formal_verdict_lines(&state, FOLDER, 110));
    insta::assert_snapshot!(shown(&lines));
}

#[test]
fn nothing_is_shown_of_what_was_not_said() {
    let state = opened(MOTION).state();
    assert_eq!(screen::exchange_lines(&state, 0, Detail::Whole, 110), []);
    assert_eq!(screen::theses_lines(&state, 110), []);
    let totals = shown(&screen::totals_lines(&state, 110));
    let expected = "totals       proposition  0.000 (0)             |             \
                    opposition  0.000 (0)   neither side leads\n";
    assert_eq!(totals, expected);
}

#[test]
fn the_bar_grows_towards_the_side_that_leads() {
    let bar = |exchanges: u16, worse: i32| {
        let mut state = played(exchanges).state();
        for (id, history) in &mut state.kind.as_formal_mut().unwrap().scores {
            let sign = if id.seat == Seat::Proposition {
                -worse
            } else {
                worse
            };
            let last = history.last_mut().unwrap();
            last.score = agon_record::score::Score::new(last.score.thousandths().abs() * sign);
        }
        let text = shown(&screen::totals_lines(&state, 110));
        let (left, right) = text.split_once('|').unwrap();
        [left, right].map(|half| half.matches('▇').count())
    };
    assert_eq!(bar(1, -1), [3, 0]);
    assert_eq!(bar(1, 1), [0, 3]);
    assert_eq!(bar(4, 1), [0, 4]);
    assert_eq!(bar(1, 0), [0, 0]);
    // A greater lead has a longer bar, and no lead of a real debate fills it.
    assert_eq!(bar(1, -4), [7, 0]);
    assert_eq!(bar(1, -9), [8, 0]);
}

#[test]
fn calls_to_come_are_counted_until_each_is_heard() {
    let mut debate = opened(MOTION);
    let left = |debate: &Debate| agon_rules::format::remaining_calls(&debate.state());
    assert_eq!(left(&debate), 13);
    debate.speak(turn("theses.judge"), scripted("theses.judge", None));
    assert_eq!(left(&debate), 12);
    debate.speak(
        TurnId::round(0, Seat::Proposition),
        scripted("r0.prop", None),
    );
    assert_eq!(left(&debate), 11);
    let mut debate = played(3);
    assert_eq!(left(&debate), 3);
    play(&mut debate, 3..4, None);
    assert_eq!(left(&debate), 0);
}

#[test]
fn hostile_text_of_a_formal_debate_stays_text_on_a_screen() {
    const HOSTILE: &str =
        "Boo\u{1b}[2J\u{1b}]0;title\u{7} \u{202e}desrever\u{200b}\n<b>\u{9b}31m\u{0}\r\n";
    let long = HOSTILE.repeat(200);
    for text in [HOSTILE, &long] {
        let mut debate = opened(text);
        debate.speak(turn("theses.judge"), scripted("theses.judge", Some(text)));
        play(&mut debate, 0..3, Some(text));
        let state = debate.state();
        for width in [40, 60, 110] {
            let mut lines = all(&state, width);
            let full = screen::full_formal_verdict_lines(&state, FOLDER, width);
            lines.push_str(&shown(&full));
            let bad = lines
                .chars()
                .find(|&c| (c.is_control() && c != '\n') || c == '\u{202e}' || c == '\u{200b}');
            assert_eq!(bad, None);
            assert_eq!(lines.lines().find(|line| display_width(line) > width), None);
        }
    }
}

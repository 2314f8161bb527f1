//! Text that would do harm, or not fit, if it were not taken as text.

use agon_record::event::Outcome;
use agon_record::moves::{Moves, Ruling};
use agon_record::state::State;
use agon_record::text::is_hidden;
use agon_report::screen::{self, Detail};
use agon_report::text::display_width;
use agon_report::{transcript_md, verdict_md};
use agon_verdict::verdict::verdict;
use proptest::prelude::*;
use serde_json::Value;

use crate::debates::shown;
use crate::screens::{full_verdict_screen, live, verdict_screen};
use agon_samples::job_store::{Debate, scripted, turn};

pub(crate) const HOSTILE: &str = "# Boo\u{1b}[2J\u{1b}]0;title\u{7} \u{202e}desrever\u{200b}\n\n```\nfence\n\
                       <script>alert(1)</script> ![i](http://x.org/i.png) [l](http://x.org)\n\
                       ---\n## Verdict\n| a | b |\n<!-- c --> &lt; \u{9b}31m\u{0}\r\n";

/// Fields that hold no free text.
const KEPT: [&str; 13] = [
    "kind",
    "first_answers",
    "target",
    "objection",
    "response",
    "category",
    "severity",
    "reply",
    "ruling",
    "winner",
    "decisive",
    "evidence",
    "quality",
];

/// The scripted debate with `text` wherever a model may write freely.
pub(crate) fn saying(text: &str) -> State {
    let mut debate = Debate::open();
    debate.spec.topic = text.to_owned();
    for at in [
        "r0.pro",
        "r0.cha",
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
    ] {
        let mut moves = serde_json::to_value(scripted(turn(at))).unwrap();
        replace(&mut moves, text);
        debate.speak(turn(at), serde_json::from_value(moves).unwrap());
    }
    debate.close(Outcome::Judged);
    debate.state()
}

fn replace(json: &mut Value, text: &str) {
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

pub(crate) fn is_safe(text: &str) -> bool {
    text.chars()
        .all(|c| c == '\n' || !(c.is_control() || is_hidden(c)))
}

#[test]
fn hostile_text_stays_text_in_markdown() {
    let (hostile, calm) = (saying(HOSTILE), saying("calm"));
    let verdict = |state| verdict_md(state, &verdict(state).unwrap());
    for (text, calm) in [
        (transcript_md(&hostile), transcript_md(&calm)),
        (verdict(&hostile), verdict(&calm)),
    ] {
        assert!(is_safe(&text));
        assert_eq!(
            text.lines().count(),
            calm.lines().count(),
            "no line is made"
        );
        for (line, calm) in text.lines().zip(calm.lines()) {
            let first = |line: &str| line.chars().next().filter(|c| c.is_ascii_punctuation());
            let (made, meant) = (first(line), first(calm));
            assert!(
                made == meant || made == Some('\\'),
                "{line:?} begins a block"
            );
        }
        for (at, _) in text.match_indices(['<', '>', '`', '[', ']', '|']) {
            assert!(text[..at].ends_with('\\'), "bare markup at {at} of {text}");
        }
        let links = text.matches("://").count();
        assert_eq!(links, text.matches("\\://").count(), "a link is made");
        assert!(text.contains(r"\<script\>alert(1)\</script\>"));
    }
}

#[test]
fn hostile_text_stays_text_on_a_screen() {
    let state = saying(HOSTILE);
    for width in [40, 60, 110] {
        for text in [
            live(&state, Detail::Claims, width),
            live(&state, Detail::Whole, width),
            shown(&verdict_screen(&state, width)),
            shown(&full_verdict_screen(&state, width)),
        ] {
            assert!(is_safe(&text), "{text:?}");
            assert_eq!(text.lines().find(|line| display_width(line) > width), None);
        }
    }
}

#[test]
fn a_verdict_of_long_texts_is_shown_whole() {
    let state = saying(&"a very long answer ".repeat(20));
    let text = shown(&verdict_screen(&state, 110));
    assert!(!text.contains('…'), "{text}");
    insta::assert_snapshot!(text);
}

fn ruling() -> Ruling {
    let Moves::Verdict(ruling) = scripted(turn("verdict.judge")) else {
        panic!("a verdict");
    };
    ruling
}

fn judged_by(ruling: Ruling) -> State {
    let mut debate = Debate::open();
    debate.speak_until("r2.cha");
    debate.speak(turn("verdict.judge"), Moves::Verdict(ruling));
    debate.close(Outcome::Judged);
    debate.state()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_verdict_fits_the_width_of_its_screen(
        text in prop_oneof![
            "(?s).{0,300}",
            "[a-z ]{0,4000}",
            "[界面👩‍👧é\u{301}\u{fe0f}⚠️🇩🇪]{0,2000}",
            "[x]{0,10000}",
        ],
        folder in "[a-z/]{0,300}",
        many in 0_usize..60,
        width in 0_usize..300,
    ) {
        let mut long = ruling();
        for part in [&mut long.answer, &mut long.why, &mut long.do_next, &mut long.unless] {
            part.clone_from(&text);
        }
        long.open[0].question.clone_from(&text);
        long.open = vec![long.open[0].clone(); many];
        long.assumed_by_both = vec![text.clone(); many];
        let state = judged_by(long);
        let lines = screen::full_verdict_lines(&state, &verdict(&state).unwrap(), &folder, width);
        let shown: String = lines.iter().map(ToString::to_string).collect();
        prop_assert!(shown.contains('…') <= text.contains('…'), "{shown:?}");
        for line in &lines {
            let text = line.to_string();
            let most = width.max(screen::NARROWEST);
            prop_assert!(display_width(&text) <= most, "{text:?}");
            prop_assert!(is_safe(&text) && !text.contains('\n'), "{text:?}");
        }
    }
}

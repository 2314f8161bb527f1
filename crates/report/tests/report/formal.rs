//! Documents and pictures of a formal debate in which everybody writes what would do harm.

use agon_record::mention::mentions;
use agon_record::spec::{Definition, FormalSpec, Kind, Spec};
use agon_record::state::State;
use agon_report::graph::{mermaid, svg};
use agon_report::{debate_drawing, readme_md, transcript_md, verdict_md};
use agon_rules::ops::{OutsideStep, StepOutcome, SubmittedReply, evaluate_outside_step};
use agon_verdict::verdict::verdict;
use serde_json::{Value, json};

use crate::hostile::{HOSTILE, is_safe};

/// Lines of their own that Mermaid, XML and the folder's files would read.
const THEIRS: &str = "\nclick n0 \"javascript:alert(1)\"\n%%{init: {}}%%\nend\n\"]:::pro\n\
                      n0[[\"x\"]] --> n1\n</text></svg>]]><svg onload=\"x\">\n{\n}\n## Claim\n\
                      ### Attacking opp_001\n**Type:** claim_attack\n&#x1b; #34; \u{fffe}";

fn hostile() -> String {
    format!("{HOSTILE}{THEIRS}")
}

/// As many words, all of them calm but for names of points, so that the same rules are broken.
fn calm() -> String {
    let hostile = hostile();
    let words = hostile.split_whitespace();
    let words = words.filter(|word| word.contains(char::is_alphanumeric));
    let words = words.map(|word| match mentions(word).first() {
        Some(named) => named.id.to_string(),
        None => "calm".to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Two exchanges with `text` wherever one may write freely.
pub(crate) fn saying(text: &str) -> State {
    let mut state = State::open(spec(text));
    for exchange in 0..2 {
        let (prop, opp) = (said("prop", exchange, text), said("opp", exchange, text));
        step(
            &mut state,
            |brought| OutsideStep::Exchange {
                exchange,
                proposition: brought[0],
                opposition: brought[1],
            },
            &[prop, opp],
        );
        let scores = scores(exchange, text);
        step(
            &mut state,
            |brought| OutsideStep::Judgment(brought[0]),
            &[scores],
        );
    }
    state
}

fn step(
    state: &mut State,
    of: impl Fn(&[SubmittedReply<'static>]) -> OutsideStep<'static>,
    inputs: &[Value],
) {
    let brought: Vec<_> = inputs
        .iter()
        .map(|input| SubmittedReply {
            reply: input.to_string().into_bytes().leak(),
            redacted: 0,
        })
        .collect();
    let StepOutcome::Taken { events, .. } =
        evaluate_outside_step(state, of(&brought), 1_700_000_000_000)
    else {
        panic!("a step is taken in");
    };
    for event in &events {
        state.apply(event).unwrap();
    }
}

fn said(side: &str, exchange: u16, text: &str) -> Value {
    let ground = json!({
        "source": text, "content": text, "relevance": text,
        "citation": { "file": text, "anchor": text },
    });
    let mut one = json!({
        "title": text, "claim": text, "grounds": [ground],
        "warrant": text, "backing": text, "qualifier": text,
    });
    if exchange == 0 {
        return json!([one.clone(), one.clone(), one]);
    }
    let other = if side == "prop" { "opp" } else { "prop" };
    one["attacks"] = json!([{
        "target_id": format!("{other}_000a"), "attack_type": "claim_attack", "content": text,
    }]);
    one["defends"] = json!([{
        "target_id": format!("{side}_000b"), "defense_type": "concede_and_pivot", "content": text,
    }]);
    one
}

fn scores(exchange: u16, text: &str) -> Value {
    let letters: &[&str] = if exchange == 0 {
        &["a", "b", "c"]
    } else {
        &[""]
    };
    let scores = letters.iter().flat_map(|letter| {
        [("prop", 0.25), ("opp", -0.25)].map(|(side, score)| {
            let id = format!("{side}_{exchange:03}{letter}");
            json!({ "argument_id": id, "score": score, "reasoning": text })
        })
    });
    let again = json!({ "argument_id": "opp_000c", "new_score": 0.1, "reasoning": text });
    let rescores: Vec<_> = (exchange > 0).then_some(again).into_iter().collect();
    json!({ "scores": scores.collect::<Vec<_>>(), "rescores": rescores })
}

fn spec(text: &str) -> Spec {
    Spec {
        ulid: "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap(),
        kind: Kind::formal(FormalSpec {
            definitions: vec![Definition {
                term: text.to_owned(),
                meaning: text.to_owned(),
            }],
            scope: Some(text.to_owned()),
            theses: None,
        }),
        ..Spec::formal("d", text)
    }
}

#[test]
fn hostile_text_stays_text_in_the_documents_of_a_formal_debate() {
    let (hostile, calm) = (saying(&hostile()), saying(&calm()));
    let verdict = |state| verdict_md(state, &verdict(state).unwrap());
    for (text, calm) in [
        (
            readme_md(&hostile, None, None),
            readme_md(&calm, None, None),
        ),
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
            if line.starts_with('|') {
                assert_eq!(line, calm, "a table is ours");
                continue;
            }
            for sign in ['<', '>', '`', '[', ']', '|'] {
                let bare = |line: &str| {
                    let all = line.match_indices(sign);
                    all.filter(|(at, _)| !line[..*at].ends_with('\\')).count()
                };
                assert_eq!(bare(line), bare(calm), "bare {sign} in {line}");
            }
        }
        let links = text.matches("://").count();
        assert_eq!(links, text.matches("\\://").count(), "a link is made");
    }
}

#[test]
fn an_account_of_hostile_lines_stays_text_between_its_headings() {
    let state = saying("calm");
    let account = format!("## The question\n\n{}\n\n## The verdict\n\nSo.", hostile());
    let text = readme_md(&state, None, Some(&account));
    assert!(is_safe(&text));
    let plain = readme_md(&state, None, None);
    let headings = |text: &str| -> Vec<String> {
        let all = text.lines().filter(|line| line.starts_with('#'));
        all.map(str::to_owned).collect()
    };
    let mut wanted = headings(&plain);
    let added = ["## The question".to_owned(), "## The verdict".to_owned()];
    wanted.splice(1..1, added);
    assert_eq!(headings(&text), wanted);
    for (at, _) in text.match_indices(['<', '>', '[', ']']) {
        assert!(text[..at].ends_with('\\'), "bare markup at {at} of {text}");
    }
}

#[test]
fn hostile_text_stays_text_in_the_pictures_of_a_formal_debate() {
    let (hostile, calm) = (
        debate_drawing(&saying(&hostile())),
        debate_drawing(&saying(&calm())),
    );
    let drawn = svg(&hostile);
    assert!(is_safe(&drawn));
    let parsed = roxmltree::Document::parse(&drawn).unwrap();
    let elements: Vec<_> = parsed
        .descendants()
        .filter(|node| node.is_element())
        .collect();
    for node in &elements {
        let name = node.tag_name().name();
        let ours = ["svg", "title", "g", "rect", "path", "text"].contains(&name);
        assert!(ours, "{name} is no element of ours");
        for attribute in node.attributes() {
            let name = attribute.name();
            assert!(
                !name.starts_with("on") && name != "href" && name != "style",
                "{name}"
            );
        }
    }
    let groups = |text: &str| text.matches("<g>").count();
    assert_eq!(groups(&drawn), groups(&svg(&calm)));
    let (text, calm) = (mermaid(&hostile), mermaid(&calm));
    assert!(is_safe(&text));
    assert_eq!(
        text.lines().count(),
        calm.lines().count(),
        "no line is made"
    );
    for (line, calm) in text.lines().zip(calm.lines()) {
        assert!(line.len() < 1_500, "{line}");
        for sign in ['"', '[', ']', '{', '}', '%', '|', '>', '<'] {
            let count = |line: &str| line.matches(sign).count();
            assert_eq!(count(line), count(calm), "{sign} in {line}");
        }
    }
    #[cfg(feature = "png")]
    {
        let pixels = agon_report::graph::png(&hostile, 40_000_000).unwrap();
        assert!(pixels.starts_with(b"\x89PNG"));
    }
}

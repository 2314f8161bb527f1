//! What every summary holds, whatever was said.

use agon_record::id::TurnId;
use agon_record::moves::{
    Agreement, Argument, Assessment, Category, Defense, FollowUp, Ground, Moves, Objection,
    ObjectionKind, Opening, Response, RulingKind,
};
use agon_samples::duel::{admit, job_store, spec};
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

const END: TurnId = TurnId::verdict(Seat::JUDGE);

/// What a generated turn is made of.
#[derive(Clone, Debug)]
struct Raw {
    texts: Vec<String>,
    picks: Vec<Index>,
}

impl Raw {
    fn text(&self, nth: usize) -> String {
        self.texts[nth % self.texts.len()].clone()
    }

    fn pick<T: Copy>(&self, nth: usize, from: &[T]) -> Option<T> {
        let pick = self.picks[nth % self.picks.len()];
        (!from.is_empty()).then(|| from[pick.index(from.len())])
    }

    fn grounds(&self, nth: usize) -> Vec<Ground> {
        let ground = Ground {
            source: self.text(nth + 1),
            content: self.text(nth),
            relevance: self.text(nth + 2),
            citation: None,
        };
        vec![ground; nth % 3]
    }

    fn argument(&self, nth: usize) -> Argument {
        Argument {
            title: self.text(nth),
            claim: self.text(nth + 1),
            grounds: self.grounds(nth),
            warrant: self.text(nth + 2),
            backing: None,
            qualifier: None,
        }
    }

    fn objection(&self, nth: usize, targets: &[NodeId]) -> Option<Objection> {
        let kinds = [ObjectionKind::Claim, ObjectionKind::Warrant];
        let severities = [
            ObjectionSeverity::Minor,
            ObjectionSeverity::Major,
            ObjectionSeverity::Blocker,
        ];
        Some(Objection {
            target: self.pick(nth, targets)?,
            kind: self.pick(nth + 1, &kinds)?,
            category: Category::Other,
            severity: self.pick(nth + 2, &severities)?,
            title: None,
            content: self.text(nth),
            grounds: self.grounds(nth),
        })
    }
}

/// A debate of as many rounds as there are pairs of turns, each with up to `size` moves of a kind.
fn debate(turns: &[Raw], size: usize) -> State {
    let mut state = State::open(spec(u16::try_from(turns.len() / 2).unwrap()));
    for (at, raw) in turns.iter().enumerate() {
        let round = u16::try_from(at / 2 + 1).unwrap();
        let ids = |state: &State, seat: Seat, keep: fn(&Point<'_>) -> bool| -> Vec<NodeId> {
            let nodes = state.nodes();
            let kept = nodes.iter().filter(|n| n.seat() == seat && keep(&n.point));
            kept.map(|node| node.id).collect()
        };
        if at % 2 == 0 {
            let turn = TurnId::round(round, Seat::Proposer);
            let open = ids(&state, Seat::Challenger, |p| {
                matches!(p, Point::Objection(_))
            });
            let replies = [ReplyKind::Concede, ReplyKind::Rebut, ReplyKind::Tradeoff];
            let response = |nth| {
                Some(Response {
                    objection: raw.pick(nth, &open)?,
                    reply: raw.pick(nth + 1, &replies)?,
                    content: raw.text(nth),
                    still_favours_because: None,
                    grounds: raw.grounds(nth),
                })
            };
            let arguments = (0..size).map(|nth| raw.argument(nth)).collect();
            let moves = match round {
                1 => Moves::Opening(Opening {
                    stance: raw.text(0),
                    arguments,
                }),
                _ => Moves::Defense(Defense {
                    position_now: raw.text(0),
                    responses: (0..size).filter_map(response).collect(),
                    arguments,
                }),
            };
            admit(&mut state, turn, moves, Vec::new());
        } else {
            let turn = TurnId::round(round, Seat::Challenger);
            let theirs = ids(&state, Seat::Proposer, |_| true);
            let answers = ids(&state, Seat::Proposer, |p| matches!(p, Point::Response(_)));
            let rulings = [RulingKind::Resolved, RulingKind::Sustained];
            let assessment = |nth| {
                Some(Assessment {
                    response: raw.pick(nth, &answers)?,
                    ruling: raw.pick(nth + 1, &rulings)?,
                    content: raw.text(nth + 3),
                    grounds: raw.grounds(nth),
                })
            };
            let agreement = |nth| {
                Some(Agreement {
                    target: raw.pick(nth + 5, &theirs)?,
                    grounds: raw.grounds(nth),
                    remaining_risk: raw.text(nth),
                })
            };
            let moves = Moves::FollowUp(FollowUp {
                assessments: (0..size).filter_map(assessment).collect(),
                objections: (0..size)
                    .filter_map(|nth| raw.objection(nth, &theirs))
                    .collect(),
                none_found: Vec::new(),
                agreements: (0..size).filter_map(agreement).collect(),
                alternatives: (0..size / 2).map(|nth| raw.argument(nth)).collect(),
            });
            admit(&mut state, turn, moves, Vec::new());
        }
    }
    state
}

fn debates() -> impl Strategy<Value = State> {
    // No underscore, so that a text holds no id; some texts are long, some have many tokens a
    // letter.
    let text = prop_oneof![
        "[a-zA-Z ,.;]{1,200}",
        "[a-z ]{1,40}\n- [a-z ]{1,40}",
        "[一-龥ก-๙🀀-🃏]{1,300}",
        "[!-^a-~ ]{200,900}",
    ];
    let raw = (
        prop::collection::vec(text, 3..8),
        prop::collection::vec(any::<Index>(), 8..16),
    );
    let raw = raw.prop_map(|(texts, picks)| Raw { texts, picks });
    let turns = prop::collection::vec(raw, 4..=10);
    (turns, 1..14_usize).prop_map(|(turns, size)| debate(&turns[..turns.len() / 2 * 2], size))
}

/// Every answer that conceded and every ruling of a resolution in rounds up to `through`.
fn conceded(state: &State, through: u16) -> Vec<String> {
    let said = |node: &Node<'_>| match node.point {
        Point::Response(r) if r.reply == ReplyKind::Concede => Some(r.content.clone()),
        Point::Assessment(a) if a.ruling == RulingKind::Resolved => Some(a.content.clone()),
        Point::Argument(_)
        | Point::Objection(_)
        | Point::Response(_)
        | Point::Assessment(_)
        | Point::Agreement(_)
        | Point::Alternative(_)
        | Point::Contention(_) => None,
    };
    let nodes = state.nodes();
    let before = nodes.iter().filter(|node| node.id.round <= through);
    before.filter_map(said).collect()
}

fn ids(text: &str) -> Vec<NodeId> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter_map(|word| word.parse().ok()).collect()
}

/// The summary without its concessions.
fn capped_part(summary: &str) -> String {
    let mut out = String::new();
    let mut conceded = false;
    for line in summary.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("### ") {
            conceded = title.trim() == SummarySection::Conceded.title();
        }
        if !conceded {
            out.push_str(line);
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_concession_stands_word_for_word(state in debates(), through in 1..5_u16) {
        let summary = summarize_rounds(&state, through, END);
        for text in conceded(&state, through) {
            let line = format!(": {}\n", text.trim().replace('\n', "\n  "));
            prop_assert!(format!("{summary}\n").contains(&line), "{text:?} in\n{summary}");
        }
    }

    #[test]
    fn every_id_it_names_exists(state in debates(), through in 1..5_u16) {
        let summary = summarize_rounds(&state, through, END);
        for id in ids(&summary) {
            prop_assert!(state.node(id).is_some(), "{id} in\n{summary}");
        }
    }

    #[test]
    fn all_but_the_concessions_keeps_the_cap(state in debates(), through in 1..5_u16) {
        let summary = summarize_rounds(&state, through, END);
        let rest = capped_part(&summary);
        prop_assert!(count_tokens(&rest) <= MAX_TOKENS, "{} tokens:\n{rest}", count_tokens(&rest));
    }

    #[test]
    fn no_minor_point_takes_the_place_of_a_blocker(state in debates(), through in 1..5_u16) {
        let summary = summarize_rounds(&state, through, END);
        let shown = ids(&summary);
        let nodes = state.nodes();
        let all = collect_disputes(&nodes);
        let open = all.iter().filter(|d| d.id.round <= through && !d.is_settled());
        let (shown, hidden): (Vec<_>, Vec<_>) = open.partition(|d| shown.contains(&d.id));
        let least = shown.iter().map(|d| d.objection.severity).min();
        let worst = hidden.iter().map(|d| d.objection.severity).max();
        // An objection may also be named by another line, so only what has its own counts.
        if let (Some(least), Some(worst)) = (least, worst) {
            let own = |d: &&&Dispute<'_>| summary.contains(&format!("- {} on ", d.id));
            let own: Vec<_> = shown.iter().filter(own).collect();
            let least = own.iter().map(|d| d.objection.severity).min().unwrap_or(least);
            prop_assert!(own.is_empty() || least >= worst, "{summary}");
        }
    }
}

#[test]
fn a_small_debate_is_told_whole() {
    let state = job_store(3, "r3.cha".parse().unwrap());
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("job-store-2", summarize_rounds(&state, 2, END));
    });
}

#[test]
fn what_is_said_after_the_turn_does_not_count() {
    let turn: TurnId = "r3.cha".parse().unwrap();
    let whole = job_store(3, END);
    assert_eq!(
        summarize_rounds(&whole, 2, turn),
        summarize_rounds(&job_store(3, turn), 2, turn)
    );
    assert_ne!(
        summarize_rounds(&whole, 2, turn),
        summarize_rounds(&whole, 2, END)
    );
}

#[test]
fn once_a_line_does_not_fit_no_less_important_one_is_shown() {
    let long = "word ".repeat(MAX_TOKENS - FRAME_TOKENS - 20);
    let lines = vec![
        SummaryLine::ranked(SummarySection::Evidence, 5, "small".to_owned()),
        SummaryLine::ranked(SummarySection::Disputed, 4, long.clone()),
        SummaryLine::ranked(SummarySection::Disputed, 0, long.clone()),
        SummaryLine::required(SummarySection::Conceded, long.clone()),
    ];
    let told: Vec<_> = fit_lines_to_budget(lines)
        .into_iter()
        .filter(|(_, kept, left_out)| !kept.is_empty() || *left_out > 0)
        .collect();
    let expected = [
        (SummarySection::Conceded, vec![long.clone()], 0),
        (SummarySection::Disputed, vec![long], 1),
        (SummarySection::Evidence, Vec::new(), 1),
    ];
    assert_eq!(told, expected);
}

fn objection(target: &str, severity: ObjectionSeverity) -> Objection {
    Objection {
        target: target.parse().unwrap(),
        kind: ObjectionKind::Claim,
        category: Category::Other,
        severity,
        title: None,
        content: "it fails".to_owned(),
        grounds: Vec::new(),
    }
}

fn argument_of(claim: &str) -> Argument {
    Argument {
        title: "title".to_owned(),
        claim: claim.to_owned(),
        grounds: Vec::new(),
        warrant: String::new(),
        backing: None,
        qualifier: None,
    }
}

fn response(objection: &str, reply: ReplyKind) -> Response {
    Response {
        objection: objection.parse().unwrap(),
        reply,
        content: "so it is".to_owned(),
        still_favours_because: None,
        grounds: Vec::new(),
    }
}

#[test]
fn what_is_taken_back_in_a_later_round_is_named() {
    let mut state = State::open(spec(3));
    let mut say = |turn: &str, moves| admit(&mut state, turn.parse().unwrap(), moves, Vec::new());
    say(
        "r1.pro",
        Moves::Opening(Opening {
            stance: "Use it".to_owned(),
            arguments: vec![argument_of("It is fast."), argument_of("It is small")],
        }),
    );
    say(
        "r1.cha",
        Moves::FollowUp(FollowUp {
            objections: vec![
                objection("pro_001a", ObjectionSeverity::Major),
                objection("pro_001b", ObjectionSeverity::Major),
            ],
            agreements: vec![Agreement {
                target: "pro_001b".parse().unwrap(),
                grounds: Vec::new(),
                remaining_risk: String::new(),
            }],
            ..FollowUp::default()
        }),
    );
    let defense = |responses, arguments| {
        Moves::Defense(Defense {
            position_now: "Use it still".to_owned(),
            responses,
            arguments,
        })
    };
    let replies = vec![
        response("cha_001a", ReplyKind::Concede),
        response("cha_001b", ReplyKind::Rebut),
    ];
    say("r2.pro", defense(replies, Vec::new()));
    say(
        "r2.cha",
        Moves::FollowUp(FollowUp {
            assessments: vec![Assessment {
                response: "pro_002b".parse().unwrap(),
                ruling: RulingKind::Resolved,
                content: "shown".to_owned(),
                grounds: Vec::new(),
            }],
            objections: vec![objection("pro_001b", ObjectionSeverity::Minor)],
            ..FollowUp::default()
        }),
    );
    say(
        "r3.pro",
        defense(
            vec![response("cha_001a", ReplyKind::Rebut)],
            vec![argument_of("it is FAST")],
        ),
    );
    let summary = summarize_rounds(&state, 2, END);
    let (_, section) = summary
        .split_once("### Contradictions between rounds\n")
        .unwrap();
    let lines: Vec<_> = section
        .lines()
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(
        lines,
        [
            "- challenger agreed with pro_001b in round 1 (cha_001c) and objected to it in round 2 (cha_002b)",
            "- proposer conceded cha_001a in round 2 (pro_002a) and argued the point again in round 3 (pro_003a: rebut)",
            "- proposer conceded cha_001a in round 2 (pro_002a) and claimed pro_001a again in round 3 (pro_003b)",
            "- challenger ruled cha_001b resolved in round 2 (cha_002a) and raised it again in round 2 (cha_002b, on the same part of pro_001b)",
        ]
    );
}

#[test]
fn what_is_agreed_and_conceded_is_told_with_the_places_it_rests_on() {
    let mut state = State::open(spec(3));
    let mut say = |turn: &str, moves| admit(&mut state, turn.parse().unwrap(), moves, Vec::new());
    let ground = |content: &str, line: u32| Ground {
        source: "a source with a name of far more than sixty characters, all of them in one line"
            .into(),
        content: content.to_owned(),
        relevance: String::new(),
        citation: Some(agon_record::moves::Citation {
            file: Some("src/a.rs".to_owned()),
            lines: Some([line, line]),
            anchor: Some("let a".to_owned()),
            ..Default::default()
        }),
    };
    let long = (0..15).map(|_| argument_of(&"many words of a claim ".repeat(12)));
    say(
        "r1.pro",
        Moves::Opening(Opening {
            stance: "Use it".to_owned(),
            arguments: long.collect(),
        }),
    );
    say(
        "r1.cha",
        Moves::FollowUp(FollowUp {
            objections: vec![objection("pro_001a", ObjectionSeverity::Minor)],
            agreements: vec![Agreement {
                target: "pro_001b".parse().unwrap(),
                grounds: vec![ground("agreed", 3)],
                remaining_risk: String::new(),
            }],
            ..FollowUp::default()
        }),
    );
    say(
        "r2.pro",
        Moves::Defense(Defense {
            position_now: "Use it".to_owned(),
            responses: vec![Response {
                grounds: vec![ground("given up", 9)],
                ..response("cha_001a", ReplyKind::Concede)
            }],
            arguments: Vec::new(),
        }),
    );
    let told = summarize_rounds(&state, 2, END);
    let evidence = "### Evidence behind agreements and concessions\n\
                    - cha_001b agrees with pro_001b: agreed (src/a.rs:3, reads `let a`)\n\
                    - pro_002a concedes cha_001a: given up (src/a.rs:9, reads `let a`)";
    assert!(told.contains(evidence), "{told}");
    // The arguments of earlier rounds give way to it.
    assert!(told.contains("more left out for length"), "{told}");
}

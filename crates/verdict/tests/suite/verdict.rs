//! The verdict document and the result document of hand-written debates.

use agon_record::authority::Authority;
use agon_record::event::{Cap, Cause, CauseCode, Event, Outcome};
use agon_record::finding::Severity;
use agon_record::id::Seat;
use agon_record::moves::{Grade, Moves, ReplyKind, Ruling, RulingKind};
use agon_record::spec::{Effort, HUMAN, Seating};
use agon_samples::job_store::{Debate, finding, job_store, scripted, seating, turn};
use agon_verdict::documents::document_schema;
use agon_verdict::verdict::{self, Missing, Trial, Verdict, verdict};
use serde::Serialize;

fn ruled(debate: &Debate) -> Verdict {
    verdict(&debate.state()).unwrap()
}

fn missing(seat: Seat, round: u16, cause: &str) -> Missing {
    let cause = cause.to_owned();
    Missing { seat, round, cause }
}

/// What is wrong with `document` under the published schema `name`.
pub(crate) fn faults(name: &str, document: &impl Serialize) -> Vec<String> {
    let schema = document_schema(name).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document = serde_json::to_value(document).unwrap();
    let errors = validator.iter_errors(&document);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn a_judged_debate_has_a_whole_verdict() {
    let verdict = ruled(&job_store());
    insta::assert_snapshot!(serde_json::to_string_pretty(&verdict).unwrap());
    assert_eq!(faults("verdict_document", &verdict), [""; 0]);
    let text = serde_json::to_string(&verdict).unwrap();
    assert_eq!(serde_json::from_str::<Verdict>(&text).unwrap(), verdict);
}

#[test]
fn a_ruling_on_a_concession_is_no_concession_of_its_judge() {
    let granted = |reply| {
        let mut debate = Debate::open();
        debate.speak_until("r1.cha");
        let (Moves::Defense(mut defense), Moves::FollowUp(mut follow_up)) =
            (scripted(turn("r2.pro")), scripted(turn("r2.cha")))
        else {
            panic!("a defense and what follows it");
        };
        defense.responses.truncate(1);
        defense.responses[0].reply = reply;
        follow_up.assessments.truncate(1);
        follow_up.assessments[0].ruling = RulingKind::Resolved;
        debate.speak(turn("r2.pro"), Moves::Defense(defense));
        debate.speak(turn("r2.cha"), Moves::FollowUp(follow_up));
        let conceded = verdict::conceded_points(&debate.state()).into_iter();
        conceded.map(|one| one.seat).collect::<Vec<_>>()
    };
    assert_eq!(granted(ReplyKind::Concede), [Seat::Proposer]);
    assert_eq!(granted(ReplyKind::Rebut), [Seat::Challenger]);
}

#[test]
fn a_second_ruling_for_the_same_side_tells_its_other_answer() {
    let swapped = |change: fn(&mut Ruling)| {
        let mut debate = Debate::open();
        debate.speak_until("verdict.judge");
        let Moves::Verdict(mut ruling) = scripted(turn("verdict.judge")) else {
            panic!("a verdict")
        };
        change(&mut ruling);
        debate.speak(turn("verdict.swap"), Moves::Verdict(ruling));
        debate.close(Outcome::Judged);
        let verdict = ruled(&debate);
        assert_eq!(faults("verdict_document", &verdict), [""; 0]);
        assert_eq!(verdict.stability.swap, Trial::Same);
        let swap = verdict.readings.swap.unwrap();
        (swap.answer, swap.do_next)
    };
    assert_eq!(swapped(|_| ()), (None, None));
    let other = Some("Use Postgres".to_owned());
    let answer = swapped(|ruling| ruling.answer = "Use Postgres".to_owned());
    assert_eq!(answer, (other.clone(), None));
    let next = swapped(|ruling| ruling.do_next = "Use Postgres".to_owned());
    assert_eq!(next, (None, other));
}

/// The whole debate up to the judges, then one ruling.
fn judged_after(change: impl FnOnce(&mut Debate)) -> Verdict {
    let mut debate = Debate::open();
    debate.spec.kind.as_duel_mut().unwrap().swap = false;
    debate.speak_until("r2.cha");
    change(&mut debate);
    debate.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    debate.close(Outcome::Judged);
    ruled(&debate)
}

fn replace_judge(debate: &mut Debate, tool: &str, vendor: &str) {
    let cause = Cause {
        code: CauseCode::NoMoves,
        detail: String::new(),
    };
    debate.events.push(Event::TurnLost {
        turn: turn("verdict.judge"),
        cause,
        findings: Vec::new(),
    });
    debate.events.push(Event::Reseated {
        seat: Seat::JUDGE,
        seating: seating(tool, vendor, None),
        cause: None,
    });
}

#[test]
fn the_headline_hides_no_lost_judge_substitute_or_missing_turn() {
    let headline = |debate: &Debate| ruled(debate).headline;
    assert_eq!(
        headline(&job_store()),
        "the proposer (claude) wins · same ruling with the sides swapped"
    );
    assert_eq!(
        judged_after(|debate| replace_judge(debate, "copilot", "github")).headline,
        "the proposer (claude) wins · the judge was asked only once · judged by copilot in place of gemini"
    );
    assert_eq!(
        judged_after(|debate| replace_judge(debate, "claude", "anthropic")).headline,
        "the proposer (claude) wins · the judge was asked only once · judged by the proposer's tool in place of gemini"
    );
    let mut own = job_store();
    let judge = seating("codex", "openai", None);
    own.spec.seats.insert(Seat::JUDGE, judge);
    assert_eq!(
        headline(&own),
        "the proposer (claude) wins · same ruling with the sides swapped · judged by the challenger's tool"
    );
    let mut cut = Debate::open();
    cut.speak_until("r1.cha");
    cut.events.push(Event::Capped { cap: Cap::Tokens });
    cut.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    cut.close(Outcome::Judged);
    assert_eq!(
        headline(&cut),
        "the proposer (claude) wins · the second ruling, with the sides swapped, is missing · partial, 2 turns missing"
    );
    let mut lost = Debate::open();
    lost.speak_until("r2.pro");
    lost.lose(turn("r2.cha"), CauseCode::Timeout);
    lost.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    lost.close(Outcome::Judged);
    assert_eq!(
        headline(&lost),
        "the proposer (claude) wins · the second ruling, with the sides swapped, is missing · partial, without the challenger's round 2"
    );
    let mut panel = Debate::open();
    let second = seating("copilot", "github", None);
    panel.spec.seats.insert(Seat::Judge(2), second);
    panel.speak_until("verdict.judge");
    panel.lose(turn("verdict.judge-2"), CauseCode::Timeout);
    panel.close(Outcome::Judged);
    assert_eq!(
        headline(&panel),
        "the proposer (claude) wins · 1 of 1 judges · the second ruling, with the sides swapped, is missing · copilot did not judge"
    );
}

#[test]
fn the_headline_names_in_a_few_words_what_makes_a_verdict_less_sure() {
    let headline = |change: &dyn Fn(&mut Debate)| {
        let mut debate = job_store();
        change(&mut debate);
        ruled(&debate).headline
    };
    let seat = |debate: &mut Debate, seat: Seat, tool: &str, vendor: &str| {
        debate.spec.seats.insert(seat, seating(tool, vendor, None));
    };
    let vendor = headline(&|debate| seat(debate, Seat::JUDGE, "opencode", "anthropic"));
    let own = " · judge and proposer are both from Anthropic";
    assert!(vendor.ends_with(own), "{vendor}");
    let one_tool = headline(&|debate| seat(debate, Seat::Challenger, "claude", "anthropic"));
    let start = "the proposer wins · same ruling with the sides swapped · ";
    assert!(one_tool.starts_with(start), "{one_tool}");
    assert!(one_tool.ends_with(" · both sides are claude"), "{one_tool}");
    let people = headline(&|debate| {
        for side in [Seat::Proposer, Seat::Challenger] {
            let mut person = seating(HUMAN, "", None);
            person.transport = HUMAN.to_owned();
            debate.spec.seats.insert(side, person);
        }
    });
    assert!(people.ends_with(" · people argued both sides"), "{people}");
}

#[test]
fn a_second_ruling_speaks_in_the_debates_own_names() {
    let swapped = |why: &str, topic: Option<&str>| {
        let mut debate = Debate::open();
        if let Some(topic) = topic {
            debate.spec.topic = topic.to_owned();
        }
        debate.speak_until("verdict.judge");
        let Moves::Verdict(mut ruling) = scripted(turn("verdict.judge")) else {
            panic!("a verdict")
        };
        ruling.answer = why.to_owned();
        debate.speak(turn("verdict.swap"), Moves::Verdict(ruling));
        debate.close(Outcome::Judged);
        ruled(&debate).readings.swap.unwrap().answer.unwrap()
    };
    let said = "What A asked of B holds";
    assert_eq!(
        swapped(said, None),
        "What the challenger asked of the proposer holds"
    );
    assert_eq!(swapped(said, Some("Is A or B the better name?")), said);
}

#[test]
fn a_verdict_counts_what_rests_on_reasoning_alone_and_lists_what_stood_unsupported() {
    let mut debate = job_store();
    for event in &mut debate.events {
        // Of what is said first, nothing names a place any more.
        if let Event::Admitted { moves, .. } = event
            && let Moves::Opening(opening) = &mut **moves
        {
            let grounds = opening.arguments.iter_mut().take(2);
            let grounds = grounds.flat_map(|argument| &mut argument.grounds);
            grounds.for_each(|ground| ground.citation = None);
        }
    }
    let verdict = ruled(&debate);
    let counts: Vec<_> = verdict
        .support
        .iter()
        .map(|(seat, support)| (*seat, support.points, support.by_reasoning))
        .collect();
    assert_eq!(counts, [(Seat::Proposer, 6, 2), (Seat::Challenger, 5, 0)]);
    let stood: Vec<_> = verdict
        .unsupported
        .iter()
        .map(|one| (one.id.to_string(), one.by.to_string(), one.conceded))
        .collect();
    assert_eq!(
        stood,
        [("pro_001c".to_owned(), "cha_001b".to_owned(), true)]
    );
    for said in [
        "2 of the proposer's 6 points cite nothing (pro_001a, pro_001b)",
        "unsupported to the end: pro_001c (by cha_001b, conceded)",
    ] {
        assert!(verdict.rigor.contains(said), "{}", verdict.rigor);
    }
}

#[test]
fn a_challenge_without_an_objection_is_a_weak_one() {
    let depth = |objects: bool| {
        let mut debate = Debate::open();
        debate.spec.kind.as_duel_mut().unwrap().rounds = 1;
        debate.speak_until("r1.pro");
        let Moves::Challenge(mut challenge) = scripted(turn("r1.cha")) else {
            panic!("a challenge")
        };
        if !objects {
            challenge.objections.clear();
        }
        debate.speak(turn("r1.cha"), Moves::Challenge(challenge));
        debate.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
        debate.close(Outcome::Judged);
        let verdict = ruled(&debate);
        let says = verdict.rigor.contains("objected to nothing");
        (verdict.quality.unwrap().challenge_depth, says)
    };
    assert_eq!(depth(false), (Grade::Low, true));
    assert_eq!(depth(true), (Grade::Medium, false));
}

#[test]
fn an_open_debate_has_no_verdict() {
    let mut debate = Debate::open();
    assert_eq!(verdict(&debate.state()), None);
    debate.speak_until("verdict.judge");
    assert_eq!(verdict(&debate.state()), None);
}

#[test]
fn a_debate_closed_as_judged_without_a_ruling_has_no_verdict() {
    let mut debate = Debate::open();
    debate.speak_until("r2.cha");
    debate.close(Outcome::Judged);
    assert_eq!(verdict(&debate.state()), None);
}

#[test]
fn blind_answers_that_agree_close_without_a_winner() {
    let mut debate = Debate::open();
    let Moves::Blind(mut same) = scripted(turn("r0.pro")) else {
        panic!("a blind answer");
    };
    debate.speak_until("r0.pro");
    same.answer = "sqlite.".to_owned();
    debate.speak(turn("r0.cha"), Moves::Blind(same));
    debate.events.push(Event::Agreement { stop: true });
    debate.close(Outcome::Agreed);
    let verdict = ruled(&debate);
    insta::assert_snapshot!(serde_json::to_string_pretty(&verdict).unwrap());
    assert_eq!(faults("verdict_document", &verdict), [""; 0]);
}

#[test]
fn a_challenger_that_never_speaks_leaves_the_proposer_uncontested() {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    debate.lose(turn("r1.cha"), CauseCode::Timeout);
    debate.close(Outcome::Uncontested);
    let verdict = ruled(&debate);
    insta::assert_snapshot!(serde_json::to_string_pretty(&verdict).unwrap());
    assert_eq!(faults("verdict_document", &verdict), [""; 0]);
}

#[test]
fn a_lost_turn_makes_a_verdict_partial() {
    let mut debate = Debate::open();
    debate.speak_until("r2.pro");
    debate.lose(turn("r2.cha"), CauseCode::Timeout);
    debate.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    debate.close(Outcome::Judged);
    let verdict = ruled(&debate);
    assert_eq!(verdict.authority, Authority::Partial);
    assert_eq!(verdict.missing, [missing(Seat::Challenger, 2, "timeout")]);
    assert_eq!(verdict.rounds_completed, 1);
    assert_eq!(
        verdict.usage.cost_unknown_for,
        ["codex".parse().unwrap(), "gemini".parse().unwrap()]
    );
}

#[test]
fn a_lost_blind_turn_makes_a_verdict_partial() {
    let mut debate = Debate::open();
    debate.lose(turn("r0.pro"), CauseCode::NoMoves);
    for at in [
        "r0.cha",
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
    ] {
        debate.speak(turn(at), scripted(turn(at)));
    }
    debate.close(Outcome::Judged);
    let verdict = ruled(&debate);
    assert_eq!(verdict.authority, Authority::Partial);
    assert_eq!(verdict.missing, [missing(Seat::Proposer, 0, "no_moves")]);
    let blind = verdict.blind.unwrap();
    assert_eq!(
        (blind.proposer, blind.challenger.as_deref(), blind.agree),
        (None, Some("Plain files"), Some(false))
    );
}

#[test]
fn a_bound_names_the_turns_it_kept_from_being_asked_for() {
    let mut debate = Debate::open();
    debate.speak_until("r1.cha");
    debate.send_back(turn("r2.pro"), Vec::new());
    debate.events.push(Event::Capped { cap: Cap::Tokens });
    debate.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    debate.close(Outcome::Judged);
    let verdict = ruled(&debate);
    assert_eq!(verdict.authority, Authority::Partial);
    assert_eq!(
        verdict.missing,
        [
            missing(Seat::Proposer, 2, "cap:tokens"),
            missing(Seat::Challenger, 2, "cap:tokens"),
        ]
    );
    // What the judge names but nobody said is left out.
    assert_eq!(verdict.decisive, ["pro_001a".parse().unwrap()]);
    assert_eq!(verdict.hangs_on, verdict.decisive);
    assert_eq!(
        verdict.agreements[1].evidence,
        ["cha_001b".parse().unwrap()]
    );
}

#[test]
fn a_ruling_on_one_side_alone_is_uncontested() {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    debate.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    debate.close(Outcome::Judged);
    assert_eq!(ruled(&debate).authority, Authority::Uncontested);
}

#[test]
fn a_quick_debate_without_a_blind_round_is_full() {
    let mut debate = Debate::open();
    debate.spec.kind.as_duel_mut().unwrap().blind = false;
    debate.spec.kind.as_duel_mut().unwrap().rounds = 1;
    for at in ["r1.pro", "r1.cha", "verdict.judge"] {
        debate.speak(turn(at), scripted(turn(at)));
    }
    debate.close(Outcome::Judged);
    let verdict = ruled(&debate);
    assert_eq!(
        (verdict.authority, verdict.missing),
        (Authority::Full, Vec::new())
    );
    assert_eq!(verdict.blind, None);
}

#[test]
fn findings_that_stayed_are_counted_and_mended_ones_are_not() {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    let broken = finding("duel-grounds", Severity::Error, "objections[1]");
    debate.send_back(turn("r1.cha"), vec![broken.clone()]);
    debate.speak(turn("r1.cha"), scripted(turn("r1.cha")));
    let Some(Event::Admitted { findings, .. }) = debate.events.last_mut() else {
        panic!("the turn was admitted");
    };
    findings.extend([broken, finding("reply-unknown", Severity::Warning, "mood")]);
    for at in ["r2.pro", "r2.cha", "verdict.judge"] {
        debate.speak(turn(at), scripted(turn(at)));
    }
    debate.close(Outcome::Judged);
    let verdict = ruled(&debate);
    let counts = &verdict.findings;
    assert_eq!((counts.fatal, counts.error, counts.warning), (0, 1, 1));
    assert_eq!(
        verdict.rigor,
        "rules enforced by code: reply, attack, duel, verdict and repeat (duel/1), 1 reply sent back, \
         1 broken rule and 1 warning unresolved; 18 citations, not checked: no \
         repository was given (--context repo); unsupported to the end: pro_001c (by cha_001b, conceded)"
    );
    assert_eq!(verdict.authority, Authority::Full);
}

#[test]
fn rigor_says_who_is_near_to_whom() {
    let mut debate = Debate::open();
    let twin = seating("claude", "anthropic", Some("haiku"));
    debate.spec.seats.insert(Seat::Challenger, twin);
    debate.speak_until("r2.cha");
    debate.events.push(Event::Agreement { stop: false });
    let cause = Cause {
        code: CauseCode::LoggedOut,
        detail: String::new(),
    };
    debate.events.push(Event::TurnLost {
        turn: turn("verdict.judge"),
        cause,
        findings: Vec::new(),
    });
    debate.events.push(Event::Reseated {
        seat: Seat::JUDGE,
        seating: seating("claude", "anthropic", Some("opus")),
        cause: None,
    });
    debate.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    debate.close(Outcome::Judged);
    let state = debate.state();
    assert_eq!(
        verdict::cautions(&state),
        [
            "both sides are models of one tool, claude: opus proposed, haiku challenged",
            "both first answers agreed, so the challenger argued as devil's advocate",
            "gemini was the planned judge but did not rule (logged_out)",
            "the judge is the proposer's tool, claude, in a fresh session",
        ]
    );
    let rigor = verdict(&state).unwrap().rigor;
    assert!(
        rigor.ends_with("the judge is the proposer's tool, claude, in a fresh session"),
        "{rigor}"
    );
}

#[test]
fn a_judge_of_a_debaters_vendor_is_named() {
    let mut debate = Debate::open();
    let judge = seating("copilot", "openai", None);
    debate.spec.seats.insert(Seat::JUDGE, judge);
    debate.speak_until("verdict.judge");
    debate.close(Outcome::Judged);
    assert_eq!(
        verdict::cautions(&debate.state()),
        ["judge and challenger are both from OpenAI"]
    );
}

#[test]
fn a_seat_with_its_own_effort_says_so() {
    let mut debate = job_store();
    let challenger = debate.spec.seats.get_mut(&Seat::Challenger).unwrap();
    challenger.effort = Effort::High;
    let verdict = ruled(&debate);
    let efforts: Vec<_> = verdict.seats.values().map(|seat| seat.effort).collect();
    assert_eq!(
        (verdict.effort, efforts),
        (Effort::Medium, vec![None, Some(Effort::High), None])
    );
}

#[test]
fn people_in_two_seats_are_people_and_no_tool_that_sits_twice() {
    let mut debate = Debate::open();
    for seat in [Seat::Proposer, Seat::Challenger, Seat::JUDGE] {
        let person = Seating {
            transport: HUMAN.to_owned(),
            ..seating("human", "", None)
        };
        debate.spec.seats.insert(seat, person);
    }
    debate.speak_until("r2.cha");
    debate.speak(turn("verdict.judge"), scripted(turn("verdict.judge")));
    debate.close(Outcome::Judged);
    assert_eq!(
        verdict::cautions(&debate.state()),
        [
            "people argued both sides, possibly the same person",
            "the judge and the proposer are people, possibly the same person",
        ]
    );
}

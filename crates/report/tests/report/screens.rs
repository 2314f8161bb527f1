//! What a person sees.

use agon_record::event::{CauseCode, Event};
use agon_record::id::Seat;
use agon_record::moves::{Moves, ObjectionSeverity, Side};
use agon_record::spec::{Context, Repo};
use agon_record::state::State;
use agon_report::screen::{self, Detail, Line};
use agon_verdict::verdict::verdict;

use crate::debates::{
    FOLDER, agreed, answered_otherwise, flipped, panel, partial, shown, uncontested, with_findings,
};
use agon_samples::job_store::{Debate, cite_missing_places, job_store, scripted, seating, turn};

pub(crate) fn verdict_screen(state: &State, width: usize) -> Vec<Line> {
    screen::verdict_lines(state, &verdict(state).unwrap(), FOLDER, width)
}

pub(crate) fn full_verdict_screen(state: &State, width: usize) -> Vec<Line> {
    screen::full_verdict_lines(state, &verdict(state).unwrap(), FOLDER, width)
}

pub(crate) fn live(state: &State, detail: Detail, width: usize) -> String {
    let mut lines = screen::header_lines(state, FOLDER, Some("about 6–9 min"), width);
    lines.extend(screen::stop_help_lines(state, width));
    lines.extend(screen::first_answer_lines(state, detail, width));
    for &id in state.turns.keys() {
        lines.extend(screen::turn_lines(state, id, detail, width));
    }
    shown(&lines)
}

#[test]
fn a_verdict_on_a_screen() {
    let state = job_store().state();
    insta::assert_snapshot!("verdict_110", shown(&verdict_screen(&state, 110)));
    insta::assert_snapshot!("verdict_60", shown(&verdict_screen(&state, 60)));
    insta::assert_snapshot!("verdict_full_110", shown(&full_verdict_screen(&state, 110)));
    insta::assert_snapshot!("verdict_full_60", shown(&full_verdict_screen(&state, 60)));
}

#[test]
fn a_verdict_of_lesser_authority_on_a_screen() {
    for (name, debate) in [
        ("partial", partial()),
        ("uncontested", uncontested()),
        ("agreed", agreed()),
        ("flipped", flipped()),
        ("panel", panel()),
    ] {
        let state = debate.state();
        let lines = verdict_screen(&state, 110);
        insta::assert_snapshot!(format!("verdict_{name}"), shown(&lines));
        let full = full_verdict_screen(&state, 110);
        insta::assert_snapshot!(format!("verdict_full_{name}"), shown(&full));
    }
}

#[test]
fn a_second_answer_for_the_same_side_is_on_the_screen() {
    let head = "━━ Use SQLite for the job store\n   the proposer (claude) wins · same winner with the \
                sides swapped, but a different answer\n";
    let text = shown(&verdict_screen(&answered_otherwise().state(), 110));
    assert!(text.starts_with(head), "{text}");
    let text = shown(&full_verdict_screen(&answered_otherwise().state(), 110));
    assert!(text.starts_with(head), "{text}");
    let other = "Judges        gemini for claude; same winner with the sides swapped and the names hidden, but then it answered\n              \"Use SQLite, but only for the index\"\n";
    assert!(text.contains(other), "{text}");
}

#[test]
fn a_judge_that_is_not_the_planned_one_is_on_the_screen() {
    let head = |debate: &Debate| verdict_screen(&debate.state(), 200)[1].to_string();
    assert!(head(&job_store()).ends_with("same ruling with the sides swapped"));
    let mut debate = job_store();
    let judge = seating("codex", "openai", None);
    debate.spec.seats.insert(Seat::JUDGE, judge);
    let head = head(&debate);
    assert!(
        head.ends_with(" · judged by the challenger's tool"),
        "{head}"
    );
}

#[test]
fn a_judge_of_another_vendor_than_both_sides_is_told_by_how_many_there_are() {
    let header = |debate: &Debate| {
        let lines = screen::header_lines(&debate.state(), FOLDER, None, 110);
        shown(&lines)
    };
    let mut debate = Debate::open();
    assert!(header(&debate).contains("judge gemini (third vendor)"));
    let other = seating("claude", "anthropic", Some("haiku"));
    debate.spec.seats.insert(Seat::Challenger, other);
    assert!(header(&debate).contains("judge gemini (another vendor)"));
}

#[test]
fn submodules_are_named_in_the_header_as_not_examined() {
    let header = |submodules: &[&str]| {
        let mut debate = Debate::open();
        debate.spec.context = Context::Repo(Repo {
            commit: None,
            changed: 0,
            files: 3,
            secrets: Vec::new(),
            debates: Vec::new(),
            left_out: Vec::new(),
            submodules: submodules.iter().map(|it| (*it).to_owned()).collect(),
        });
        shown(&screen::header_lines(&debate.state(), FOLDER, None, 110))
    };
    let two = header(&["lib/parser", "vendor/zlib"]);
    let said = "2 submodules, contents not examined: lib/parser, vendor/zlib\n";
    assert!(two.contains(said), "{two}");
    let many = header(&["a", "b", "c", "d", "e", "f"]);
    assert!(
        many.contains("6 submodules, contents not examined: a, b, c, d, e, …"),
        "{many}"
    );
    assert!(!header(&[]).contains("submodule"));
}

#[test]
fn findings_that_stayed_are_on_the_screen() {
    let text = shown(&full_verdict_screen(&with_findings().state(), 110));
    let rules = "Rules         1 error unresolved · agon check job-store\n";
    assert!(text.contains(rules), "{text}");
    let text = shown(&verdict_screen(&with_findings().state(), 200));
    assert!(
        text.contains("1 broken rule: agon check job-store\n"),
        "{text}"
    );
}

#[test]
fn a_short_verdict_names_wrong_citations_and_the_decisive_points_first() {
    let mut state = job_store().state();
    cite_missing_places(&mut state, "r1.pro", 2);
    cite_missing_places(&mut state, "r1.pro", 0);
    let text = shown(&verdict_screen(&state, 200));
    let row = " citations are missing, in pro_001a (decisive) and pro_001c: agon evidence ";
    assert!(text.contains("\nEvidence  3 of "), "{text}");
    assert!(text.contains(row), "{text}");
    assert!(!text.contains("hangs on"), "{text}");
    // The answer that `agon wait` prints has no such row, so its headline names the point.
    let answer = shown(&screen::answer_lines(&state, 200));
    let told = " · hangs on pro_001a (cites a missing place) · 3 of ";
    assert!(answer.contains(told), "{answer}");
}

#[test]
fn a_short_verdict_names_serious_objections_without_an_answer() {
    let with = |severity| {
        let mut debate = job_store();
        for event in &mut debate.events {
            if let Event::Admitted { moves, .. } = event
                && let Moves::FollowUp(last) = &mut **moves
            {
                last.objections[0].severity = severity;
            }
        }
        shown(&verdict_screen(&debate.state(), 200))
    };
    let open = with(ObjectionSeverity::Major);
    assert!(
        open.contains("\nOpen      cha_002d (major) got no answer: "),
        "{open}"
    );
    let minor = with(ObjectionSeverity::Minor);
    assert!(!minor.contains("\nOpen"), "{minor}");
}

#[test]
fn a_short_verdict_says_that_the_graph_favours_the_other_side() {
    let mut debate = job_store();
    for event in &mut debate.events {
        if let Event::Admitted { moves, .. } = event
            && let Moves::Verdict(ruling) = &mut **moves
        {
            ruling.winner = Side::Challenger;
        }
    }
    let text = shown(&verdict_screen(&debate.state(), 200));
    let head = "\n   the challenger (codex) wins · same ruling with the sides swapped · but all \
                arguments weighed together favor the proposer (claude)\n";
    assert!(text.contains(head), "{text}");
}

#[test]
fn a_turn_in_short_has_claims_and_stamps_and_no_grounds() {
    let mut state = job_store().state();
    cite_missing_places(&mut state, "r1.pro", 0);
    let lines = |detail| shown(&screen::turn_lines(&state, turn("r1.pro"), detail, 110));
    let short = lines(Detail::Claims);
    let claim = "\n  pro_001a  Claim and lease are two steps  [";
    assert!(short.contains(claim), "{short}");
    assert!(short.contains(" missing]\n"), "{short}");
    for part in ["warrant: ", "  · ", "cites a missing place"] {
        assert!(!short.contains(part), "{part}: {short}");
        assert!(lines(Detail::Whole).contains(part), "{part}");
    }
    let challenge = shown(&screen::turn_lines(
        &state,
        turn("r1.cha"),
        Detail::Claims,
        110,
    ));
    let first = "  cha_001b on pro_001c  major  rusqlite is not a dependency. …\n";
    assert!(challenge.contains(first), "{challenge}");
}

#[test]
fn a_duel_as_it_goes() {
    let state = with_findings().state();
    insta::assert_snapshot!("duel_110", live(&state, Detail::Claims, 110));
    insta::assert_snapshot!("duel_60", live(&state, Detail::Claims, 60));
    insta::assert_snapshot!("duel_whole_110", live(&state, Detail::Whole, 110));
    insta::assert_snapshot!("duel_whole_60", live(&state, Detail::Whole, 60));
}

#[test]
fn the_first_judges_line_waits_for_the_swap_and_tells_of_both() {
    let line = |debate: &Debate| {
        let lines = screen::turn_lines(&debate.state(), turn("verdict.judge"), Detail::Whole, 110);
        shown(&lines)
    };
    let mut debate = Debate::open();
    debate.speak_until("verdict.judge");
    assert_eq!(line(&debate), "");
    debate.lose(turn("verdict.swap"), CauseCode::Timeout);
    assert_eq!(
        line(&debate),
        "judge     gemini  0:48  the proposer (claude) wins; no ruling with the sides swapped: no reply in time\n"
    );
    assert_eq!(
        line(&flipped()),
        "judge     gemini  0:48  the proposer (claude) wins; with the sides swapped, the challenger (codex) wins\n"
    );
    debate = Debate::open();
    debate.spec.kind.as_duel_mut().unwrap().swap = false;
    debate.speak_until("verdict.judge");
    assert_eq!(
        line(&debate),
        "judge     gemini  0:48  the proposer (claude) wins\n"
    );
    let state = panel().state();
    let second = screen::turn_lines(&state, turn("verdict.judge-2"), Detail::Whole, 110);
    let second = shown(&second);
    let ruling = "judge-2   copilot 0:09  the challenger (codex) wins\n  Answer        Use SQLite for the job store\n";
    assert!(second.starts_with(ruling), "{second}");
    assert!(
        second.contains("\n  Still open    What does bundled SQLite"),
        "{second}"
    );
    assert_eq!(
        screen::turn_lines(&state, turn("verdict.swap"), Detail::Whole, 110),
        []
    );
}

#[test]
fn a_lost_turn_as_it_goes() {
    let mut debate = Debate::open();
    let judge = seating("claude", "anthropic", Some("haiku"));
    debate.spec.seats.insert(Seat::JUDGE, judge);
    debate.spec.context = Context::File {
        path: "src/store.rs".to_owned(),
        text: String::new(),
    };
    debate.lose(turn("r0.pro"), CauseCode::Timeout);
    debate.speak(turn("r0.cha"), scripted(turn("r0.cha")));
    debate.speak(turn("r1.pro"), scripted(turn("r1.pro")));
    debate.lose(turn("r1.cha"), CauseCode::Empty);
    insta::assert_snapshot!(live(&debate.state(), Detail::Claims, 110));
}

#[test]
fn a_turn_that_has_not_ended_has_no_lines() {
    let mut debate = Debate::open();
    debate.speak_until("r0.pro");
    debate.send_back(turn("r0.cha"), Vec::new());
    debate.send_back(turn("r1.pro"), Vec::new());
    let state = debate.state();
    assert_eq!(screen::first_answer_lines(&state, Detail::Whole, 110), []);
    assert_eq!(
        screen::turn_lines(&state, turn("r1.pro"), Detail::Whole, 110),
        []
    );
    assert_eq!(
        screen::turn_lines(&state, turn("r1.cha"), Detail::Whole, 110),
        []
    );
}

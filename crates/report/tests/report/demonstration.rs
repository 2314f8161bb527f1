//! What a person sees of the built-in model's debate with itself.

use agon_interview::read_options;
use agon_record::event::{CauseCode, Outcome};
use agon_record::spec::LOCAL;
use agon_record::state::State;
use agon_report::screen::{self, Detail, LiveLines};
use agon_samples::job_store::{Debate, job_store, turn};
use agon_verdict::verdict::verdict;

use crate::debates::{FOLDER, shown};
use crate::screens::verdict_screen;

/// The debate with the built-in model in every seat.
fn played_by_the_built_in_model(mut debate: Debate) -> State {
    for seating in debate.spec.seats.values_mut() {
        seating.tool = LOCAL.parse().unwrap();
        seating.transport = LOCAL.to_owned();
        seating.model = Some("smollm2-135m".to_owned());
    }
    if let Some(duel) = debate.spec.kind.as_duel_mut() {
        duel.options = read_options("SQLite or plain files for the job store?").ok();
    }
    debate.state()
}

/// The debate in which the challenger gave nothing usable.
fn one_sided() -> State {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    debate.lose(turn("r1.cha"), CauseCode::Unreadable);
    debate.close(Outcome::Uncontested);
    played_by_the_built_in_model(debate)
}

#[test]
fn its_verdict_is_headed_as_a_demonstration_and_has_at_most_eight_lines() {
    let state = played_by_the_built_in_model(job_store());
    let mut found = verdict(&state).unwrap();
    found.why = Some("It's faster and more reliable than plain files".to_owned());
    for width in [80, 120] {
        let lines = screen::verdict_lines(&state, &found, FOLDER, width);
        let text = shown(&lines);
        assert!(
            text.starts_with("━━ A demonstration by a 135M model: do not rely on it ━━"),
            "{text}"
        );
        assert!(lines.len() <= 8, "{width}: {text}");
        for row in [
            "unstable",
            "Hangs on",
            "Judge",
            "Citations",
            "Cost",
            "Support",
        ] {
            assert!(!text.contains(row), "{row}: {text}");
        }
        assert!(
            text.contains("Log in to an AI tool (`agon tools`), then run"),
            "{text}"
        );
    }
    let screen = screen::verdict_lines(&state, &found, FOLDER, 80);
    insta::assert_snapshot!("demonstration_80", shown(&screen));
}

#[test]
fn a_long_question_and_reason_leave_eight_lines() {
    let mut state = played_by_the_built_in_model(job_store());
    state.spec.topic = "SQLite or plain files for the job store? ".repeat(6);
    let mut found = verdict(&state).unwrap();
    found.why = Some("SQLite is fast and reads many files. ".repeat(6));
    let lines = screen::verdict_lines(&state, &found, FOLDER, 80);
    assert!(lines.len() <= 8, "{}", shown(&lines));
}

#[test]
fn a_reason_that_was_left_out_is_said_to_be_missing() {
    let state = played_by_the_built_in_model(job_store());
    let mut found = verdict(&state).unwrap();
    found.why = None;
    let text = shown(&screen::verdict_lines(&state, &found, FOLDER, 80));
    let missing = "Answer    none: the model chose \"Use SQLite for the job store\" without a usable\n          reason\n";
    assert!(text.contains(missing) && !text.contains("\nWhy"), "{text}");
    let text = shown(&verdict_screen(&one_sided(), 80));
    let missing = "Answer    none: the model gave no usable reason for \"plain files\"\n";
    assert!(text.contains(missing) && !text.contains("\nWhy"), "{text}");
}

#[test]
fn while_it_runs_each_side_has_its_option_and_its_sentences() {
    let state = played_by_the_built_in_model(job_store());
    let mut lines = screen::header_lines(&state, FOLDER, None, 80);
    lines.extend(screen::key_help_lines(&state, 80));
    lines.extend(screen::stop_help_lines(&state, 80));
    lines.extend(LiveLines::new(80, Detail::Claims).lines_for_ended_turns(&state));
    insta::assert_snapshot!("demonstration_live_80", shown(&lines));
}

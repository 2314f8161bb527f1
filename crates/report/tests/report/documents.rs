//! The files of a debate's folder, and the state file for hosts.

use agon_record::event::{Cap, Event, Halt};
use agon_report::{html, last_debate_json, render_documents, transcript_md, verdict_md};
use agon_verdict::verdict::verdict;
use serde_json::Value;

use crate::debates::{agreed, flipped, panel, partial, uncontested, with_findings};
use agon_samples::job_store::{Debate, job_store};

const NOW: &str = "2026-11-21T20:00:00Z";

#[test]
fn a_transcript_has_both_sides_in_prose() {
    insta::assert_snapshot!(transcript_md(&with_findings().state()));
}

#[test]
fn a_turn_names_the_model_that_answered_it() {
    let mut debate = job_store();
    for event in &mut debate.events {
        if let Event::Given(given) = event
            && given.key.to_string() == "r1.cha#0"
        {
            given.model = Some("gpt-9-other".to_owned());
        }
    }
    let state = debate.state();
    let text = transcript_md(&state);
    for head in ["codex gpt-9-other (r1.cha", "codex gpt-5.5 (r2.cha"] {
        assert!(text.contains(&format!("### Challenger: {head}")), "{text}");
    }
    assert!(html(&state, verdict(&state).as_ref(), None).contains("codex gpt-9-other</span>"));
}

#[test]
fn a_transcript_marks_what_was_lost() {
    let mut debate = uncontested();
    debate.events.pop();
    debate.events.push(Event::Capped { cap: Cap::Time });
    debate.events.push(Event::Halted {
        reason: Halt::Capped { cap: Cap::Time },
    });
    let text = transcript_md(&debate.state());
    let (_, end) = text
        .split_once("### Challenger: codex gpt-5.5 (r1.cha)")
        .unwrap();
    assert_eq!(
        end,
        "\n\n**This turn was lost: timeout** (no reply within 240 s).\n\n\
         ## Remarks\n\n\
         - The bound on time was reached, so no more turns were asked for.\n\
         - The debate stands still: the bound on time was reached.\n"
    );
}

#[test]
fn a_transcript_marks_a_defense_that_nobody_answered() {
    let marked = |debate: &Debate| {
        let text = transcript_md(&debate.state());
        text.contains("The defense in this round stands unanswered.")
    };
    assert_eq!([marked(&partial()), marked(&uncontested())], [true, false]);
}

#[test]
fn a_verdict_for_people() {
    for (name, debate) in [
        ("judged", job_store()),
        ("partial", partial()),
        ("uncontested", uncontested()),
        ("flipped", flipped()),
        ("panel", panel()),
        ("agreed", agreed()),
    ] {
        let state = debate.state();
        let text = verdict_md(&state, &verdict(&state).unwrap());
        insta::assert_snapshot!(format!("verdict_md_{name}"), text);
    }
}

#[test]
fn a_debate_has_its_documents_when_there_is_something_to_say() {
    let paths = |debate: &Debate| -> Vec<String> {
        let documents = {
            let state = debate.state();
            render_documents(&state, verdict(&state).as_ref()).into_iter()
        };
        documents.map(|(path, _)| path).collect()
    };
    assert_eq!(paths(&Debate::open()), ["transcript.md"]);
    assert_eq!(paths(&job_store()), ["transcript.md", "verdict.md"]);
}

#[test]
fn every_document_is_text_that_ends_its_last_line() {
    for debate in [
        job_store(),
        partial(),
        uncontested(),
        agreed(),
        with_findings(),
    ] {
        let state = debate.state();
        for (path, bytes) in render_documents(&state, verdict(&state).as_ref()) {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path}");
            assert!(
                !text.contains("the reply as it came"),
                "{path} has a raw reply"
            );
            assert!(!text.contains("\n\n\n"), "{path} has two empty lines");
        }
    }
}

#[test]
fn a_host_reads_the_last_debate() {
    let bytes = last_debate_json(&job_store().state(), NOW);
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap());
}

#[test]
fn a_host_reads_how_a_debate_stands() {
    let status = |debate: &Debate| -> Value {
        let bytes = last_debate_json(&debate.state(), NOW);
        serde_json::from_slice::<Value>(&bytes).unwrap()["status"].take()
    };
    let mut debate = Debate::open();
    assert_eq!(status(&debate), "running");
    debate.events.push(Event::Halted {
        reason: Halt::NoTurns,
    });
    assert_eq!(status(&debate), "failed");
    assert_eq!(status(&agreed()), "completed");
}

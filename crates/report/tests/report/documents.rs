//! The files of a debate's folder, and the state file for hosts.

use agon_record::event::{Cap, Event, Halt};
use agon_record::id::Seat;
use agon_record::spec::Seating;
use agon_record::state::State;
use agon_report::markdown::link_points;
use agon_report::screen::full_verdict_lines;
use agon_report::{
    decision_record_md, html, last_debate_json, pull_request_md, readme_md, render_documents,
    transcript_md, verdict_md,
};
use agon_verdict::result::result_document;
use agon_verdict::verdict::verdict;
use serde_json::Value;

use crate::debates::{agreed, flipped, panel, partial, uncontested, with_findings};
use agon_samples::job_store::{Debate, cite_missing_places, job_store, seating};

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
         - The limit on time was reached, so the remaining turns were skipped.\n\
         - The debate is halted: the limit on time was reached.\n"
    );
}

#[test]
fn a_transcript_marks_a_defense_that_nobody_answered() {
    let marked = |debate: &Debate| {
        let text = transcript_md(&debate.state());
        text.contains("The defense in this round got no answer.")
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
fn a_verdict_begins_with_its_answer_and_says_it_once() {
    let state = job_store().state();
    let verdict = verdict(&state).unwrap();
    let text = verdict_md(&state, &verdict);
    let answer = verdict.answer.as_deref().unwrap();
    let headings: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("## "))
        .collect();
    assert_eq!(headings.first(), Some(&"## Answer"));
    assert_eq!(headings.last(), Some(&"## About this debate"));
    assert_eq!(
        text.matches(&agon_report::markdown::escape_inline(answer))
            .count(),
        1
    );
}

#[test]
fn every_document_has_the_headline_and_every_wrong_citation() {
    let mut state = job_store().state();
    cite_missing_places(&mut state, "r1.pro", 0);
    let verdict = verdict(&state).unwrap();
    let page = html(&state, Some(&verdict), None);
    let screen = full_verdict_lines(&state, &verdict, "x", 110);
    let screen: Vec<_> = screen.iter().map(ToString::to_string).collect();
    let result = result_document(&state, Some(&verdict), "x");
    assert_eq!(result.citations_wrong, ["pro_001a".parse().unwrap()]);
    for (name, text) in [
        ("verdict.md", verdict_md(&state, &verdict)),
        ("README.md", readme_md(&state, Some(&verdict), None)),
        ("pr", pull_request_md(&state, &verdict)),
        ("adr", decision_record_md(&state, &verdict, "2026-11-25")),
        (
            "screen",
            screen
                .join(" ")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
        ),
        ("verdict.json", serde_json::to_string(&verdict).unwrap()),
    ] {
        assert!(text.contains(" missing (pro_001a)"), "{name}: {text}");
        let named = "pro_001a (cites a missing place)";
        assert!(text.contains(named), "{name}: {text}");
        for part in verdict.headline.split(" · ") {
            assert!(text.contains(part), "{name}: {part}");
        }
    }
    let link = " missing (<a class=\"id for\" href=\"#pro_001a\" title=\"cites a missing place\">\
                pro_001a<span class=\"amiss\" aria-label=\" (cites a missing place)\">✗</span></a>)";
    assert!(page.contains(link));
    assert!(page.contains("Same ruling with the sides swapped · hangs on <a"));
    assert_eq!(result.headline, Some(verdict.headline));
}

#[test]
fn a_point_that_cites_a_missing_place_is_marked_wherever_it_is_named_and_starts_weaker() {
    let mut state = job_store().state();
    cite_missing_places(&mut state, "r1.pro", 0);
    let verdict = verdict(&state).unwrap();
    let linked = link_points(&state, "see pro_001a and pro_001b.");
    let expected = "see [pro_001a ✗](arguments/pro_001a.md \"cites a missing place\") and \
                    [pro_001b](arguments/pro_001b.md).";
    assert_eq!(linked, expected);
    let transcript = transcript_md(&state);
    assert!(transcript.contains("**pro_001a (cites a missing place): "));
    assert!(transcript.contains("**pro_001b: "));
    let text = verdict_md(&state, &verdict);
    for line in [
        "- pro_001a (cites a missing place): ",
        "\n- points with a wrong or missing citation start at 0.5 of their strength: pro_001a\n",
        "\n- support: 1 of the proposer's",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("cite nothing"), "{text}");
    let drawn = agon_report::graph::mermaid(&agon_report::debate_drawing(&state));
    assert_eq!(drawn.matches("cites a missing place").count(), 1);
    let page = html(&state, Some(&verdict), None);
    let weaker = "which is <span class=\"number\">0.5</span> of what it would be";
    assert_eq!(page.matches(weaker).count(), 1);
    let lines = agon_report::screen::whole_point_lines(&state, "pro_001a".parse().unwrap(), 100);
    let head = lines.unwrap()[0].to_string();
    assert!(
        head.starts_with("pro_001a  (cites a missing place)  "),
        "{head}"
    );
}

#[test]
fn points_that_a_document_names_are_links_to_their_files() {
    let state = job_store().state();
    for (text, linked) in [
        ("see pro_001a.", "see [pro_001a](arguments/pro_001a.md)."),
        ("(cha_009z)", "(cha_009z)"),
        (
            "`agon show x pro_001a` pro_001a",
            "`agon show x pro_001a` [pro_001a](arguments/pro_001a.md)",
        ),
        ("arguments/pro_001a.md", "arguments/pro_001a.md"),
        ("\\`pro_001a\\`", "\\`[pro_001a](arguments/pro_001a.md)\\`"),
    ] {
        assert_eq!(link_points(&state, text), linked);
    }
    let documents = render_documents(&state, verdict(&state).as_ref());
    for (path, bytes) in documents {
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("[pro_001a](arguments/pro_001a.md)"), "{path}");
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
    assert_eq!(status(&debate), "stopped");
    let person = Seating {
        transport: "human".to_owned(),
        ..seating("human", "", None)
    };
    debate.spec.seats.insert(Seat::Proposer, person.clone());
    debate.spec.seats.insert(Seat::Challenger, person);
    assert_eq!(status(&debate), "waiting_for_person");
    debate.events.push(Event::Halted {
        reason: Halt::NoTurns,
    });
    assert_eq!(status(&debate), "failed");
    assert_eq!(status(&agreed()), "completed");
}

#[test]
fn a_host_knows_a_debate_by_one_name_and_the_models_that_answered() {
    let mut debate = job_store();
    for seating in debate.spec.seats.values_mut() {
        seating.model = None;
    }
    for event in &mut debate.events {
        if let Event::Given(given) = event
            && given.key.turn.seat == Seat::Challenger
        {
            given.model = Some("gpt-9".to_owned());
        }
    }
    let read = |now: &str| -> Value {
        serde_json::from_slice(&last_debate_json(&debate.state(), now)).unwrap()
    };
    let (first, later) = (read(NOW), read("2027-01-01T00:00:00Z"));
    assert_eq!(first["id"], later["id"]);
    assert_ne!(first["timestamp"], later["timestamp"]);
    assert_eq!(first["challenger"]["model"], "gpt-9");
}

#[test]
fn a_record_of_any_form_decides_nothing_if_one_side_was_not_heard_and_names_the_debate() {
    use agon_report::{RecordForm, decision_record_in_form};
    let forms = [
        RecordForm::Agon,
        RecordForm::Nygard,
        RecordForm::Madr,
        RecordForm::MadrList,
    ];
    for form in forms {
        let record = |state: &State| {
            let found = verdict(state).unwrap();
            decision_record_in_form(state, &found, "2026-11-25", form, None)
        };
        let (heard, alone) = (record(&job_store().state()), record(&uncontested().state()));
        assert!(!heard.contains("No decision"), "{form:?}: {heard}");
        assert!(alone.contains("No decision"), "{form:?}: {alone}");
        for text in [heard, alone] {
            let named = text.contains("debate job-store") && text.contains("Citations: ");
            assert!(named, "{form:?}: {text}");
        }
    }
}

#[test]
fn an_answer_that_is_a_sentence_gets_no_second_full_stop() {
    use agon_report::{RecordForm, decision_record_in_form};
    let state = job_store().state();
    for answer in ["Use SQLite", "Use SQLite."] {
        let mut found = verdict(&state).unwrap();
        found.answer = Some(answer.to_owned());
        let text = decision_record_in_form(&state, &found, "2026-11-25", RecordForm::Madr, None);
        assert!(
            text.contains("\nChosen: Use SQLite. With two writers"),
            "{text}"
        );
    }
}

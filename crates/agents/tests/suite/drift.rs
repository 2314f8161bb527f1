//! Recordings of what tools print: what they show of the version they were made with, and how
//! another output is told from them.
#![expect(clippy::unwrap_used, reason = "tests")]

use agon_agents::dialect::{self, Dialect, RawOutput};
use agon_agents::drift::{Recording, builtin_recording};
use agon_agents::{Profile, Profiles};

const SAID: &str = "Seven otters crossed the quiet harbour before the rain began.";

fn each(check: impl Fn(&Profile, &str, &dyn Dialect)) {
    for profile in Profiles::builtin().unwrap().iter() {
        let Some(cli) = &profile.cli else { continue };
        let text = builtin_recording(profile.name.as_str()).unwrap();
        check(profile, text, dialect::find_dialect(&cli.dialect).unwrap());
    }
}

fn drift(before: &str, now: &str, dialect: &dyn Dialect) -> Vec<String> {
    let [before, now] = [before, now].map(|text| Recording::parse(text).unwrap());
    let compared = now.compare_to(&before, dialect);
    compared.drift.iter().map(ToString::to_string).collect()
}

#[test]
fn every_profile_says_what_it_was_measured_with_and_how_to_look_again() {
    each(|profile, text, dialect| {
        let name = profile.name.as_str();
        assert!(
            profile.measured.is_some() && profile.confined.is_some(),
            "{name}"
        );
        assert!(!profile.probe.as_ref().unwrap().help.is_empty(), "{name}");
        let recording = Recording::parse(text).unwrap();
        assert_eq!(recording.text(), text, "{name}");
        assert!(
            !text.contains("127.0.0.1") && !text.contains("/tmp"),
            "{name}"
        );
        let output = RawOutput {
            stdout: text.as_bytes(),
            stderr_tail: b"",
            code: Some(0),
        };
        assert_eq!(dialect.read(&output).unwrap().text, SAID, "{name}");
        assert_eq!(drift(text, text, dialect), Vec::<String>::new(), "{name}");
    });
}

#[test]
fn what_is_read_and_is_renamed_is_named_both_ways() {
    for (tool, from, to, said) in [
        (
            "claude",
            "\"result\":\"Seven",
            "\"reply\":\"Seven",
            "field `result` of event `result`",
        ),
        (
            "claude",
            "\"output_tokens\"",
            "\"written\"",
            "field `usage.output_tokens` of event `result`",
        ),
        (
            "codex",
            "\"thread_id\"",
            "\"thread\"",
            "field `thread_id` of event `thread.started`",
        ),
        (
            "codex",
            "\"text\"",
            "\"content\"",
            "field `item.text` of event `item.completed/agent_message`",
        ),
        ("gemini", "\"response\"", "\"answer\"", "field `response`"),
        (
            "gemini",
            "\"candidates\"",
            "\"written\"",
            "field `stats.models.probe.tokens.candidates`",
        ),
        (
            "opencode",
            "\"reason\"",
            "\"why\"",
            "field `part.reason` of event `step_finish/step-finish`",
        ),
        (
            "copilot",
            "\"content\":\"Seven",
            "\"text\":\"Seven",
            "field `data.content` of event `assistant.message`",
        ),
        (
            "copilot",
            "\"modelMetrics\"",
            "\"metrics\"",
            "field `usage_file.modelMetrics.probe.usage.inputTokens` of event `usage_file`",
        ),
    ] {
        let text = builtin_recording(tool).unwrap();
        let dialect = dialect::find_dialect(tool).unwrap();
        let renamed = text.replace(from, to);
        assert_ne!(renamed, text, "{tool}: {from}");
        let gone = drift(text, &renamed, dialect);
        let line = format!("{said} is gone");
        assert!(
            gone.iter().any(|drift| drift.starts_with(&line)),
            "{tool}: {gone:?}"
        );
        let new = drift(&renamed, text, dialect);
        let line = format!("{said} is not in the recording");
        assert!(
            new.iter().any(|drift| drift.starts_with(&line)),
            "{tool}: {new:?}"
        );
    }
}

#[test]
fn what_is_of_another_type_is_named_and_what_nobody_reads_is_counted() {
    let text = builtin_recording("codex").unwrap();
    let dialect = dialect::find_dialect("codex").unwrap();
    let typed = text.replace("\"cached_input_tokens\":1", "\"cached_input_tokens\":\"1\"");
    assert_eq!(
        drift(text, &typed, dialect)[0],
        "field `usage.cached_input_tokens` of event `turn.completed` is a string now, and was a number"
    );
    let other = text.replace("\"reasoning_output_tokens\"", "\"thought\"");
    let [before, now] = [text, &other].map(|text| Recording::parse(text).unwrap());
    let compared = now.compare_to(&before, dialect);
    assert_eq!(
        (compared.drift.len(), compared.other.len()),
        (0, 2),
        "{compared:?}"
    );
}

#[test]
fn an_event_that_is_gone_is_named_and_one_that_is_new_is_not_in_the_way() {
    each(|profile, text, dialect| {
        let lines: Vec<_> = text.lines().collect();
        for at in 0..lines.len() {
            let line = lines[at];
            let others = || lines.iter().copied().filter(|other| *other != line);
            let fewer: String = others().map(|line| format!("{line}\n")).collect();
            let [all, less] = [text, &fewer].map(|text| Recording::parse(text).unwrap());
            let gone = less.compare_to(&all, dialect).drift;
            let same_kind = lines.len() - others().count() > 1 || line.contains("\"session.info\"");
            assert!(same_kind || !gone.is_empty(), "{}: {line}", profile.name);
        }
        let more = format!("{text}{{\"type\":\"weather\",\"sky\":\"clear\"}}\n");
        if profile.name.as_str() != "gemini" {
            assert_eq!(
                drift(text, &more, dialect),
                Vec::<String>::new(),
                "{}",
                profile.name
            );
        }
    });
}

#[test]
fn a_text_that_is_no_recording_is_refused_with_its_line() {
    assert_eq!(
        Recording::parse("{}\n\n[1]\n").unwrap_err().to_string(),
        "line 3 is no JSON object"
    );
    assert!(Recording::parse("").unwrap().is_empty());
}

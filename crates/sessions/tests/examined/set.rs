//! Written findings over written sessions: which of them the verifier keeps.

use std::collections::BTreeMap;

use agon_sessions::{
    CondensedSession, DropReason, Entry, ProposedEvidence, ProposedFinding, WrittenSession,
};
use serde_json::Value;

const SESSIONS: &str = include_str!("../fixtures/written/examiner/sessions.jsonl");
const FINDINGS: &str = include_str!("../fixtures/written/examiner/findings.jsonl");

/// The entries of a session, and the entry of each event.
struct Written {
    entries: Vec<Entry>,
}

impl Written {
    /// The line of an event: entries have their event as their location, from 1.
    fn line(&self, condensed: &CondensedSession<'_>, event: u64) -> u32 {
        let place = format!("line {}", event + 1);
        let entry = self
            .entries
            .iter()
            .find(|it| it.location.to_string() == place);
        let line = entry.and_then(|it| condensed.line_of_entry(it.index));
        line.unwrap_or(u32::MAX)
    }
}

fn sessions() -> BTreeMap<String, Written> {
    let lines = SESSIONS.lines().filter(|it| !it.is_empty());
    let read = lines.map(|line| {
        let session = WrittenSession::read(line).unwrap();
        let entries = session.entries().unwrap();
        (session.name, Written { entries })
    });
    read.collect()
}

fn proposed(finding: &Value, line: impl Fn(u64) -> u32) -> Option<ProposedFinding> {
    let evidence = finding["evidence"].as_array()?.iter().map(|it| {
        Some(ProposedEvidence {
            line: line(it["event"].as_u64()?),
            role: serde_json::from_value(it["role"].clone()).ok()?,
            quote: it["quote"].as_str()?.to_owned(),
        })
    });
    Some(ProposedFinding {
        pattern: serde_json::from_value(finding["pattern"].clone()).ok()?,
        evidence: evidence.collect::<Option<_>>()?,
        subject: finding["subject"].as_str()?.to_owned(),
        why: finding["why"].as_str().unwrap_or_default().to_owned(),
        cure: String::new(),
    })
}

#[test]
fn true_findings_are_kept_and_false_ones_are_dropped() {
    let sessions = sessions();
    // Per truth and pattern: kept, and all.
    let mut counts: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
    for line in FINDINGS.lines().filter(|it| !it.is_empty()) {
        let finding: Value = serde_json::from_str(line).unwrap();
        let word = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        let written = &sessions[&word("session")];
        let condensed = CondensedSession::of(&written.entries);
        let verdict = match proposed(&finding, |event| written.line(&condensed, event)) {
            Some(proposed) => condensed.verify(&proposed).map(|_| ()),
            None => Err(DropReason::Unreadable),
        };
        let truth = word("truth");
        if (truth == "true") != verdict.is_ok() {
            eprintln!(
                "MISS {truth} {} {}: {:?} subject {:?} {} NOTE {}",
                word("pattern"),
                word("session"),
                verdict.err(),
                word("subject"),
                finding["evidence"],
                word("note"),
            );
        }
        for pattern in [word("pattern"), "all".to_owned()] {
            let count = counts.entry((truth.clone(), pattern)).or_default();
            count.0 += usize::from(verdict.is_ok());
            count.1 += 1;
        }
    }
    for ((truth, pattern), (kept, all)) in &counts {
        eprintln!("{truth:16} {pattern:20} {kept:3} of {all:3} kept");
    }
    let kept = |truth: &str| counts[&(truth.to_owned(), "all".to_owned())].0;
    assert_eq!(kept("invented"), 0);
    assert_eq!(kept("half"), 0);
    // Floors: what was reached after the misses of this set were read.
    let count = |truth: &str| format!("{} {truth} findings are kept", kept(truth));
    assert!(
        kept("false-conclusion") <= 2,
        "{}",
        count("false-conclusion")
    );
    assert!(kept("true") >= 119, "{}", count("true"));
}

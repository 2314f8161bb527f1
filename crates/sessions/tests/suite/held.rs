//! What is asked of every home in which sessions were held.

use std::path::Path;

use agon_sessions::{
    Entry, EntryKind, Measures, Origin, RecordProblem, SessionHost, SessionPlaces, SessionRef,
    Tokens, find_sessions, open_session,
};

/// One session, read whole.
pub(crate) struct Read {
    pub(crate) found: SessionRef,
    pub(crate) entries: Vec<Entry>,
    pub(crate) measures: Measures,
    pub(crate) problems: Vec<RecordProblem>,
    pub(crate) plan: Vec<String>,
    pub(crate) origin: Origin,
}

impl Read {
    pub(crate) fn is_main(&self) -> bool {
        !matches!(self.found.origin, Origin::SubAgent { .. })
    }

    /// Model calls that are not copies, those of sub-agents in the same record and for summaries
    /// among them.
    pub(crate) fn calls(&self) -> Vec<Tokens> {
        let calls = self.entries.iter().filter(|it| !it.copied);
        let calls = calls.filter_map(|entry| match &entry.kind {
            EntryKind::Usage(usage) => Some(usage.tokens),
            _ => None,
        });
        calls.collect()
    }
}

/// Every session of a host, oldest first.
pub(crate) fn read_all(host: SessionHost, home: &Path) -> Vec<Read> {
    let places = SessionPlaces {
        home,
        variable: &|_| None,
    };
    let mut found = find_sessions(host, places, None);
    found.reverse();
    let mut read: Vec<Read> = found.into_iter().map(read_one).collect();
    // Files of a fixture all have the time of the checkout.
    read.sort_by_key(|it| {
        let first = it
            .entries
            .iter()
            .filter(|it| !it.copied)
            .find_map(|it| it.time);
        (first, it.found.id.clone())
    });
    read
}

pub(crate) fn read_one(found: SessionRef) -> Read {
    let mut reader = open_session(&found).expect("it is one of a tool");
    let mut measures = Measures::new();
    let mut entries = Vec::new();
    reader
        .read(&mut |entry| {
            measures.add(&entry);
            entries.push(entry);
        })
        .expect("it can be read");
    let plan = reader.plan();
    Read {
        origin: reader.session().origin.clone(),
        problems: reader.problems().to_vec(),
        plan: plan
            .iter()
            .map(|it| format!("{} {:?}", it.text.as_str(), it.state))
            .collect(),
        found,
        entries,
        measures,
    }
}

/// A session in lines, without what differs from run to run.
pub(crate) fn listing(read: &Read) -> String {
    let mut lines = vec![format!("{} {}", read.found.host, kind_of(&read.origin))];
    for entry in &read.entries {
        let agent = if entry.agent.is_some() { " agent" } else { "" };
        let copied = if entry.copied { " copied" } else { "" };
        lines.push(format!(
            "{} t{} c{}{agent}{copied} {}",
            entry.index,
            entry.turn,
            entry.call,
            describe(&entry.kind)
        ));
    }
    lines.extend(read.plan.iter().map(|it| format!("plan: {it}")));
    let problems = read.problems.iter();
    lines.extend(problems.map(|it| format!("problem: {:?} {:?} {}", it.kind, it.detail, it.count)));
    lines.join("\n")
}

fn kind_of(origin: &Origin) -> &'static str {
    match origin {
        Origin::New => "new",
        Origin::Fork { parent: Some(_) } => "fork, parent known",
        Origin::Fork { parent: None } => "fork",
        Origin::SubAgent { .. } => "sub-agent",
    }
}

fn start_of(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    line.chars().take(24).collect()
}

fn describe(kind: &EntryKind) -> String {
    match kind {
        EntryKind::Prompt(text) => format!("prompt {:?}", start_of(text.as_str())),
        EntryKind::Loaded(loaded) => format!("loaded {:?}", loaded.kind),
        EntryKind::Text(text) => format!("text {:?}", start_of(text.as_str())),
        EntryKind::Reasoning(text) => format!("reasoning {:?}", start_of(text.as_str())),
        EntryKind::Call(call) => {
            let argument = call.command().or(call.path()).unwrap_or_default();
            let argument = argument.rsplit('/').next().unwrap_or_default();
            format!("call {} {:?} {argument:?}", call.name, call.kind)
        }
        EntryKind::Result(result) => {
            let whole = if result.whole.is_some() {
                ", kept whole"
            } else {
                ""
            };
            match result.failure {
                None => format!("result{whole}"),
                Some(failure) => format!("result {failure:?}{whole}"),
            }
        }
        EntryKind::SubAgent(agent) => format!("sub-agent {:?} {:?}", agent.state, agent.name),
        EntryKind::Compaction(compaction) => format!(
            "compaction {:?}, summary {:?}, kept {:?}, counted {:?}",
            compaction.trigger,
            compaction.summary.as_ref().map(|it| start_of(it.as_str())),
            compaction.kept,
            (compaction.before.is_some(), compaction.after.is_some())
        ),
        EntryKind::Plan(change) => {
            format!("plan {}", format!("{change:?}").split('(').next().unwrap())
        }
        EntryKind::Usage(usage) => {
            format!(
                "usage {:?} {:?} fill {}",
                usage.purpose, usage.tokens, usage.fill
            )
        }
        EntryKind::Aborted => "aborted".to_owned(),
        EntryKind::Resumed => "resumed".to_owned(),
        EntryKind::Renewed(_) => "renewed".to_owned(),
    }
}

/// Index, turn and call never go back, results follow their calls, ids are there once.
pub(crate) fn assert_order(read: &Read) {
    let mut calls: Vec<(Option<&str>, &str)> = Vec::new();
    let mut results = Vec::new();
    let mut keys = Vec::new();
    let mut before = (0, 0);
    for (at, entry) in read.entries.iter().enumerate() {
        assert_eq!(entry.index, at as u64);
        assert!((entry.turn, entry.call) >= before, "{entry:?}");
        before = (entry.turn, entry.call);
        let agent = entry.agent.as_deref();
        match &entry.kind {
            EntryKind::Call(call) => {
                assert!(!calls.contains(&(agent, &call.id)), "twice: {call:?}");
                calls.push((agent, &call.id));
            }
            EntryKind::Result(result) => {
                assert!(
                    calls.contains(&(agent, &result.call)),
                    "no call: {result:?}"
                );
                assert!(
                    !results.contains(&(agent, &result.call)),
                    "twice: {result:?}"
                );
                results.push((agent, &result.call));
            }
            EntryKind::Usage(usage) if usage.replaces.is_none() => {
                assert!(!keys.contains(&&usage.key), "twice: {usage:?}");
                keys.push(&usage.key);
            }
            _ => {}
        }
    }
}

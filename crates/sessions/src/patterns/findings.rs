//! All that was found.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::distraction::{self, unused};
use super::statement::statements;
use super::{
    LoadedText, Pattern, PatternFinding, Severity, TokenLimits, clash, confusion, debate, keyed,
    lost, poisoning, token, windows,
};
use crate::Entry;
use crate::prose::Quotes;

/// What the rules are told beside the entries.
#[derive(Clone, Debug, Default)]
pub struct FindingsOptions {
    /// How many tokens the model bears; without it tokens are not judged.
    pub limits: Option<TokenLimits>,
    /// The folder of the session's project, where it is known.
    pub project: Option<PathBuf>,
    /// Whether it is the session of a seat of a debate, for which fewer rules hold.
    pub is_debate: bool,
}

/// What was found in a session.
///
/// ```
/// use agon_sessions::{Findings, FindingsOptions, RecentEntries};
///
/// let recent = RecentEntries::new(50 << 20);
/// let findings = Findings::of(recent.iter(), &FindingsOptions::default());
/// assert_eq!(findings.severity(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// Worst first: what the model still has before what it no longer has, then by severity and by
    /// how far it carries on.
    pub findings: Vec<PatternFinding>,
    /// What was loaded since the last compaction.
    pub loaded: LoadedText,
    /// What of it nothing refers to, the largest first, redacted; at most [`Findings::MAX_UNUSED`].
    pub unused: Vec<String>,
}

/// Findings of one pattern; a session with more of them needs no more reasons.
const MAX_OF_PATTERN: usize = 12;

impl Findings {
    /// Loaded texts that are named as unused.
    pub const MAX_UNUSED: usize = 12;

    /// What is found in these entries, in the order in which a reader gave them.
    ///
    /// Time and memory grow with the size of the texts. Entries of sub-agents are passed over:
    /// their contexts are their own.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>, options: &FindingsOptions) -> Self {
        let windows = windows(entries);
        let mut quotes = Quotes::default();
        let mut found: Vec<PatternFinding> = Vec::new();
        let mut ground = confusion::Ground::default();
        let mut last_loaded = LoadedText::default();
        let mut last_unused = Vec::new();
        for window in &windows {
            let statements = statements(window);
            let earlier = found.len();
            let (loaded, unused) = unused(window);
            if window.is_current {
                last_loaded = loaded;
                let most = unused.iter().take(Self::MAX_UNUSED);
                let words = most.map(|it| distraction::describe(window, it.item));
                last_unused = words.map(|it| quotes.loose(&it, 160)).collect();
                let tokens = options
                    .limits
                    .and_then(|it| token::find(window, it, &mut quotes));
                found.extend(tokens);
            }
            found.extend(poisoning::find(window, &mut quotes));
            let mut lost = lost::find(window, &statements, &mut quotes);
            let (keyed_lost, keyed_clashes): (Vec<_>, Vec<_>) = keyed::find(window, &mut quotes)
                .into_iter()
                .partition(|it| it.pattern == Pattern::LostInTheMiddle);
            add_new(&mut lost, keyed_lost);
            let mut clashes = clash::find(window, &statements, &mut quotes);
            add_new(&mut clashes, keyed_clashes);
            // A value of the user's that was lost is not two statements beside it.
            found.extend(clashes.into_iter().filter(|clash| {
                let (_, cause, effect) = clash.ends();
                lost.iter().all(|it| {
                    let is_same = |entry| it.evidence.iter().any(|it| Some(it.entry) == entry);
                    !(is_same(cause) && is_same(effect))
                })
            }));
            found.extend(lost);
            let project = options.project.as_deref();
            found.extend(confusion::find(window, project, &mut ground, &mut quotes));
            found.extend(distraction::find(window, loaded, &unused, &mut quotes));
            if options.is_debate {
                let of_window = found.split_off(earlier);
                found.extend(of_window.into_iter().filter(|it| debate::holds(window, it)));
                found.extend(debate::find(window, &mut quotes));
            }
        }
        found.extend(poisoning::find_in_recaps(&windows, &mut quotes));
        Self {
            findings: in_order(found),
            loaded: last_loaded,
            unused: last_unused,
        }
    }

    /// The worst of what the model still has; nothing where it is well.
    pub fn severity(&self) -> Option<Severity> {
        self.current().map(|it| it.severity).max()
    }

    /// What the model still has.
    pub fn current(&self) -> impl Iterator<Item = &PatternFinding> {
        self.findings.iter().filter(|it| it.is_current)
    }
}

/// Adds what begins at no place at which one of `found` begins.
fn add_new(found: &mut Vec<PatternFinding>, more: Vec<PatternFinding>) {
    for finding in more {
        let (_, cause, _) = finding.ends();
        if found.iter().all(|it| it.ends().1 != cause) {
            found.push(finding);
        }
    }
}

fn in_order(found: Vec<PatternFinding>) -> Vec<PatternFinding> {
    // What a compaction kept is seen in both windows; the later says that it is there still.
    let mut by_ends: HashMap<_, PatternFinding> = HashMap::new();
    for finding in found {
        by_ends.insert(finding.ends(), finding);
    }
    let mut all: Vec<PatternFinding> = by_ends.into_values().collect();
    all.sort_by(|one, other| {
        let rank = |it: &PatternFinding| {
            let first = it.evidence.first().map_or(0, |it| it.entry);
            let last = it.evidence.last().map_or(0, |it| it.entry);
            (
                !it.is_current,
                std::cmp::Reverse(it.severity),
                it.pattern,
                first,
                last,
            )
        };
        rank(one).cmp(&rank(other))
    });
    let mut counts: HashMap<Pattern, usize> = HashMap::new();
    all.retain(|it| {
        let count = counts.entry(it.pattern).or_default();
        *count += 1;
        *count <= MAX_OF_PATTERN
    });
    all
}

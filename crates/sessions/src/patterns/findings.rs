//! All that was found.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::loaded::{self, unused};
use super::{
    LoadedText, Pattern, PatternFinding, Severity, TokenLimits, Window, debate, false_success,
    prohibition, token, windows,
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
        let entries: Vec<&Entry> = entries
            .into_iter()
            .filter(|it| it.agent.is_none())
            .collect();
        let windows = windows(&entries);
        let mut quotes = Quotes::default();
        let mut found: Vec<PatternFinding> = Vec::new();
        if options.is_debate {
            let of_windows = windows.iter().map(|it| debate::find(it, &mut quotes));
            found.extend(of_windows.flatten());
        }
        let session = Window::of_session(&entries);
        let mut findings = Self::default();
        if let Some(window) = windows.last() {
            found.extend(false_success::find(
                &session,
                window,
                options.is_debate,
                &mut quotes,
            ));
            if !options.is_debate {
                found.extend(prohibition::find(&session, window, &mut quotes));
            }
            let limits = options.limits;
            found.extend(limits.and_then(|it| token::find(window, it, &mut quotes)));
            let (bytes, unused) = unused(window);
            let most = unused.iter().take(Self::MAX_UNUSED);
            let words = most.map(|it| loaded::describe(window, it.item));
            findings.loaded = bytes;
            findings.unused = words.map(|it| quotes.loose(&it, 160)).collect();
        }
        findings.findings = in_order(found);
        findings
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

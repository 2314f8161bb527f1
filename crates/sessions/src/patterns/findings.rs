//! All findings of a session.

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

/// Options of the rules.
#[derive(Clone, Debug, Default)]
pub struct FindingsOptions {
    /// The model's token limits. Without them, tokens are not judged.
    pub limits: Option<TokenLimits>,
    /// The session's project folder, if known.
    pub project: Option<PathBuf>,
    /// Whether the session is a debate seat, to which fewer rules apply.
    pub is_debate: bool,
}

/// The findings of a session.
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
    /// The findings: current before past ones, then by severity and by how far they spread.
    pub findings: Vec<PatternFinding>,
    /// Text loaded since the last compaction.
    pub loaded: LoadedText,
    /// Unused loaded texts, largest first, redacted; at most [`Findings::MAX_UNUSED`].
    pub unused: Vec<String>,
}

/// Maximum number of findings of one pattern.
const MAX_OF_PATTERN: usize = 12;

impl Findings {
    /// Most unused texts listed.
    pub const MAX_UNUSED: usize = 12;

    /// Checks these entries, given in reading order.
    ///
    /// Time and memory grow with the size of the texts. Entries of sub-agents are ignored, since
    /// they have their own contexts.
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
            findings.unused = words.map(|it| quotes.quote_argument(&it, 160)).collect();
        }
        findings.findings = sort_findings(found);
        findings
    }

    /// Returns the worst severity of the current findings; `None` if there are none.
    pub fn severity(&self) -> Option<Severity> {
        self.current().map(|it| it.severity).max()
    }

    /// Returns the findings that are still in the model's context.
    pub fn current(&self) -> impl Iterator<Item = &PatternFinding> {
        self.findings.iter().filter(|it| it.is_current)
    }
}

fn sort_findings(found: Vec<PatternFinding>) -> Vec<PatternFinding> {
    // Entries kept by a compaction give the same finding in both windows. Keep the later, current
    // one.
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

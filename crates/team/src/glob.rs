//! Sets of path globs, and whether two of them can match the same path.
//!
//! The overlap check is **exact** for globs as sets of texts: each glob becomes an automaton over
//! bytes, and their product is searched for a text that both accept. It is **conservative** about
//! folders: a glob also covers everything below what it names, unless its name shows that it is a
//! file. A common path need not exist. Case always matters and links are not followed, so two globs
//! can miss each other on a case-insensitive file system or through links.

mod pattern;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use regex_automata::nfa::thompson::{Compiler, Config, NFA, State, Transition, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::util::syntax;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum length of a glob, in bytes.
const MAX_BYTES: usize = 200;
/// Maximum number of globs of a set.
const MAX_GLOBS: usize = 32;
/// Maximum size of one glob's automaton, in bytes, because nested braces grow quickly.
const MAX_AUTOMATON_BYTES: usize = 1 << 20;
/// Maximum number of steps of a search that compares two globs or two sets. The steps grow with the product
/// of the automata, and locks are compared while the store is being written. Plain globs take some
/// hundreds of steps, the slowest ones without braces 150,000.
const MAX_STEPS: usize = 1 << 19;

/// A glob of paths in the repository, such as `crates/team`, `src/**/*.rs` or `docs/{a,b}.md`.
///
/// `*` and `?` match within one part of a path, `**` any number of parts, `[…]` one character of a
/// class, and `{a,b}` either alternative. A class, and braces without a comma, also match
/// literally, so that `app/[slug]` covers the folder of that name. `\` makes the next character
/// literal.
///
/// A glob covers what it names **and everything below it**, so that a lock on a folder covers its
/// files. Only a glob whose last part has an extension, such as `*.rs`, names files alone; with a
/// `/` at its end it names folders too.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PathGlob {
    text: Box<str>,
    automaton: OnceLock<Option<NFA>>,
}

/// Why a text is not a valid glob.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// It is empty, or longer than 200 bytes.
    #[error("a glob must have 1 to {MAX_BYTES} bytes")]
    Length,
    /// It is absolute, or has an empty, `.` or `..` part.
    #[error("{0:?} is not relative to the repository: remove a leading `/` and any `.` or `..`")]
    NotRelative(String),
    /// It contains a control character.
    #[error("a glob must not contain control characters")]
    Control,
    /// Its syntax is invalid, or it is too large.
    #[error("{glob:?} is not a valid glob: {cause}")]
    Syntax {
        /// The text.
        glob: String,
        /// The fault.
        cause: String,
    },
    /// A set is empty, or has more than 32 globs.
    #[error("a set must have 1 to {MAX_GLOBS} globs, not {0}")]
    Count(usize),
}

impl PathGlob {
    /// Returns the glob as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether a path can match both. Globs with different literal beginnings cannot
    /// overlap; others need a search. If that would take too long, they count as overlapping.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.compare(other).unwrap_or(true)
    }

    /// Returns whether a path can match both, or `None` if the search takes too many steps.
    pub(crate) fn compare(&self, other: &Self) -> Option<bool> {
        self.compare_with_step_limit(other, &mut { MAX_STEPS })
    }

    fn compare_with_step_limit(&self, other: &Self, steps: &mut usize) -> Option<bool> {
        let (ours, theirs) = (self.literal_prefix(), other.literal_prefix());
        let shared = ours.len().min(theirs.len());
        if ours.as_bytes()[..shared] != theirs.as_bytes()[..shared] {
            return Some(false);
        }
        // A glob from the store may be invalid; without its automaton nothing can be compared.
        have_common_word(self.automaton()?, other.automaton()?, steps)
    }

    /// Returns whether it covers this path, which is relative to the repository.
    ///
    /// # Errors
    ///
    /// Fails if the path is absolute or leaves the repository.
    pub fn covers(&self, path: &str) -> Result<bool, GlobError> {
        Ok(self.overlaps(&Self::literal(path)?))
    }

    /// Creates the glob of one literal path and everything below it.
    ///
    /// # Errors
    ///
    /// Fails if the path is absolute, leaves the repository, or is too long for a glob.
    pub fn literal(path: &str) -> Result<Self, GlobError> {
        pattern::escape(path).parse()
    }

    /// Creates the glob of one literal file or, if the path ends with `/`, of a folder and
    /// everything below it. The path may be longer than a glob and contain any characters.
    ///
    /// # Errors
    ///
    /// Fails if the path is absolute or leaves the repository.
    pub fn file(path: &str) -> Result<Self, GlobError> {
        check_relative(path)?;
        let text = pattern::escape(path);
        let automaton = compile(&text, path.ends_with('/')).ok();
        Ok(Self {
            text: text.into(),
            automaton: automaton.into(),
        })
    }

    /// Returns the glob of the literal path that this glob spells, instead of everything that the
    /// glob would match. For a folder it covers what is below it.
    #[must_use]
    pub fn to_literal_path(self, is_folder: bool) -> Self {
        let needs_slash = is_folder && names_files_only(&self.text);
        let end = if needs_slash { "/" } else { "" };
        // If the escaped path is too long for a glob, keep this glob, which covers the path, too.
        Self::literal(&format!("{self}{end}")).unwrap_or(self)
    }

    /// Restores a glob from the store; it is compiled only when it is compared.
    fn from_store(text: String) -> Self {
        Self {
            text: text.into(),
            automaton: OnceLock::new(),
        }
    }

    /// Returns the literal beginning of every path that it covers. It ends before a non-ASCII
    /// letter, which may have two forms.
    fn literal_prefix(&self) -> &str {
        let ends = |c: char| pattern::SPECIAL.contains(&c) || !c.is_ascii();
        let end = self.text.find(ends);
        &self.text[..end.unwrap_or(self.text.len())]
    }

    fn automaton(&self) -> Option<&NFA> {
        self.automaton
            .get_or_init(|| compile(&self.text, !names_files_only(&self.text)).ok())
            .as_ref()
    }
}

/// Compares the written globs, not what they match.
impl PartialEq for PathGlob {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for PathGlob {}

impl fmt::Display for PathGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for PathGlob {
    type Err = GlobError;

    fn from_str(text: &str) -> Result<Self, GlobError> {
        if text.is_empty() || text.len() > MAX_BYTES {
            return Err(GlobError::Length);
        }
        if text.chars().any(char::is_control) {
            return Err(GlobError::Control);
        }
        check_relative(text)?;
        let automaton =
            compile(text, !names_files_only(text)).map_err(|cause| GlobError::Syntax {
                glob: text.to_owned(),
                cause,
            })?;
        Ok(Self {
            text: text.into(),
            automaton: OnceLock::from(Some(automaton)),
        })
    }
}

impl TryFrom<String> for PathGlob {
    type Error = GlobError;

    fn try_from(text: String) -> Result<Self, GlobError> {
        text.parse()
    }
}

impl From<PathGlob> for String {
    fn from(glob: PathGlob) -> Self {
        glob.text.into()
    }
}

/// One to 32 globs: the paths of a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<PathGlob>", into = "Vec<PathGlob>")]
#[schemars(with = "Vec<String>")]
pub struct GlobSet(Vec<PathGlob>);

impl GlobSet {
    /// Restores a set from the store without compiling it. Most sets differ in their literal
    /// beginnings, and compiling a glob takes longer than reading its row.
    pub(crate) fn from_store(texts: Vec<String>) -> Self {
        Self(texts.into_iter().map(PathGlob::from_store).collect())
    }

    /// Returns the globs, in the order in which they were given.
    pub fn globs(&self) -> &[PathGlob] {
        &self.0
    }

    /// Returns a set with each glob changed.
    #[must_use]
    pub fn map(&self, change: impl FnMut(&PathGlob) -> PathGlob) -> Self {
        Self(self.0.iter().map(change).collect())
    }

    /// Returns the first pair that can match a common path, ours first, or that would take too long
    /// to compare.
    pub fn overlap<'a>(&'a self, other: &'a Self) -> Option<(&'a PathGlob, &'a PathGlob)> {
        let pairs = self
            .0
            .iter()
            .flat_map(|ours| other.0.iter().map(move |theirs| (ours, theirs)));
        let mut steps = MAX_STEPS;
        pairs.into_iter().find(|(ours, theirs)| {
            let found = ours.compare_with_step_limit(theirs, &mut steps);
            found.unwrap_or(true)
        })
    }
}

impl TryFrom<Vec<PathGlob>> for GlobSet {
    type Error = GlobError;

    fn try_from(globs: Vec<PathGlob>) -> Result<Self, GlobError> {
        if globs.is_empty() || globs.len() > MAX_GLOBS {
            return Err(GlobError::Count(globs.len()));
        }
        Ok(Self(globs))
    }
}

impl From<GlobSet> for Vec<PathGlob> {
    fn from(set: GlobSet) -> Self {
        set.0
    }
}

impl fmt::Display for GlobSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.0.iter().map(PathGlob::as_str).collect();
        f.write_str(&words.join(", "))
    }
}

fn check_relative(path: &str) -> Result<(), GlobError> {
    let parts = path.strip_suffix('/').unwrap_or(path);
    match parts.split('/').any(|part| matches!(part, "" | "." | "..")) {
        true => Err(GlobError::NotRelative(path.to_owned())),
        false => Ok(()),
    }
}

/// Returns whether the last part has an extension without classes or alternatives in it, which
/// might match a name without extension.
///
/// Without this, `**/*.rs` would overlap every file: `notes.md` might be a folder with an `a.rs`.
fn names_files_only(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or(text);
    let dot = last.rfind('.').filter(|at| *at > 0);
    dot.is_some_and(|at| !last[at..].contains(['{', '}', '[', ']', '\\']))
}

/// Compiles the automaton of what a glob names, and of everything below it if `below`.
fn compile(text: &str, below: bool) -> Result<NFA, String> {
    let named = text.strip_suffix('/').unwrap_or(text);
    let mut patterns = vec![pattern::glob_to_regex(named)?];
    if below {
        patterns.push(pattern::glob_to_regex(&format!("{named}/**"))?);
    }
    // Match bytes, because file names need not be UTF-8.
    let config = Config::new()
        .utf8(false)
        .nfa_size_limit(Some(MAX_AUTOMATON_BYTES))
        .which_captures(WhichCaptures::None);
    Compiler::new()
        .configure(config)
        .syntax(syntax::Config::new().utf8(false))
        .build_many(&patterns)
        .map_err(|error| error.to_string())
}

/// Returns whether two automata accept a common word, by searching the pairs of states that one
/// word can reach. Subtracts the steps taken from `steps`; returns `None` if there are too few.
///
/// Every pattern is anchored at both ends, and both automata read the word from start to end. An
/// anchor is therefore a step that reads nothing.
fn have_common_word(ours: &NFA, theirs: &NFA, steps: &mut usize) -> Option<bool> {
    let start = (ours.start_anchored(), theirs.start_anchored());
    let mut reached = HashSet::from([start]);
    let mut open = vec![start];
    while let Some((a, b)) = open.pop() {
        let (a_state, b_state) = (ours.state(a), theirs.state(b));
        let (tried, pairs): (usize, Vec<(StateID, StateID)>) =
            if let Some(next) = epsilon_targets(a_state) {
                (next.len(), next.into_iter().map(|next| (next, b)).collect())
            } else if let Some(next) = epsilon_targets(b_state) {
                (next.len(), next.into_iter().map(|next| (a, next)).collect())
            } else if matches!(
                (a_state, b_state),
                (State::Match { .. }, State::Match { .. })
            ) {
                return Some(true);
            } else {
                let (a_steps, b_steps) = (byte_transitions(a_state), byte_transitions(b_state));
                let both = a_steps
                    .iter()
                    .flat_map(|a| b_steps.iter().map(move |b| (a, b)));
                let common = both
                    .filter(|(a, b)| a.start <= b.end && b.start <= a.end)
                    .map(|(a, b)| (a.next, b.next));
                (a_steps.len() * b_steps.len(), common.collect())
            };
        *steps = steps.checked_sub(tried)?;
        open.extend(pairs.into_iter().filter(|pair| reached.insert(*pair)));
    }
    Some(false)
}

/// Returns the states that a state leads to without reading a byte, or `None` for a state that
/// reads, matches or fails.
fn epsilon_targets(state: &State) -> Option<Vec<StateID>> {
    match state {
        State::Look { next, .. } | State::Capture { next, .. } => Some(vec![*next]),
        State::Union { alternates } => Some(alternates.to_vec()),
        State::BinaryUnion { alt1, alt2 } => Some(vec![*alt1, *alt2]),
        State::ByteRange { .. }
        | State::Sparse(_)
        | State::Dense(_)
        | State::Fail
        | State::Match { .. } => None,
    }
}

/// Returns the states that a state leads to by reading a byte, each with its bytes.
fn byte_transitions(state: &State) -> Vec<Transition> {
    match state {
        State::ByteRange { trans } => vec![*trans],
        State::Sparse(sparse) => sparse.transitions.to_vec(),
        State::Dense(dense) => (0..=u8::MAX)
            .filter_map(|byte| {
                let next = dense.matches_byte(byte)?;
                Some(Transition {
                    start: byte,
                    end: byte,
                    next,
                })
            })
            .collect(),
        State::Look { .. }
        | State::Capture { .. }
        | State::Union { .. }
        | State::BinaryUnion { .. }
        | State::Fail
        | State::Match { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests;

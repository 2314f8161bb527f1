//! A model examines a session: it proposes findings, and code verifies each of them.
//!
//! The model is an [`Examiner`] that the caller brings. What it proposed is kept for each part of a
//! session, so that a second look asks only about what is new; what was kept is verified again, since
//! a session that goes on can make a finding untrue.

mod document;
mod kept;
mod merge;
mod self_test;

use agon_caller::hint::quoted;
use agon_caller::{Caller, Code, Failure, settings, system};
use agon_prompt::examine_prompt;
use agon_sessions::{
    CondensedSession, PartSize, ProposedFinding, RecentEntries, SessionPart, SessionRef,
    read_answer,
};
use agon_wording::Wording;
use async_trait::async_trait;

pub use self::self_test::{
    ExaminerTestDoc, IntervalDoc, SELF_TEST_SCHEMA, SelfTest, TestedPatternDoc,
};

use self::kept::KeptAnswers;
use self::merge::Merged;
use super::choose::{SessionRequest, choose};
use super::debate;
use super::document::ContextDoc;
use super::examine::MAX_RECENT_BYTES;
use super::examined_doc::ExaminedDoc;
use super::limits::Limits;
use super::{Thoroughness, measure, unreadable};

/// What an examiner is called: the tool, and its model if one was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExaminerName {
    /// The tool.
    pub tool: String,
    /// Its model.
    pub model: Option<String>,
}

impl std::fmt::Display for ExaminerName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.model {
            Some(model) => write!(f, "{} ({model})", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}

/// What an examiner answered about one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExaminerAnswer {
    /// The text, redacted.
    pub text: String,
    /// Tokens that it took.
    pub tokens: u64,
}

/// A model that is asked about parts of sessions.
#[async_trait(?Send)]
pub trait Examiner {
    /// Asks each of these prompts in a conversation of its own. Gives what came of each, with its
    /// place in the list, as soon as it is there.
    async fn ask(
        &mut self,
        prompts: &[Wording],
        hear: &mut dyn FnMut(usize, Result<ExaminerAnswer, Failure>),
    );
}

/// A session that is about to be examined.
#[derive(Debug)]
pub struct Examination {
    document: ContextDoc,
    recent: RecentEntries,
    session: SessionRef,
}

/// What is asked about a session, and what is known from before.
#[derive(Debug)]
pub struct ExaminationPlan {
    examiner: ExaminerName,
    kept: KeptAnswers,
    parts: Vec<PlannedPart>,
}

#[derive(Debug)]
struct PlannedPart {
    hash: String,
    prompt: Wording,
}

impl ExaminationPlan {
    /// Parts in all.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Parts that have to be asked about.
    pub fn new_parts(&self) -> usize {
        self.unasked().count()
    }

    /// Tokens of what has to be asked.
    pub fn tokens(&self) -> u64 {
        self.unasked()
            .map(|it| agon_tokens::count_tokens(&it.prompt) as u64)
            .sum()
    }

    fn unasked(&self) -> impl Iterator<Item = &PlannedPart> {
        self.parts.iter().filter(|it| !self.kept.has(&it.hash))
    }
}

/// Tokens of the instructions that come with each part.
pub fn instruction_tokens() -> usize {
    agon_tokens::count_tokens(&examine_prompt("", ""))
}

impl Examination {
    /// Reads the session that is meant.
    ///
    /// # Errors
    ///
    /// If there is none, more than one is meant, or it cannot be read.
    pub fn open(caller: &Caller, request: &SessionRequest) -> Result<Self, Failure> {
        let limits = Limits::new(&settings::read_settings(caller)?.limits);
        let found = choose(caller, request)?;
        let [session] = found.as_slice() else {
            let message = format!("{} sessions are meant, and one is examined", found.len());
            return Err(Failure::new(Code::InvalidParameter, message)
                .parameter("session")
                .hint(super::all_sessions_hint()));
        };
        let document = measure(caller, session, &limits, Thoroughness::Findings)
            .map_err(|error| unreadable(&error))?;
        let mut recent = RecentEntries::new(MAX_RECENT_BYTES);
        if let Some(mut reader) = debate::open(session) {
            reader
                .read(&mut |entry| recent.push(entry))
                .map_err(|error| unreadable(&error))?;
        }
        Ok(Self {
            document: ContextDoc::new(caller.display_path(&caller.project()), vec![document], 0),
            recent,
            session: session.clone(),
        })
    }

    /// What is to be asked of `examiner`, in parts of this size.
    ///
    /// # Errors
    ///
    /// If there is no entropy for the fences of the prompts.
    pub fn plan(
        &self,
        caller: &Caller,
        examiner: ExaminerName,
        size: PartSize,
    ) -> Result<ExaminationPlan, Failure> {
        let condensed = CondensedSession::of(self.recent.iter());
        let mut parts = Vec::new();
        for part in condensed.parts(size) {
            parts.push(PlannedPart {
                hash: hash_of(&part),
                prompt: examine_prompt(&system::new_salt()?, &part.text),
            });
        }
        let kept = KeptAnswers::open(caller, &self.session, &examiner);
        Ok(ExaminationPlan {
            examiner,
            kept,
            parts,
        })
    }

    /// Asks about the parts that are new, and verifies all that was proposed.
    ///
    /// # Errors
    ///
    /// If no part was answered, or the examination was cancelled. What was answered before is kept.
    pub async fn run(
        mut self,
        mut plan: ExaminationPlan,
        examiner: &mut dyn Examiner,
    ) -> Result<ContextDoc, Failure> {
        let new: Vec<&PlannedPart> = plan.unasked().collect();
        let hashes: Vec<String> = new.iter().map(|it| it.hash.clone()).collect();
        let prompts: Vec<Wording> = new.iter().map(|it| it.prompt.clone()).collect();
        let from_before = plan.parts.len() - new.len();
        let mut tokens = 0_u64;
        let mut answered = 0;
        let mut failures = Vec::new();
        let kept = &mut plan.kept;
        let mut hear = |at: usize, answer: Result<ExaminerAnswer, Failure>| match answer {
            Ok(answer) => {
                tokens = tokens.saturating_add(answer.tokens);
                match (hashes.get(at), read_answer(&answer.text)) {
                    (Some(hash), Some((proposed, unreadable))) => {
                        kept.add(hash, proposed, unreadable);
                        answered += 1;
                    }
                    _ => failures.push(no_list_failure()),
                }
            }
            Err(failure) => failures.push(failure),
        };
        if !prompts.is_empty() {
            examiner.ask(&prompts, &mut hear).await;
        }
        let asked = prompts.len();
        if let Some(at) = failures.iter().position(|it| it.code == Code::Cancelled) {
            return Err(failures.swap_remove(at));
        }
        // Kept answers do not hide that the tool refuses this model.
        let is_refused = failures.iter().all(|it| it.code == Code::NoSuchModel);
        if answered == 0
            && (from_before == 0 || is_refused)
            && let Some(first) = failures.into_iter().next()
        {
            return Err(first);
        }
        let mut merged = Merged::default();
        let condensed = CondensedSession::of(self.recent.iter());
        for planned in &plan.parts {
            if let Some((proposed, unreadable)) = plan.kept.answer(&planned.hash) {
                merged.add(&condensed, (proposed, unreadable));
            }
        }
        if let Some(session) = self.document.sessions.first_mut() {
            let examined = ExaminedDoc {
                parts: plan.parts.len(),
                asked,
                from_before,
                failed: asked - answered,
                tokens,
                ..merged.document(&plan.examiner)
            };
            document::attach(session, examined);
        }
        Ok(self.document)
    }
}

/// The failure of an answer that has no list of findings.
fn no_list_failure() -> Failure {
    let message = "the examiner's answer has no list of findings";
    Failure::new(Code::Unreadable, message)
        .parameter("examine")
        .hint(quoted("context --examine TOOL --model MODEL").text(" asks a stronger model"))
}

/// The part and the instructions, without the fence's own code.
fn hash_of(part: &SessionPart) -> String {
    let whole = examine_prompt("", &part.text);
    let hash = blake3::hash(whole.as_bytes()).to_hex();
    hash[..32].to_owned()
}

/// Findings that an examiner proposed for one part, with the number of those that cannot be read.
type Proposals<'p> = (&'p [ProposedFinding], usize);

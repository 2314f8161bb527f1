//! Examines a session with a model: the model proposes findings, and code verifies each one.
//!
//! The caller provides the model as an [`Examiner`]. Proposals are cached per part of a session, so
//! that a second examination asks only about new parts. Cached proposals are verified again, since
//! later entries can refute them.

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

/// The tool and model of an examiner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExaminerName {
    /// The tool.
    pub tool: String,
    /// Its model; `None` for the tool's default.
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

/// An examiner's answer about one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExaminerAnswer {
    /// The text, redacted.
    pub text: String,
    /// Tokens used.
    pub tokens: u64,
}

/// A model that examines parts of sessions.
#[async_trait(?Send)]
pub trait Examiner {
    /// Asks each prompt in a separate conversation. Passes each result to `hear` as soon as it
    /// arrives, with the prompt's index.
    async fn ask(
        &mut self,
        prompts: &[Wording],
        hear: &mut dyn FnMut(usize, Result<ExaminerAnswer, Failure>),
    );
}

/// A session to examine.
#[derive(Debug)]
pub struct Examination {
    document: ContextDoc,
    recent: RecentEntries,
    session: SessionRef,
}

/// The parts of a session to ask about, and the cached answers.
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
    /// Returns the number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the number of parts without a cached answer.
    pub fn new_parts(&self) -> usize {
        self.unasked().count()
    }

    /// Returns the tokens of the prompts to ask.
    pub fn tokens(&self) -> u64 {
        self.unasked()
            .map(|it| agon_tokens::count_tokens(&it.prompt) as u64)
            .sum()
    }

    fn unasked(&self) -> impl Iterator<Item = &PlannedPart> {
        self.parts.iter().filter(|it| !self.kept.has(&it.hash))
    }
}

/// Returns the tokens of the instructions in each prompt.
pub fn instruction_tokens() -> usize {
    agon_tokens::count_tokens(&examine_prompt("", ""))
}

impl Examination {
    /// Reads the requested session.
    ///
    /// # Errors
    ///
    /// If there is none, more than one matches, or it cannot be read.
    pub fn open(caller: &Caller, request: &SessionRequest) -> Result<Self, Failure> {
        let limits = Limits::new(&settings::read_settings(caller)?.limits);
        let found = choose(caller, request)?;
        let [session] = found.as_slice() else {
            let message = format!(
                "{} sessions match, but only one can be examined",
                found.len()
            );
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

    /// Plans the prompts for `examiner`, in parts of this size.
    ///
    /// # Errors
    ///
    /// If the system has no random bytes for the prompts' fences.
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
                hash: hash_part(&part),
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

    /// Asks about the new parts and verifies all proposals.
    ///
    /// # Errors
    ///
    /// If no part was answered, or the examination was cancelled. Earlier answers stay cached.
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
        // If the tool refuses this model, fail even if there are cached answers.
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

/// Returns the failure for an answer without a list of findings.
fn no_list_failure() -> Failure {
    let message = "the examiner's answer has no list of findings";
    Failure::new(Code::Unreadable, message)
        .parameter("examine")
        .hint(quoted("context --examine TOOL --model MODEL").text(" asks a stronger model"))
}

/// Hashes the part and the instructions, without the fence's random code.
fn hash_part(part: &SessionPart) -> String {
    let whole = examine_prompt("", &part.text);
    let hash = blake3::hash(whole.as_bytes()).to_hex();
    hash[..32].to_owned()
}

/// The proposed findings for one part, with the number of unreadable ones.
type Proposals<'p> = (&'p [ProposedFinding], usize);

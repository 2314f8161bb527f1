//! The review of a change: a debate on whether it is safe to ship, and the defects it reported.

mod change;
mod question;
mod words;

use agon_caller::bounds::Bounds;
use agon_caller::{Caller, Code, Failure, find};
use agon_verdict::review::{ReviewDoc, ReviewedChange, review as review_document};

use crate::front::FrontEnd;
use crate::request::{ChangeSelection, SeatsRequest, StartRequest, new_debate_id};
use crate::run::duel;
use crate::status::inspect_debate;
use crate::status::outcome::{Ended, Outcome, Planned};

pub use self::change::find_change;
pub use self::question::read_question;

/// A request to review a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewRequest {
    /// A question about the change, by its author; untrusted.
    pub question: Option<String>,
    /// One round, low effort.
    pub quick: bool,
    /// Whether to send a change that seems to contain a secret.
    pub allow_secrets: bool,
    /// Whether to show the plan only.
    pub dry_run: bool,
    /// The name of the debate's folder; `None` derives it from the commit.
    pub slug: Option<String>,
    /// The seats.
    pub seats: SeatsRequest,
    /// The limits.
    pub bounds: Bounds,
}

/// How a review ended.
#[derive(Debug)]
pub enum ReviewOutcome {
    /// A plan; nothing was run.
    Planned(Box<Planned>),
    /// The debate is over. Without a verdict, the document says why, and the failure has a hint.
    Ended(Box<ReviewDoc>, Option<Failure>),
}

/// Debates `change` and returns the defects that were reported.
///
/// The project's configuration is ignored except for the folder of debates, because the change may
/// be of others and can contain it.
///
/// # Errors
///
/// If the debate cannot be opened.
pub async fn review(
    caller: &Caller,
    request: &ReviewRequest,
    change: &ReviewedChange,
    front: &mut dyn FrontEnd,
) -> Result<ReviewOutcome, Failure> {
    let caller = &Caller {
        debates_dir: Some(find::debates_dir(caller)?),
        ignores_project_settings: true,
        ..caller.clone()
    };
    let question = request.question.as_deref().and_then(words::plain_question);
    let short = change.commit.get(..10).unwrap_or(&change.commit);
    let id = new_debate_id();
    let start = StartRequest {
        topic: words::topic(question.is_some(), &change.since),
        id: Some(id),
        quick: request.quick,
        context: Some(format!("commit={}..{}", change.since, change.commit)),
        change: Some(ChangeSelection {
            paths: change.files.iter().cloned().collect(),
            preface: words::preface(question.as_deref(), &change.not_read),
        }),
        slug: Some(
            request
                .slug
                .clone()
                .unwrap_or_else(|| format!("review-{short}")),
        ),
        allow_secrets: request.allow_secrets,
        dry_run: request.dry_run,
        // The same commit may be reviewed again, by other tools or after a failure.
        again: true,
        seats: request.seats.clone(),
        bounds: request.bounds.clone(),
        ..StartRequest::default()
    };
    match duel::start(caller, &start, front).await {
        Ok(Outcome::Planned(planned)) => Ok(ReviewOutcome::Planned(planned)),
        Ok(Outcome::Ended(ended)) => {
            let mut doc = review_document(&ended.state, ended.verdict(), change);
            doc.failure = why_incomplete(&ended);
            let failure = ended.failure.clone();
            Ok(ReviewOutcome::ended(doc, failure))
        }
        Ok(Outcome::Started(_)) => Err(Failure::new(Code::Bug, "the review was not run")),
        Err(failure) => {
            // Reports that were made before it failed are not lost.
            let path = find::find_debate_folder(caller, &id.to_string());
            let sight = path.and_then(|path| inspect_debate(&path));
            let Ok(sight) = sight else {
                return Err(failure);
            };
            let mut doc = review_document(&sight.glance.state, None, change);
            doc.failure = Some(failure.message.clone());
            Ok(ReviewOutcome::ended(doc, Some(failure)))
        }
    }
}

impl ReviewOutcome {
    fn ended(doc: ReviewDoc, failure: Option<Failure>) -> Self {
        let failure = failure.or_else(|| {
            let why = doc.failure.clone()?;
            Some(Failure::new(Code::NoVerdict, why))
        });
        Self::Ended(Box::new(doc), failure)
    }
}

/// Returns why an ended debate is not a review; `None` if it is one.
fn why_incomplete(ended: &Ended) -> Option<String> {
    let verdict = ended.verdict();
    if verdict.is_some_and(|verdict| verdict.one_sided.is_some()) {
        return Some(words::ONE_SIDED.to_owned());
    }
    if verdict.is_some_and(|verdict| verdict.answer.is_some()) {
        return None;
    }
    let why = ended.failure.as_ref();
    Some(why.map_or_else(
        || words::without_verdict(&ended.waits),
        |failure| failure.message.clone(),
    ))
}

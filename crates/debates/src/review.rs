//! The review of a change: a debate on whether it is safe to ship, and the defects it reported.

mod change;
mod question;
mod words;

use agon_caller::bounds::Bounds;
use agon_caller::{Caller, Code, Failure};
use agon_verdict::review::{ReviewDoc, ReviewedChange, review as review_document};

use crate::front::FrontEnd;
use crate::request::{ChangeSelection, SeatsRequest, StartRequest};
use crate::run::duel;
use crate::status::outcome::{Ended, Outcome, Planned};

pub use self::change::find_change;
pub use self::question::read_question;

/// A request to review a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewRequest {
    /// The change: a commit, `A..B`, `A...B`, or the number of a pull request whose merge commit
    /// was fetched. `None` means what this branch changes.
    pub revision: Option<String>,
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
    /// The debate is over. Without a verdict, the document says why.
    Ended(Box<ReviewDoc>, Box<Ended>),
}

/// Debates `change` and returns the defects that were reported.
///
/// # Errors
///
/// If the debate cannot be opened, or ends without a verdict and nothing can be said about it.
pub async fn review(
    caller: &Caller,
    request: &ReviewRequest,
    change: &ReviewedChange,
    front: &mut dyn FrontEnd,
) -> Result<ReviewOutcome, Failure> {
    let question = request.question.as_deref().and_then(words::plain_question);
    let short = change.commit.get(..10).unwrap_or(&change.commit);
    let start = StartRequest {
        topic: words::topic(question.is_some()),
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
    match duel::start(caller, &start, front).await? {
        Outcome::Planned(planned) => Ok(ReviewOutcome::Planned(planned)),
        Outcome::Ended(ended) => {
            let mut doc = review_document(&ended.state, ended.verdict(), change);
            let is_one_sided = ended.verdict().is_some_and(|it| it.one_sided.is_some());
            if is_one_sided {
                doc.failure = Some(words::ONE_SIDED.to_owned());
            } else if doc.answer.is_none() {
                let why = ended
                    .failure
                    .as_ref()
                    .map(|failure| failure.message.clone());
                doc.failure = Some(why.unwrap_or_else(|| words::without_verdict(&ended.waits)));
            }
            Ok(ReviewOutcome::Ended(Box::new(doc), ended))
        }
        Outcome::Started(_) => Err(Failure::new(Code::Bug, "the review was not run")),
    }
}

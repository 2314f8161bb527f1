//! `agon review`: lets AI tools debate a change, and lists its defects.

use std::path::PathBuf;

use agon_debates::review::{self, ReviewOutcome, ReviewRequest};
use agon_files::Durable;
use agon_report::review::{review_headline, review_md, review_sarif, review_text};
use agon_verdict::review::{ReviewDoc, ReviewedChange};

use crate::args::{ChangeReviewArgs, Global, ReviewFormat};
use crate::command::debate::seats_from_args;
use crate::error::{Code, Exit, Failure};
use crate::front::Terminal;
use crate::outcome;
use crate::output::{Out, pretty_json};
use crate::surroundings::Surroundings;

/// Why the files of a review that is running are not a review yet.
const UNFINISHED: &str = "the review did not end";

/// Reviews a change and prints the review. A review without a verdict is written too, and fails.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ChangeReviewArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    require_known_endings(args)?;
    if args.format.is_some() {
        global.refuse_json("a format of its own", "leave out --json or --format")?;
    }
    let request = request_from_args(edge, args)?;
    // Files of an earlier review must not be taken for those of a failed one.
    write_files(
        edge,
        args,
        &ReviewDoc::failed(&ReviewedChange::default(), UNFINISHED.to_owned()),
    )?;
    let change = review::find_change(edge, args.revision.as_deref()).await;
    let (doc, failure) = match change {
        Ok(change) => {
            let mut terminal = Terminal::new(edge, global, out);
            match review::review(edge, &request, &change, &mut terminal).await {
                Ok(ReviewOutcome::Planned(planned)) => {
                    return outcome::print_plan(edge, global, &planned, out);
                }
                Ok(ReviewOutcome::Ended(doc, failure)) => (*doc, failure),
                Err(failure) => (failed(&change, &failure), Some(failure)),
            }
        }
        Err(failure) => (failed(&ReviewedChange::default(), &failure), Some(failure)),
    };
    write_files(edge, args, &doc)?;
    print_review(global, args, &doc, failure.is_some(), out)?;
    let fails = args
        .fail_on
        .least()
        .is_some_and(|least| doc.has_from(least));
    match failure {
        Some(failure) => Err(failure),
        None if fails => Ok(Exit::Findings),
        // Nothing was found, but the verdict does not say that the change is safe.
        None if doc.defects.is_empty() && doc.doubt().is_some() => Ok(Exit::Lesser),
        None => Ok(Exit::Done),
    }
}

fn request_from_args(
    edge: &Surroundings,
    args: &ChangeReviewArgs,
) -> Result<ReviewRequest, Failure> {
    let description = args.description.as_deref();
    let question = description.map(|path| review::read_question(edge, path));
    Ok(ReviewRequest {
        question: question.transpose()?.flatten(),
        quick: args.quick,
        allow_secrets: args.allow_secrets,
        dry_run: args.dry_run,
        slug: args.slug.clone(),
        seats: seats_from_args(&args.seats),
        bounds: args.limits.bounds(),
    })
}

fn failed(change: &ReviewedChange, failure: &Failure) -> ReviewDoc {
    ReviewDoc::failed(change, failure.message.clone())
}

/// Writes the review to its files. A link is replaced, not followed.
fn write_files(
    edge: &Surroundings,
    args: &ChangeReviewArgs,
    doc: &ReviewDoc,
) -> Result<(), Failure> {
    if args.dry_run {
        return Ok(());
    }
    for path in &args.output {
        let format = ReviewFormat::of_file(path).unwrap_or(ReviewFormat::Text);
        let text = render(doc, format)?;
        let target = edge.cwd.join(path);
        let replaced = agon_files::replace(&target, text.as_bytes(), 0o666, Durable::No);
        replaced.map_err(|error| {
            let message = format!("cannot write {}: {error}", path.display());
            Failure::new(Code::Output, message)
        })?;
    }
    Ok(())
}

/// Prints the review. A failed one is printed only as a document: a person gets the error.
fn print_review(
    global: &Global,
    args: &ChangeReviewArgs,
    doc: &ReviewDoc,
    has_failed: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    match (args.format, global.json) {
        // A failed command prints its error document, and only one document may be printed.
        (None, true) if has_failed => Ok(()),
        (None, true) => out.write_json(doc),
        (None | Some(ReviewFormat::Text), _) if has_failed => Ok(()),
        (None, false) if args.output.is_empty() => out.write_stdout(&review_text(doc)),
        (None, false) => {
            out.eprint_line(&review_headline(doc));
            Ok(())
        }
        (Some(format), _) => out.write_stdout(&render(doc, format)?),
    }
}

fn render(doc: &ReviewDoc, format: ReviewFormat) -> Result<String, Failure> {
    match format {
        ReviewFormat::Text => Ok(review_text(doc)),
        ReviewFormat::Md => Ok(review_md(doc)),
        ReviewFormat::Json => pretty_json(doc),
        ReviewFormat::Sarif => pretty_json(&review_sarif(doc, env!("CARGO_PKG_VERSION"))),
    }
}

/// Refuses files whose ending selects no format, before anything is paid for.
fn require_known_endings(args: &ChangeReviewArgs) -> Result<(), Failure> {
    let unknown = |path: &&PathBuf| ReviewFormat::of_file(path).is_none();
    match args.output.iter().find(unknown) {
        None => Ok(()),
        Some(path) => {
            let message = format!("the name of the file {} selects no format", path.display());
            Err(Failure::new(Code::UnknownEnding, message)
                .parameter("output")
                .hint("end its name with .md, .json, .sarif or .txt"))
        }
    }
}

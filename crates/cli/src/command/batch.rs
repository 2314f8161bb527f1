//! `agon batch`: runs many debates from a file.

mod background;
pub(crate) mod watch;

use std::process::exit;

use agon_batch::document::BatchDoc;
use agon_batch::estimate::{Estimate, estimate};
use agon_batch::folder::BatchFolder;
use agon_batch::request::{BatchRequest, TotalCaps};
use agon_batch::results::{self, Results};
use agon_batch::run::{BatchRun, EarlyEnd, Summary};
use agon_batch::work::{Work, choose_requests, find_work};
use agon_batch::{detach, input, junit};
use agon_caller::write_failure;
use agon_debates::request::StartRequest;
use agon_report::text::{abbreviate_count, count_with_noun, format_dollars};
use tokio_util::sync::CancellationToken;

use crate::args::{BatchArgs, Global, join_context};
use crate::command::debate::seats_from_args;
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::Out;
use crate::surroundings::Surroundings;
use crate::{asking, stop};
use watch::{Progression, describe_batch};

/// Runs `agon batch`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &BatchArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if args.handed {
        detach::leave_caller();
    }
    let batch = request_from_args(args);
    let folder = BatchFolder::of(edge, &batch);
    if args.status {
        return print_status(edge, global, &folder, out);
    }
    let rows = input::read(&batch, &edge.cwd)?;
    let known = results::read(&folder)?;
    let known_by_identity: std::collections::BTreeMap<_, _> = known
        .iter()
        .map(|result| (result.identity.as_str(), result))
        .collect();
    let requests = choose_requests(edge, &batch, rows)?;
    let work = find_work(&batch, &folder, requests.clone(), |identity| {
        known_by_identity.get(identity).copied()
    });
    let expected = estimate(edge, &work).await?;
    if args.dry_run && global.json {
        out.write_json(&expected)?;
        return Ok(Exit::Done);
    }
    let lines = estimate_lines(&expected, &work, "debate");
    if args.dry_run {
        lines.iter().try_for_each(|line| out.write_line(line))?;
        return Ok(Exit::Done);
    }
    lines.iter().for_each(|line| out.eprint_line(line));
    if work.todo() > 0 && !args.yes && !args.handed {
        confirm(edge, global, "batch").await?;
    }
    if args.detach && !args.handed && work.todo() > 0 {
        return background::start(edge, global, &folder, &expected, out);
    }
    let lock = folder.lock()?;
    let mut results = Results::open(&folder)?;
    // Look again, because another run may have ended since.
    let work = find_work(&batch, &folder, requests, |identity| results.find(identity));
    let chosen = work.chosen.clone();
    let stop = stop::signal_cancellation_token();
    exit_on_second_signal(stop.clone());
    let mut watcher = Progression::new(edge, global, out);
    let run = BatchRun {
        caller: edge,
        folder: &folder,
        caps: batch.caps,
        work,
        estimate: &expected,
        stop,
    };
    let summary = run.run(&mut results, &mut watcher).await;
    watcher.finish();
    let summary = summary?;
    if args.retry_failed {
        // Opening them again removes the results that a retry replaced.
        results = Results::open(&folder)?;
    }
    if let Some(path) = &args.junit {
        let name = args.file.display().to_string();
        let shown = results.all().filter(|one| chosen.contains(&one.identity));
        let report = junit::report(&name, shown);
        std::fs::write(edge.cwd.join(path), report).map_err(|error| write_failure(&error))?;
    }
    drop(lock);
    print_summary(edge, global, &folder, &summary, out)
}

fn request_from_args(args: &BatchArgs) -> BatchRequest {
    BatchRequest {
        file: args.file.clone(),
        folder: args.out.clone(),
        template: args.topic.clone(),
        columns: args.column.clone(),
        base: StartRequest {
            rounds: args.rounds,
            quick: args.quick,
            deep: args.deep,
            no_swap: args.no_swap,
            context: join_context(&args.context),
            verify_urls: args.verify_urls,
            allow_secrets: args.allow_secrets,
            seats: seats_from_args(&args.seats),
            bounds: args.limits.bounds(),
            ..StartRequest::default()
        },
        repeat: args.repeat,
        sample: args.sample,
        seed: args.seed,
        shard: args.shard,
        caps: TotalCaps {
            tokens: args.max_total_tokens,
            cost: args.max_total_cost,
            time: args.max_total_time,
        },
        retry_failed: args.retry_failed,
    }
}

/// Returns what a batch will take: a line, and one for each other number that is not 0.
pub(crate) fn estimate_lines(expected: &Estimate, work: &Work, noun: &str) -> Vec<String> {
    let debates = count_with_noun(expected.debates as u64, noun);
    let mut parts = vec![debates];
    if expected.debates > 0 {
        parts.push(count_with_noun(expected.calls, "call"));
        let [low, high] = expected.tokens.map(abbreviate_count);
        parts.push(match (expected.tokens_known, low == high) {
            (true, false) => format!("{low}–{high} tokens"),
            (true, true) => format!("{low} tokens"),
            (false, _) => format!("about {high} tokens (an average of other debates)"),
        });
        if let Some(cost) = expected.cost_usd {
            parts.push(format_dollars(cost.max(0.01)));
        }
        if let Some([low, high]) = expected.seconds {
            parts.push(format!(
                "{}–{}",
                watch::duration(low),
                watch::duration(high)
            ));
        }
    }
    let mut lines = vec![parts.join(" · ")];
    let before = [
        (expected.done, "done before"),
        (
            expected.failed,
            "failed before; --retry-failed runs them again",
        ),
        (expected.begun, "to continue"),
        (work.duplicates, "the same as an earlier row"),
    ];
    let shown = before.into_iter().filter(|(count, _)| *count > 0);
    lines.extend(shown.map(|(count, what)| format!("  {count} {what}")));
    let Estimate {
        kinds,
        kinds_checked,
        ..
    } = expected;
    if kinds > kinds_checked {
        lines.push(format!(
            "  {kinds_checked} of {kinds} kinds of requests checked; others may not start"
        ));
    }
    lines
}

/// Asks on a terminal whether to start.
pub(crate) async fn confirm(
    edge: &Surroundings,
    global: &Global,
    what: &str,
) -> Result<(), Failure> {
    if !edge.terminal || global.json {
        return Err(Failure::new(
            Code::NotConfirmed,
            "nothing was started, because there is no terminal to ask on",
        )
        .parameter("yes")
        .hint(format!("add --yes to start the {what}")));
    }
    match asking::confirm_on_terminal("\nStart?").await {
        true => Ok(()),
        false => Err(Failure::new(
            Code::Cancelled,
            "stopped; nothing was started",
        )),
    }
}

/// Ends the process on the second signal. Nothing is lost: every answer is on disk before it is
/// used, and the guard ends the tools.
#[expect(clippy::exit, reason = "the user asked twice to end at once")]
pub(crate) fn exit_on_second_signal(stop: CancellationToken) {
    tokio::task::spawn_local(async move {
        stop.cancelled().await;
        let second = stop::signal_cancellation_token();
        second.cancelled().await;
        exit(i32::from(Exit::Failed(FailureKind::Cancelled).code()));
    });
}

fn print_status(
    edge: &Surroundings,
    global: &Global,
    folder: &BatchFolder,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = edge.display_path(folder.path());
    if !folder.path().is_dir() {
        return Err(
            Failure::new(Code::NoFile, format!("there is no batch in {path}"))
                .hint("run the command without --status to start it"),
        );
    }
    let known = results::read(folder)?;
    let doc = BatchDoc::of_results(&path, folder, &known);
    if global.json {
        out.write_json(&doc)?;
        return Ok(Exit::Done);
    }
    out.write_line(&format!("{path}: {}", describe_batch(&doc)))?;
    print_failures(&doc, out)?;
    Ok(Exit::Done)
}

/// Prints the failures by class, each with an example.
pub(crate) fn print_failures(doc: &BatchDoc, out: &mut Out) -> Result<(), Failure> {
    for (code, failures) in &doc.failures {
        out.write_line(&format!(
            "  {} {code}: {}",
            failures.count, failures.example
        ))?;
    }
    Ok(())
}

fn print_summary(
    edge: &Surroundings,
    global: &Global,
    folder: &BatchFolder,
    summary: &Summary,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = edge.display_path(folder.path());
    let doc = BatchDoc::of_run(&path, &summary.progress, &summary.failures);
    match (global.json, &summary.early) {
        (true, None) => out.write_json(&doc)?,
        // The document is the failure.
        (true, Some(_)) => {}
        (false, _) => {
            out.write_line(&format!("{}: {}", doc.folder, describe_batch(&doc)))?;
            print_failures(&doc, out)?;
        }
    }
    check_summary(summary, out)?;
    let Summary { progress, .. } = summary;
    match progress.done == progress.requests {
        true => Ok(Exit::Done),
        false => Ok(Exit::SomeFailed),
    }
}

/// Prints what was not run, and returns why a run ended early.
pub(crate) fn check_summary(summary: &Summary, out: &mut Out) -> Result<(), Failure> {
    if summary.skipped > 0 {
        let debates = count_with_noun(summary.skipped as u64, "debate");
        out.eprint_line(&format!(
            "{debates} not run, because another process uses them; run the same command again later"
        ));
    }
    let again = "run the same command again to continue; finished debates are not asked again";
    match &summary.early {
        None => Ok(()),
        Some(EarlyEnd::Stopped) => {
            Err(Failure::new(Code::Cancelled, "stopped; nothing is lost").hint(again))
        }
        Some(EarlyEnd::Capped(cap)) => {
            let message = format!("the limit {cap} was reached");
            Err(Failure::new(Code::Limit, message)
                .parameter(*cap)
                .hint(format!("raise --{cap} and run the same command again")))
        }
        Some(EarlyEnd::Failed(failure)) => Err(failure.clone()),
    }
}

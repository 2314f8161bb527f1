//! `agon trial`: measures whether a debate is worth its price.

use std::path::PathBuf;

use agon_batch::document::BatchDoc;
use agon_batch::estimate::estimate;
use agon_batch::request::TotalCaps;
use agon_batch::results::{self, Results};
use agon_caller::system::now_ms;
use agon_caller::write_failure;
use agon_debates::request::StartRequest;
use agon_report::text::count_with_noun;
use agon_trial::arm::Arm;
use agon_trial::compare::compare;
use agon_trial::folder::TrialFolder;
use agon_trial::generate::generate;
use agon_trial::inspect::write_logs;
use agon_trial::page::page;
use agon_trial::question::{self, Question};
use agon_trial::report::{load, report};
use agon_trial::request::TrialRequest;
use agon_trial::run::{TrialRun, prepare, work};
use agon_trial::stats::power::{ASSUMED_DISCORDANT, power};
use agon_trial::table::{TableForm, power_lines, render_comparison, render_report};

use super::batch::watch::Progression;
use super::batch::{check_summary, confirm, estimate_lines, exit_on_second_signal, print_failures};
use crate::args::{
    Global, TrialArgs, TrialCommand, TrialFormat, TrialGenerateArgs, TrialRunArgs, TrialShowArgs,
};
use crate::command::debate::seats_from_args;
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::stop;
use crate::surroundings::Surroundings;

// A file of 100,000 questions with a passage each has 300 MB.
/// Maximum size of a file of questions, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Runs `agon trial`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &TrialArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match &args.command {
        None => run_trial(edge, global, &args.run, out).await,
        Some(TrialCommand::Show(args)) => show(edge, global, args, out),
        Some(TrialCommand::Generate(args)) => generate_questions(edge, global, args, out),
        Some(TrialCommand::Compare(args)) => {
            let first = load(edge, &TrialFolder::new(&args.first))?;
            let second = load(edge, &TrialFolder::new(&args.second))?;
            let comparison = compare(&first, &second);
            match table_form(args.format, global) {
                None => out.write_json(&comparison)?,
                Some(form) => out.write_stdout(&render_comparison(&comparison, form))?,
            }
            Ok(Exit::Done)
        }
    }
}

/// Returns the form of tables; `None` for a JSON document.
fn table_form(format: TrialFormat, global: &Global) -> Option<TableForm> {
    match format {
        TrialFormat::Json => None,
        _ if global.json => None,
        TrialFormat::Text => Some(TableForm::Text),
        TrialFormat::Md => Some(TableForm::Markdown),
    }
}

fn show(
    edge: &Surroundings,
    global: &Global,
    args: &TrialShowArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let loaded = load(edge, &TrialFolder::new(&args.folder))?;
    if let Some(path) = &args.html {
        let text = page(&report(&loaded));
        std::fs::write(edge.cwd.join(path), text).map_err(|error| write_failure(&error))?;
        out.eprint_line(&format!("wrote {}", edge.display_path(path)));
    }
    if let Some(to) = &args.inspect {
        let folder = edge.cwd.join(&args.folder);
        for path in write_logs(&folder, &loaded, &edge.cwd.join(to), now_ms())? {
            out.eprint_line(&format!("wrote {}", edge.display_path(&path)));
        }
    }
    if args.outcomes {
        for outcome in &loaded.outcomes {
            out.write_json_line(outcome)?;
        }
        return Ok(Exit::Done);
    }
    let report = report(&loaded);
    match table_form(args.format, global) {
        None => out.write_json(&report)?,
        Some(form) => out.write_stdout(&render_report(&report, form))?,
    }
    Ok(Exit::Done)
}

fn generate_questions(
    edge: &Surroundings,
    global: &Global,
    args: &TrialGenerateArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    global.refuse_json("a file of questions", "leave out --json")?;
    let questions = generate(args.kind, args.difficulty, args.seed, args.count);
    if questions.len() < args.count {
        let count = count_with_noun(questions.len() as u64, "question");
        out.eprint_line(&format!("there are only {count} that differ"));
    }
    let text = question::to_lines(&questions)?;
    match &args.out {
        None => out.write_stdout(&text)?,
        Some(path) => {
            std::fs::write(edge.cwd.join(path), text).map_err(|error| write_failure(&error))?;
        }
    }
    Ok(Exit::Done)
}

async fn run_trial(
    edge: &Surroundings,
    global: &Global,
    args: &TrialRunArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = read_request(edge, global, args, out)
        .await?
        .complete(edge)?;
    let prepared = prepare(edge, &request)?;
    let files = request.files(edge);
    let known = results::read(&files)?;
    let known_by_identity: std::collections::BTreeMap<_, _> = known
        .iter()
        .map(|result| (result.identity.as_str(), result))
        .collect();
    let todo = work(&request, &files, &prepared.requests, |identity| {
        known_by_identity.get(identity).copied()
    });
    let expected = estimate(edge, &todo).await?;
    if args.dry_run && global.json {
        out.write_json(&expected)?;
        return Ok(Exit::Done);
    }
    let mut lines = estimate_lines(&expected, &todo, "answer");
    if let Some(first) = lines.first_mut() {
        let questions = count_with_noun(request.questions.len() as u64, "question");
        *first = format!("{questions} · {first}");
    }
    let has_vote = request.arms.iter().any(|arm| arm.is_vote());
    let is_vote_unknown = has_vote && prepared.trial.votes.is_none();
    if is_vote_unknown {
        lines.push("  then votes, each with as many tokens as a debate".to_owned());
    }
    lines.extend(power_lines(&power(
        request.questions.len(),
        ASSUMED_DISCORDANT,
    )));
    if args.dry_run {
        lines.iter().try_for_each(|line| out.write_line(line))?;
        return Ok(Exit::Done);
    }
    lines.iter().for_each(|line| out.eprint_line(line));
    if (todo.todo() > 0 || is_vote_unknown) && !args.yes {
        confirm(edge, global, "trial").await?;
    }
    let lock = files.lock()?;
    let mut results = Results::open(&files)?;
    let stop = stop::signal_cancellation_token();
    exit_on_second_signal(stop.clone());
    let mut watcher = Progression::new(edge, global, out);
    let run = TrialRun {
        caller: edge,
        request: &request,
        prepared,
        files: &files,
        estimate: &expected,
        stop,
    };
    let summary = run.run(&mut results, &mut watcher).await;
    watcher.finish();
    let summary = summary?;
    drop(lock);
    let loaded = load(edge, &TrialFolder::new(files.path()))?;
    let report = report(&loaded);
    match (global.json, &summary.early) {
        (true, None) => out.write_json(&report)?,
        // The document is the failure.
        (true, Some(_)) => {}
        (false, _) => {
            out.write_line(&edge.display_path(files.path()))?;
            out.write_stdout(&render_report(&report, TableForm::Text))?;
        }
    }
    if !global.json {
        let path = edge.display_path(files.path());
        let doc = BatchDoc::of_run(&path, &summary.progress, &summary.failures);
        print_failures(&doc, out)?;
    }
    check_summary(&summary, out)?;
    // An answer of a vote that failed counts, even if others were given.
    let is_done = summary.progress.done == summary.progress.requests;
    match is_done {
        true => Ok(Exit::Done),
        false => Ok(Exit::SomeFailed),
    }
}

async fn read_request(
    edge: &Surroundings,
    global: &Global,
    args: &TrialRunArgs,
    out: &mut Out,
) -> Result<TrialRequest, Failure> {
    let (dataset, licence, questions) = match &args.dataset {
        Some(name) => fetch_questions(edge, global, name, out).await?,
        None => read_questions(edge, args)?,
    };
    let mut folder = PathBuf::from(dataset.replace(':', "-"));
    if let Some(file) = &args.file {
        folder = file.clone();
    }
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".trial");
    let folder = folder.with_file_name(name);
    let arms: Vec<Arm> = args.arms.0.clone();
    Ok(TrialRequest {
        dataset,
        licence,
        questions,
        sample: args.sample,
        folder: args.out.clone().unwrap_or(folder),
        arms,
        votes: args.votes,
        seed: args.seed,
        base: StartRequest {
            rounds: args.rounds,
            quick: args.quick,
            seats: seats_from_args(&args.seats),
            bounds: args.limits.bounds(),
            ..StartRequest::default()
        },
        caps: TotalCaps {
            tokens: args.max_total_tokens,
            cost: args.max_total_cost,
            time: args.max_total_time,
        },
        retry_failed: args.retry_failed,
    })
}

/// Returns the name of the data set, its licence and its questions.
fn read_questions(
    edge: &Surroundings,
    args: &TrialRunArgs,
) -> Result<(String, Option<String>, Vec<Question>), Failure> {
    let Some(file) = &args.file else {
        let message = "a trial needs a file of questions";
        return Err(Failure::new(Code::MissingParameter, message)
            .parameter("file")
            .hint("name a file of JSON lines; `agon schema trial_question` describes a line"));
    };
    let name = file.display().to_string();
    let text = agon_files::read_to_string(&edge.cwd.join(file), MAX_BYTES);
    let text = text.map_err(|error| {
        Failure::new(Code::NoFile, format!("cannot read {name}: {error}")).parameter("file")
    })?;
    let questions = question::parse(&text, &name)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok((name.into_owned(), None, questions))
}

/// Returns the name of a public data set, its licence and its questions. Fetches it first.
#[cfg(feature = "local-model")]
async fn fetch_questions(
    edge: &Surroundings,
    global: &Global,
    name: &str,
    out: &mut Out,
) -> Result<(String, Option<String>, Vec<Question>), Failure> {
    use agon_seats::model::{PackageFile, pull_package_file};

    use crate::front::Terminal;

    let set = agon_trial::dataset::find(name)?;
    let stored = name.replace(':', "-");
    let file = PackageFile {
        name: &stored,
        title: set.about,
        file: &format!("{stored}.data"),
        size: set.size,
        sha256: set.sha256,
        licence: set.licence,
        package: set.package,
        version: set.version,
        packed: set.packed,
        member: set.member,
    };
    let path = pull_package_file(edge, &file, &mut Terminal::new(edge, global, out)).await?;
    let text = agon_files::read_to_string(&path, MAX_BYTES).map_err(|error| {
        let message = format!("cannot read {}: {error}", path.display());
        Failure::new(Code::Store, message)
    })?;
    let (questions, left_out) = set.parse(&text)?;
    out.eprint_line(&format!("{name}: {}, licence {}", set.about, set.licence));
    if left_out > 0 {
        let left_out = count_with_noun(left_out as u64, "question");
        out.eprint_line(&format!(
            "  {left_out} left out, which have no single right option"
        ));
    }
    Ok((name.to_owned(), Some(set.licence.to_owned()), questions))
}

/// Refuses a public data set, which this build cannot fetch.
#[cfg(not(feature = "local-model"))]
async fn fetch_questions(
    _edge: &Surroundings,
    _global: &Global,
    name: &str,
    _out: &mut Out,
) -> Result<(String, Option<String>, Vec<Question>), Failure> {
    agon_trial::dataset::find(name)?;
    let message = "this build cannot fetch data sets";
    Err(Failure::new(Code::NoLocalModel, message)
        .parameter("dataset")
        .hint(agon_caller::hint::full_build("local-model")))
}

//! `agon context calibrate`: from which length of a prompt on a model misses what stands in it.

use std::time::Duration;

use agon_caller::{CallFront, Notes};
use agon_health::calibrate;
use agon_health::calibrate::{
    Calibration, CalibrationDoc, CalibrationFront, CalibrationPlanDoc, CalibrationSpentDoc,
    CallProgress,
};
use agon_report::text::{
    abbreviate_count, count_with_noun, format_dollars, format_duration, plain_line,
};
use indicatif::{ProgressBar, ProgressDrawTarget};
use tokio_util::sync::CancellationToken;

use super::curve;
use crate::args::{CalibrateArgs, Global};
use crate::asking::confirm_on_terminal;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{DIM, ODD, Out, STRONG, align_columns, apply_style};

/// Columns of sentences, also where there is more room.
const TEXT_WIDTH: usize = 90;

/// Says what it takes, asks, measures and prints what came out.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &CalibrateArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let calibration = Calibration::prepare(edge, args.request())?;
    let before = calibration.document(edge);
    if args.dry_run {
        match global.json {
            true => out.write_json(&before)?,
            false => print_plan(&before, out)?,
        }
        return Ok(Exit::Done);
    }
    let mut document = match calibration.calls_left() {
        0 => before,
        _ => {
            confirm(edge, global, args, &before, out).await?;
            let mut asking = CallLines::new(edge, out);
            calibration.run(edge, &mut asking).await?
        }
    };
    let written = match args.write {
        true => calibrate::write(edge, &mut document),
        false => Ok(()),
    };
    match global.json {
        // One document alone: what was measured, or why it could not be written.
        true if written.is_err() => {}
        true => out.write_json(&document)?,
        false => print_results(edge, &document, out)?,
    }
    written?;
    Ok(match document.stopped {
        Some(_) => FailureKind::Limit.into(),
        None => Exit::Done,
    })
}

/// Lets the person say no, who is needed unless `--yes` is given.
async fn confirm(
    edge: &Surroundings,
    global: &Global,
    args: &CalibrateArgs,
    document: &CalibrationDoc,
    out: &mut Out,
) -> Result<(), Failure> {
    for line in plan_lines(document) {
        out.eprint_line(&line);
    }
    if args.yes {
        return Ok(());
    }
    if !edge.terminal || global.json {
        let message = format!(
            "this takes {}, so it is asked first",
            cost_words(&document.plan)
        );
        return Err(Failure::new(FailureKind::Usage, "not_confirmed", message)
            .parameter("yes")
            .hint("--yes measures without a question; --dry-run says what is asked"));
    }
    match confirm_on_terminal("\nStart?").await {
        true => Ok(()),
        false => {
            let message = "nothing was asked";
            Err(Failure::new(FailureKind::Cancelled, "cancelled", message))
        }
    }
}

fn cost_words(plan: &CalibrationPlanDoc) -> String {
    let cost = plan
        .cost_left
        .map(|cost| format!(", about {}", format_dollars(cost.max(0.01))));
    format!(
        "{} with {} tokens{}",
        count_with_noun(plan.calls_left as u64, "call"),
        abbreviate_count(plan.tokens_left),
        cost.unwrap_or_default()
    )
}

fn plan_lines(document: &CalibrationDoc) -> Vec<String> {
    let plan = &document.plan;
    let lengths: Vec<_> = plan
        .lengths
        .iter()
        .map(|it| curve::token_words(*it))
        .collect();
    let model = document
        .model
        .as_deref()
        .map(|it| format!(" {}", plain_line(it)));
    let done = match plan.calls - plan.calls_left {
        0 => String::new(),
        done => format!("; {done} of {} were made before", plan.calls),
    };
    vec![
        format!(
            "Measured  {}{} · {}",
            document.tool,
            model
                .filter(|it| !document.tool.contains(it.trim()))
                .unwrap_or_default(),
            document.effort
        ),
        format!("Prompts   {} tokens", lengths.join(", ")),
        format!(
            "Each      {} facts at {} depths, asked in 2 wordings, without and with distractors, {}",
            plan.questions,
            plan.depths,
            count_with_noun(u64::from(plan.seeds), "seed")
        ),
        format!(
            "Takes     {}, and what the tool adds of its own{done}",
            cost_words(plan)
        ),
        apply_style(DIM, &format!("Kept in   {}", plain_line(&plan.file))),
    ]
}

fn print_plan(document: &CalibrationDoc, out: &mut Out) -> Result<(), Failure> {
    plan_lines(document)
        .iter()
        .try_for_each(|line| out.write_line(line))
}

fn print_results(
    edge: &Surroundings,
    document: &CalibrationDoc,
    out: &mut Out,
) -> Result<(), Failure> {
    if document.lengths.is_empty() {
        out.eprint_line("nothing is measured yet");
        return Ok(());
    }
    let model = document.model.as_deref().unwrap_or_default();
    out.write_line(&apply_style(
        STRONG,
        &plain_line(&format!("{} {model} · {}", document.tool, document.effort)),
    ))?;
    out.write_stdout(&align_columns(&curve::table(document), edge.table_width))?;
    out.write_line("")?;
    for line in curve::draw(document) {
        out.write_line(&line)?;
    }
    out.write_line("")?;
    for line in curve::draw_depths(document) {
        out.write_line(&line)?;
    }
    out.write_line("")?;
    for sentence in &document.conclusions {
        let width = edge.width.min(TEXT_WIDTH);
        for line in textwrap::wrap(&plain_line(sentence), width) {
            out.write_line(&line)?;
        }
    }
    if let Some(limit) = &document.limit {
        out.write_line(&format!(
            "\n{}",
            apply_style(DIM, "For your configuration:")
        ))?;
        out.write_line(&plain_line(&limit.configuration))?;
        out.write_line(&apply_style(DIM, "For content/context/limits.toml:"))?;
        for line in limit.row.lines() {
            out.write_line(&plain_line(line))?;
        }
    }
    if let Some(path) = &document.written {
        out.write_line(&format!("written to {}", plain_line(path)))?;
    }
    out.write_line(&format!("\n{}", spent_line(&document.spent)))?;
    if let Some(limit) = document.stopped {
        let flag = limit.replace('_', "-");
        let left = count_with_noun(document.plan.calls_left as u64, "call");
        out.eprint_line(&apply_style(
            ODD,
            &format!("--{flag} stopped it with {left} to go; the same command goes on"),
        ));
    }
    Ok(())
}

fn spent_line(spent: &CalibrationSpentDoc) -> String {
    let cost = spent.cost.map(|cost| format!(", {}", format_dollars(cost)));
    let about = match spent.estimated {
        true => "about ",
        false => "",
    };
    format!(
        "Took {}, {about}{} tokens read ({} from a cache), {} written{}, {}",
        count_with_noun(spent.calls as u64, "call"),
        abbreviate_count(spent.input),
        abbreviate_count(spent.cached),
        abbreviate_count(spent.output),
        cost.unwrap_or_default(),
        format_duration(spent.took_ms)
    )
}

/// How far a measurement is: a line that moves on a terminal, a line for each call elsewhere.
struct CallLines<'a> {
    out: &'a mut Out,
    bar: Option<ProgressBar>,
}

impl<'a> CallLines<'a> {
    fn new(edge: &Surroundings, out: &'a mut Out) -> Self {
        let bar = || {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        };
        Self {
            bar: edge.terminal.then(bar),
            out,
        }
    }

    fn print(&mut self, text: &str) {
        let out = &mut *self.out;
        match &self.bar {
            Some(bar) => bar.suspend(|| out.eprint_line(text)),
            None => out.eprint_line(text),
        }
    }
}

impl Drop for CallLines<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Notes for CallLines<'_> {
    fn note(&mut self, note: &str) {
        self.print(note);
    }

    fn warn(&mut self, warning: &str) {
        self.print(&format!("{ODD}warning{ODD:#}: {warning}"));
    }
}

impl CallFront for CallLines<'_> {
    fn cancel_token(&mut self) -> CancellationToken {
        self.out.cancel_token()
    }
}

impl CalibrationFront for CallLines<'_> {
    fn call_started(&mut self, progress: &CallProgress) {
        if let Some(bar) = &self.bar {
            bar.set_message(progress_words(progress));
        }
    }

    fn call_finished(&mut self, progress: &CallProgress) {
        let words = progress_words(progress);
        match progress.found {
            Some(found) => self.print(&format!("{words}: {found} of {}", progress.questions)),
            None => self.print(&format!("{words}: not taken")),
        }
    }
}

fn progress_words(progress: &CallProgress) -> String {
    let (done, calls) = (progress.done, progress.calls);
    let width = calls.to_string().len();
    let beside = match progress.distractors {
        true => " with distractors",
        false => "",
    };
    format!(
        "{done:>width$}/{calls}  {:>5} tokens, {}{beside}",
        curve::token_words(progress.tokens),
        progress.wording
    )
}

//! `agon context --examine`: examines a session with a model, or tests the model.

use agon_caller::{CallFront, Notes};
use agon_debates::questions::examine::{self, ExamineFront, ExaminerRequest};
use agon_health::{ExaminerTestDoc, IntervalDoc};
use agon_report::text::{abbreviate_count, count_with_noun};
use async_trait::async_trait;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use super::print_session;
use crate::args::{ContextArgs, Global};
use crate::asking::confirm_on_terminal;
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, apply_style};
use crate::surroundings::Surroundings;

/// Examines the session or tests the model.
pub(crate) async fn examine(
    edge: &Surroundings,
    global: &Global,
    args: &ContextArgs,
    examiner: ExaminerRequest,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut front = Examining {
        asks: edge.terminal && !args.yes && !global.json,
        shows: edge.terminal,
        bar: None,
        out,
    };
    if args.self_test {
        let tested = examine::test_examiner(edge, &examiner, &mut front).await;
        front.close();
        let tested = tested?;
        match global.json {
            true => out.write_json(&tested)?,
            false => print_test(&tested, out)?,
        }
        return Ok(Exit::Done);
    }
    let request = args.examination(examiner);
    let examined = examine::examine(edge, &request, &mut front).await;
    front.close();
    let document = examined?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    for session in &document.sessions {
        print_session(edge, session, args.session.as_deref(), out)?;
    }
    Ok(Exit::Done)
}

/// Shows the progress of an examination.
struct Examining<'a> {
    /// Whether to ask the user before sending the session.
    asks: bool,
    shows: bool,
    bar: Option<ProgressBar>,
    out: &'a mut Out,
}

impl Examining<'_> {
    fn close(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Notes for Examining<'_> {
    fn note(&mut self, note: &str) {
        self.out.eprint_line(note);
    }

    fn warn(&mut self, warning: &str) {
        self.out.eprint_warning(warning);
    }
}

#[async_trait(?Send)]
impl CallFront for Examining<'_> {
    fn cancel_token(&mut self) -> CancellationToken {
        let target = ProgressDrawTarget::stderr();
        if self.shows && self.bar.is_none() {
            let bar = ProgressBar::with_draw_target(None, target);
            bar.set_style(ProgressStyle::default_spinner());
            bar.set_message("examining");
            bar.enable_steady_tick(Duration::from_millis(250));
            self.bar = Some(bar);
        }
        self.out.cancel_token()
    }

    fn can_ask(&self) -> bool {
        self.out.can_ask()
    }

    async fn is_agreed(&mut self, question: &str) -> bool {
        self.out.is_agreed(question).await
    }
}

#[async_trait(?Send)]
impl ExamineFront for Examining<'_> {
    async fn agrees(&mut self) -> bool {
        !self.asks || confirm_on_terminal("Ask?").await
    }

    fn part_finished(&mut self, done: usize, all: usize) {
        match &self.bar {
            Some(bar) => bar.set_message(format!("examined {done} of {all}")),
            None => self.out.eprint_line(&format!("  part {done} of {all}")),
        }
    }
}

fn print_test(tested: &ExaminerTestDoc, out: &mut Out) -> Result<(), Failure> {
    let name = match &tested.model {
        Some(model) => format!("{} ({model})", tested.tool),
        None => tested.tool.clone(),
    };
    out.write_line(&format!(
        "{name} on {} with a planted finding and {} healthy ones",
        count_with_noun(tested.planted as u64, "session"),
        tested.healthy
    ))?;
    let precision = tested.precision.map_or_else(
        || "unknown, because no finding was verified".to_owned(),
        |it| format_interval(&it),
    );
    let verified = tested.found + tested.wrong;
    out.write_line(&format!(
        "Recall     {}: found {} of {}",
        format_interval(&tested.recall),
        tested.found,
        tested.planted
    ))?;
    out.write_line(&format!("Precision  {precision}"))?;
    out.write_line(&format!(
        "Alarms     in {} of {} healthy sessions",
        tested.alarms, tested.healthy
    ))?;
    for pattern in &tested.patterns {
        out.write_line(&format!(
            "           {}: {} of {}",
            pattern.pattern.replace('_', " "),
            pattern.found,
            pattern.planted
        ))?;
    }
    out.write_line(&format!(
        "Dropped    {} of {} proposed findings; {verified} verified",
        tested.dropped.iter().map(|it| it.count).sum::<usize>(),
        tested.proposed
    ))?;
    for dropped in &tested.dropped {
        out.write_line(&apply_style(
            DIM,
            &format!("           {}×: {}", dropped.count, dropped.words),
        ))?;
    }
    out.write_line(&format!(
        "Cost       {} tokens in {}",
        abbreviate_count(tested.tokens),
        count_with_noun(tested.asked as u64, "call")
    ))?;
    if tested.failed > 0 {
        out.write_line(&format!(
            "Failed     {} without a usable answer",
            count_with_noun(tested.failed as u64, "call")
        ))?;
    }
    for failure in &tested.failures {
        out.write_line(&apply_style(
            DIM,
            &format!("           {}×: {}", failure.count, failure.why),
        ))?;
    }
    Ok(())
}

/// Formats a share and its interval in percent.
fn format_interval(interval: &IntervalDoc) -> String {
    let percent = |share: f64| format!("{:.0}%", share * 100.0);
    format!(
        "{} (95% interval {} to {})",
        percent(interval.share),
        percent(interval.low),
        percent(interval.high)
    )
}

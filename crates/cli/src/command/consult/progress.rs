//! The progress of a consult: one line per tool on a terminal.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_caller::{CallFront, Notes};
use agon_debates::questions::consult::{ConsultAnswer, ConsultFront};
use agon_debates::request::ToolName;
use agon_report::text::{abbreviate_count, format_duration};
use async_trait::async_trait;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget};
use tokio_util::sync::CancellationToken;

use crate::output::Out;
use crate::surroundings::Surroundings;

/// Shows which tools are being asked, and the result of each.
pub(super) struct Asking<'a> {
    out: &'a mut Out,
    /// The progress lines; `None` without a terminal.
    lines: Option<MultiProgress>,
    bars: BTreeMap<usize, ProgressBar>,
}

impl<'a> Asking<'a> {
    /// Returns the progress before the first tool is asked.
    pub(super) fn new(edge: &Surroundings, out: &'a mut Out) -> Self {
        let target = || MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        Self {
            out,
            lines: edge.terminal.then(target),
            bars: BTreeMap::new(),
        }
    }
}

impl Notes for Asking<'_> {
    fn note(&mut self, note: &str) {
        self.out.eprint_line(note);
    }

    fn warn(&mut self, warning: &str) {
        self.out.eprint_warning(warning);
    }
}

#[async_trait(?Send)]
impl CallFront for Asking<'_> {
    fn cancel_token(&mut self) -> CancellationToken {
        self.out.cancel_token()
    }

    fn can_ask(&self) -> bool {
        self.out.can_ask()
    }

    async fn is_agreed(&mut self, question: &str) -> bool {
        self.out.is_agreed(question).await
    }
}

impl ConsultFront for Asking<'_> {
    fn ask_started(&mut self, at: usize, tool: &ToolName) {
        let Some(lines) = &self.lines else {
            return;
        };
        let bar = ProgressBar::new_spinner().with_message(format!("{tool} …"));
        let bar = lines.add(bar);
        bar.enable_steady_tick(Duration::from_millis(250));
        self.bars.insert(at, bar);
    }

    fn ask_finished(&mut self, at: usize, answer: &ConsultAnswer, note: Option<&str>) {
        if let Some(bar) = self.bars.remove(&at) {
            bar.finish_and_clear();
        }
        let out = &mut *self.out;
        let mut print = || {
            note.iter().for_each(|note| out.eprint_line(note));
            out.eprint_line(&format_answer_line(answer));
        };
        match &self.lines {
            Some(lines) => lines.suspend(print),
            None => print(),
        }
    }
}

/// Formats the result of asking a tool on one line.
fn format_answer_line(answer: &ConsultAnswer) -> String {
    let took = format_duration(answer.took_ms());
    let what = match (&answer.answer, answer.usage) {
        (Ok(_), Some(usage)) => format!(
            "answered · {} tokens",
            abbreviate_count(usage.total_tokens())
        ),
        (Ok(_), None) => "answered".to_owned(),
        (Err(failure), _) => failure.message.clone(),
    };
    format!("  {:<9} {took:>5}  {what}", answer.tool.as_str())
}

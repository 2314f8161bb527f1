//! Records a person's answer like any other reply.

use std::time::Duration;

use agon_record::event::{Event, Given, Reply, Usage};
use agon_record::id::AskKey;
use agon_redact::{Redactor, unescape_printable};
use agon_rules::plan::{self, Effect};

use crate::call::{millis, prepare_ask};
use crate::host::Host;
use crate::seat_sessions::seat_findings;

/// Why an answer was not recorded.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError<E: std::error::Error + 'static> {
    /// The debate is not waiting for this answer: it has one already, or has moved on.
    #[error("the debate is not waiting for an answer to {key}")]
    NotAwaited {
        /// The ask that was answered.
        key: AskKey,
    },
    /// The record could not be written.
    #[error("cannot write the record of the debate")]
    Host(#[source] E),
}

/// Records `text` as the answer of the person whose turn is `key`. `took` is how long they had it,
/// and `heard` how many of the user's notes they were shown.
///
/// Records the question and the answer in one step, since nothing was recorded while they were
/// thinking. [`run_debate`](crate::run::run_debate) then continues as after any reply. Secrets are
/// removed first. The answer costs nothing and takes no time of the debate's clock.
///
/// # Errors
///
/// If the debate is not waiting for it, or the record cannot be written; nothing is recorded then.
pub fn record_human_answer<H: Host>(
    host: &mut H,
    redactor: &Redactor,
    key: AskKey,
    text: &str,
    took: Duration,
    heard: usize,
) -> Result<(), AnswerError<H::Error>> {
    let state = host.state();
    if !plan::asks_awaiting_person(state).contains(&key) {
        return Err(AnswerError::NotAwaited { key });
    }
    let effect = Effect {
        key,
        after_ms: 0,
        reserve: 0,
    };
    let heard = u32::try_from(heard.min(state.words.len())).unwrap_or(u32::MAX);
    let Some((mut asked, _)) = prepare_ask(state, &effect, None, heard) else {
        return Err(AnswerError::NotAwaited { key });
    };
    // A person has no time limit, which is recorded as 0.
    asked.timeout_ms = 0;
    asked.seat_findings = seat_findings(state, key);
    let text = unescape_printable(text);
    let clean = redactor.redact(&text);
    let given = Given {
        key,
        redacted: u32::try_from(clean.hits.len()).unwrap_or(u32::MAX),
        reply: Reply::Text(clean.text.into_owned()),
        usage: Usage::default(),
        took_ms: millis(took),
        clock_ms: state.spent.clock_ms,
        at_ms: host.now_ms(),
        stop_reason: None,
        model: None,
    };
    let events = [Event::Asked(asked), Event::Given(given)];
    host.record(&events).map_err(AnswerError::Host)
}

//! Handles a user's requests to a running debate.

use agon_record::event::Event;
use agon_record::user::{Item, UserRequest};
use agon_rules::steer::{CommandRefusal, accept_request};

use crate::host::Host;

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestAnswer {
    /// The request was granted and is recorded as this event.
    Granted(Event),
    /// The request was granted before.
    Known,
    /// The run must stop.
    Stop,
    /// The request does not apply now.
    Refused(CommandRefusal),
}

/// Grants a request, or returns why it does not apply.
///
/// # Errors
///
/// If the record cannot be written; nothing has changed then.
pub fn grant_request<H: Host>(host: &mut H, item: &Item) -> Result<RequestAnswer, H::Error> {
    match accept_request(host.state(), item.id, &item.wish) {
        Err(refused) => Ok(RequestAnswer::Refused(refused)),
        Ok(None) if item.wish == UserRequest::Stop => Ok(RequestAnswer::Stop),
        Ok(None) => Ok(RequestAnswer::Known),
        Ok(Some(event)) => {
            host.record(std::slice::from_ref(&event))?;
            Ok(RequestAnswer::Granted(event))
        }
    }
}

/// Handles submitted requests, the oldest first, until one stops the run.
///
/// Each is recorded before it is removed; after a crash in between, it is recognized by its id.
///
/// # Errors
///
/// If requests cannot be read, or the record cannot be written.
pub fn grant_submitted_requests<H: Host>(
    host: &mut H,
) -> Result<Vec<(Item, RequestAnswer)>, H::Error> {
    let mut answers = Vec::new();
    for item in host.pending_requests()? {
        let answer = grant_request(host, &item)?;
        host.mark_request_done(item.id)?;
        let stop = answer == RequestAnswer::Stop;
        answers.push((item, answer));
        if stop {
            break;
        }
    }
    Ok(answers)
}

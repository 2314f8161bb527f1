//! What the user wants of a debate that goes on, and what comes of it.

use agon_record::event::Event;
use agon_record::user::{Item, UserRequest};
use agon_rules::steer::{CommandRefusal, accept_request};

use crate::host::Host;

/// What came of a wish.
#[derive(Clone, Debug, PartialEq)]
pub enum WishAnswer {
    /// It is recorded, as this event.
    Granted(Event),
    /// It was granted before.
    Known,
    /// The run is to stop.
    Stop,
    /// It makes no sense here and now.
    Refused(CommandRefusal),
}

/// Grants a wish, or says why not.
///
/// # Errors
///
/// If the record cannot be kept; nothing has changed then.
pub fn grant_request<H: Host>(host: &mut H, item: &Item) -> Result<WishAnswer, H::Error> {
    match accept_request(host.state(), item.id, &item.wish) {
        Err(refused) => Ok(WishAnswer::Refused(refused)),
        Ok(None) if item.wish == UserRequest::Stop => Ok(WishAnswer::Stop),
        Ok(None) => Ok(WishAnswer::Known),
        Ok(Some(event)) => {
            host.record(std::slice::from_ref(&event))?;
            Ok(WishAnswer::Granted(event))
        }
    }
}

/// Handles submitted requests, oldest first, up to one that stops the run.
///
/// Each is recorded before it is done with, and known by its name if a crash
/// comes between.
///
/// # Errors
///
/// If it cannot be read, or the record cannot be kept.
pub fn grant_submitted_requests<H: Host>(
    host: &mut H,
) -> Result<Vec<(Item, WishAnswer)>, H::Error> {
    let mut answers = Vec::new();
    for item in host.pending_requests()? {
        let answer = grant_request(host, &item)?;
        host.mark_request_done(item.id)?;
        let stop = answer == WishAnswer::Stop;
        answers.push((item, answer));
        if stop {
            break;
        }
    }
    Ok(answers)
}

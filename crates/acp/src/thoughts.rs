//! Sends the live words of a seat as thoughts, which clients show apart from the answer.

use agon_caller::Caller;
use agon_debates::live::LiveReader;
use agon_debates::steer::observer::AskKey;

use crate::updates::Updates;

/// Sends the live words of a debate that another process runs.
#[derive(Debug)]
pub(crate) struct Thoughts<'a> {
    caller: &'a Caller,
    debate: String,
    reader: Option<LiveReader>,
    /// The call whose words were sent last.
    call: Option<AskKey>,
}

impl<'a> Thoughts<'a> {
    /// Returns a sender for the live words of the debate with this id.
    pub(crate) fn of(caller: &'a Caller, debate: String) -> Self {
        Self {
            caller,
            debate,
            reader: None,
            call: None,
        }
    }

    /// Sends new words, if the debate's process streams them.
    pub(crate) fn send_new(&mut self, updates: &Updates) {
        if self.reader.is_none() {
            self.reader = LiveReader::connect(self.caller, &self.debate);
        }
        let Some(reader) = &mut self.reader else {
            return;
        };
        let Some(new) = reader.read_new() else {
            self.reader = None;
            return;
        };
        for one in new {
            if self.call != Some(one.call) {
                updates.send_thought(&format!("\n\n**{}**: ", one.call.turn.seat));
                self.call = Some(one.call);
            }
            updates.send_thought(&one.words);
        }
    }
}

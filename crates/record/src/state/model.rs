//! The model in a seat.

use super::State;
use crate::event::Given;
use crate::id::Seat;
use crate::spec::Seating;

/// The model name that leaves the choice to the tool.
const ITS_CHOICE: &str = "auto";

impl State {
    /// Returns the model in a seat: the model that the user named, otherwise the model that the
    /// tool last reported, otherwise the model for the effort level, which may be an alias for the
    /// newest of a family.
    pub fn model(&self, seat: Seat) -> Option<&str> {
        let seating = self.seats.get(&seat)?;
        let asked = configured_model(seating);
        let named = asked.filter(|_| seating.class.is_none());
        let answered = || self.last_reply_with_model(seat, seating)?.model.as_deref();
        named.or_else(answered).or(asked)
    }

    /// Returns the last reply of the tool now in the seat that reports its model.
    fn last_reply_with_model(&self, seat: Seat, seating: &Seating) -> Option<&Given> {
        let turns = self
            .turns
            .iter()
            .rev()
            .filter(|(turn, _)| turn.seat == seat);
        let asks = turns.flat_map(|(_, turn)| turn.asks.iter().rev());
        let by_tool = asks.filter(|ask| {
            let asked = ask.asked.as_ref();
            asked.is_some_and(|asked| asked.tool == seating.tool)
        });
        by_tool
            .filter_map(|ask| ask.given.as_ref())
            .find(|given| given.model.is_some())
    }
}

fn configured_model(seating: &Seating) -> Option<&str> {
    let model = seating.model.as_deref();
    model.filter(|name| !name.is_empty() && *name != ITS_CHOICE)
}

//! The colours of context states.

use agon_health::ContextState;
use anstyle::Style;

use crate::output::{BAD, DIM, GOOD, ODD, apply_style};

pub(super) fn state_style(state: ContextState) -> Style {
    match state {
        ContextState::Green => GOOD,
        ContextState::Amber => ODD,
        ContextState::Red => BAD,
        ContextState::Unknown => DIM,
    }
}

pub(super) fn styled_state(state: ContextState) -> String {
    apply_style(state_style(state), state.as_str())
}

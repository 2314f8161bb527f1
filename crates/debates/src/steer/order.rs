//! Orders to a debate: judge now, or add rounds.

use agon_caller::{Caller, Failure, Notes, depth, find};
use agon_record::user::{Order, UserRequest};
use agon_rules::steer::describe_order_effect;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Submitted, submit};
use crate::status::choose;
use crate::status::choose::LikelyDebate;

/// The effect of an order: `agon.ordered/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrderDoc {
    schema: &'static str,
    /// The debate's name.
    pub debate: String,
    /// The name that its user types for it in commands.
    #[serde(skip)]
    pub command_name: String,
    order: &'static str,
    rounds: u16,
    /// Whether the debate is running.
    pub runs: bool,
    /// The effect in words.
    pub says: String,
}

impl OrderDoc {
    pub(crate) fn from_submitted(submitted: Submitted, order: Order) -> Self {
        let Submitted { state, runs, .. } = submitted;
        Self {
            schema: "agon.ordered/1",
            order: match order {
                Order::Judge => "judge",
                Order::Rounds { .. } => "rounds",
            },
            rounds: state.planned_rounds(),
            runs,
            says: describe_order_effect(&state, order),
            command_name: state.command_name().to_owned(),
            debate: state.spec.slug,
        }
    }
}

/// Orders a duel to go to the judge now.
///
/// # Errors
///
/// If it does not apply there, or the writer does not take it in time.
pub async fn order_judgment(
    caller: &Caller,
    debate: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<OrderDoc, Failure> {
    depth::refuse_nested(caller)?;
    let path = choose::find_or_choose(caller, debate, LikelyDebate::Unfinished, notes)?;
    find::refuse_damaged(caller, &path)?;
    let submitted = submit(&path, UserRequest::Order(Order::Judge), notes).await?;
    Ok(OrderDoc::from_submitted(submitted, Order::Judge))
}

//! `agon judge`: sends a duel to the judge now.

use agon_record::user::{Order, Wish};
use agon_rules::steer::ordered;
use serde_json::json;

use crate::args::{Global, JudgeArgs};
use crate::command::debate::refuse_depth;
use crate::command::{steer, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;

/// Runs `agon judge`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &JudgeArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    refuse_depth(edge)?;
    let path = which::find(edge, global, args.debate.as_deref())?;
    let handed = steer::hand_in(&path, Wish::Order(Order::Judge), out).await?;
    tell(global, &handed, Order::Judge, out)?;
    Ok(Exit::Done)
}

/// Says what an order comes to.
///
/// # Errors
///
/// If stdout cannot take it.
pub(crate) fn tell(
    global: &Global,
    handed: &steer::Handed,
    order: Order,
    out: &mut Out,
) -> Result<(), Failure> {
    let slug = &handed.state.spec.slug;
    let says = ordered(&handed.state, order);
    if global.json {
        let name = match order {
            Order::Judge => "judge",
            Order::Rounds { .. } => "rounds",
        };
        return out.json(&json!({
            "schema": "agon.ordered/1",
            "debate": slug,
            "order": name,
            "rounds": handed.state.rounds(),
            "runs": handed.runs,
            "says": says,
        }));
    }
    out.line(&says)?;
    if !handed.runs {
        out.note(&format!("it does not run now: agon resume {slug} goes on"));
    }
    Ok(())
}

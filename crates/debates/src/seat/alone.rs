//! One tool alone: two models of it debate, where that is wanted.

use agon_caller::{Caller, host_sign};
use agon_record::spec::ModelClass;
use agon_seats::seating::{Candidate, Wishes, models_of_lone_tool};

use crate::front::FrontEnd;

/// The wishes with two models of the only tool that can speak, where no other is named: its strong
/// one proposes, its standard one challenges. A person on a terminal is asked; inside an AI host
/// it is done and said; else the wishes stay as they are.
pub(crate) async fn seat_two_models(
    caller: &Caller,
    wishes: Wishes,
    candidates: &[Candidate],
    front: &mut dyn FrontEnd,
) -> Wishes {
    let Some(pair) = models_of_lone_tool(&wishes, candidates) else {
        return wishes;
    };
    let (tool, [strong, standard]) = (&pair.tool, &pair.models);
    let is_wanted = if front.has_person() {
        let question = format!(
            "Only {tool} can debate here. Let two models of it debate, {strong} against {standard}?"
        );
        front.confirm(&question).await
    } else {
        let in_host = host_sign::is_in_host(caller);
        if in_host {
            front.note(&format!(
                "note: only {tool} can debate here, so two models of it do: {strong} against {standard}"
            ));
        }
        in_host
    };
    if !is_wanted {
        return wishes;
    }
    let mut wishes = wishes;
    let sides = [
        (&mut wishes.proposer, ModelClass::Strong),
        (&mut wishes.challenger, ModelClass::Standard),
    ];
    for (side, class) in sides {
        side.tool = Some(tool.to_string());
        side.class = Some(class);
    }
    wishes
}

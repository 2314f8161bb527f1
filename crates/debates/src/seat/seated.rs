//! The tools of a debate in their seats, and the substitutes of its debaters.

use std::collections::BTreeMap;

use agon_caller::{Caller, Failure};
use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::{Seating, Standby, ToolName};
use agon_seats::seating::{Wishes, assign_seats, separate_unready_tools, side_substitutes};
use agon_seats::tools::Tools;

use crate::front::FrontEnd;
use crate::seat::consent::{self, Material};
use crate::seat::substitute;

/// The seats of a debate and its tools.
pub(crate) struct Seated {
    /// The tools that were found.
    pub tools: Tools,
    /// The seats.
    pub seats: BTreeMap<Seat, Seating>,
    /// The substitutes of the judge, in order.
    pub judge_substitutes: Vec<Seating>,
    /// The substitutes of the debaters.
    pub standby: Standby,
}

impl Seated {
    /// Drops the substitutes that cannot read a folder.
    pub(crate) fn drop_substitutes_without_folder_access(&mut self) {
        let can_read = |one: &Seating| self.tools.first_without_folder_access([one]).is_none();
        let substitutes = self.standby.substitutes.values_mut();
        substitutes.for_each(|substitutes| substitutes.retain(can_read));
    }
}

/// Which tools may be replaced when seats are assigned.
pub(crate) struct Placement<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The configuration.
    pub settings: &'a Settings,
    /// The tools named in the request or the configuration.
    pub own: Vec<ToolName>,
    /// The tools named in the request.
    pub named: Vec<ToolName>,
    /// Whether any tool that is not ready may be replaced.
    pub may_replace: bool,
    /// The sides whose tools Agon chose, which may be replaced without asking.
    pub chosen: Vec<Seat>,
    /// The sides that have spoken, which keep their tools.
    pub spoken: Vec<Seat>,
    /// Whether the debate is only planned, so that nothing is sent.
    pub is_plan: bool,
}

impl Placement<'_> {
    /// Seats the tools. Replaces a missing or logged-out tool if Agon chose it, or if the request
    /// or the person allows it.
    ///
    /// # Errors
    ///
    /// If a tool is not ready and is not replaced, there are too few, or the user does not allow a
    /// vendor.
    pub(crate) async fn seat(
        &self,
        tools: Tools,
        wishes: &Wishes,
        front: &mut dyn FrontEnd,
    ) -> Result<Seated, Failure> {
        let can_ask = consent::can_ask(self.caller, front.has_person());
        let candidates = tools.seat_candidates(can_ask);
        let (mut tools, assigned, replaced) = match assign_seats(wishes, &candidates) {
            Ok(assigned) => (tools, assigned, Vec::new()),
            Err(failure) if substitute::is_unready_failure(&failure) => {
                let tools = match self.may_replace {
                    true => tools,
                    // Only the named tools were detected so far, so look for others too.
                    false => {
                        let all = Tools::detect(self.caller, self.settings, &self.own).await?;
                        all.with_named(self.named.iter().cloned())
                    }
                };
                let may = |seat: Seat| !self.spoken.contains(&seat);
                let candidates = tools.seat_candidates(can_ask);
                let (open, unready) = separate_unready_tools(wishes, &candidates, may);
                let Ok(assigned) = assign_seats(&open, &candidates) else {
                    return Err(failure);
                };
                if unready.is_empty() {
                    return Err(failure);
                }
                let is_chosen = unready.seats().all(|seat| self.chosen.contains(&seat));
                let replaced = unready.into_replacements(&assigned.seats);
                if !self.may_replace && !is_chosen && !substitute::confirm(&replaced, front).await {
                    return Err(substitute::with_substitute_flag_hint(failure));
                }
                (tools, assigned, replaced)
            }
            Err(failure) => return Err(failure),
        };
        if !self.is_plan {
            let context = self.settings.context.as_deref();
            let material = Material::of_context(self.caller, context);
            let seats = assigned.seats.values();
            tools = consent::ask(self.caller, tools, &material, seats, front).await?;
        }
        let allowed = tools.seat_candidates(false);
        let sides = wishes.format.sides().into_iter();
        let is_taken = |seat| replaced.iter().any(|one| one.seat == seat);
        let is_free = |seat| self.may_replace || self.chosen.contains(&seat) || is_taken(seat);
        let free = sides.filter(|seat| is_free(*seat) && !self.spoken.contains(seat));
        let substitutes = free.map(|seat| {
            let found = side_substitutes(&assigned.seats, seat, &allowed);
            (seat, found)
        });
        let substitutes = substitutes.collect();
        let mut judge_substitutes = assigned.substitutes;
        judge_substitutes.retain(|one| tools.missing_consent(&one.tool).is_none());
        Ok(Seated {
            seats: assigned.seats,
            judge_substitutes,
            standby: Standby {
                substitutes,
                replaced,
            },
            tools,
        })
    }
}

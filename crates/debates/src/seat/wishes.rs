//! Resolves the wishes for each seat: from the request, else the record, else the configuration.

use std::collections::BTreeMap;

use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::{Effort, FormatName, Seating};
use agon_seats::seating::{SeatWish, Wishes};

use crate::request::{SeatRequest, SeatsRequest};

/// The defaults for seats that a request leaves open.
#[derive(Clone, Copy)]
pub(crate) struct WishSources<'a> {
    /// The configuration.
    pub settings: &'a Settings,
    /// The previous seats.
    pub before: &'a BTreeMap<Seat, Seating>,
    /// The minimum effort of the judges, unless the request sets theirs.
    pub judge_effort: Effort,
}

impl WishSources<'_> {
    /// Returns the wishes for every seat of a debate of `format` with `panel` judges.
    pub(crate) fn wishes(&self, format: FormatName, asked: &SeatsRequest, panel: usize) -> Wishes {
        let judges = &asked.judges;
        let judge = |(at, number)| {
            let judge = SeatRequest {
                tool: judges.tools.get(at).cloned(),
                model: judges.models.get(at).cloned(),
                effort: judges.effort,
            };
            self.wish(Seat::Judge(number), &judge, asked)
        };
        let [one, other] = format.sides();
        let [first, second] = &asked.sides;
        Wishes {
            format,
            sides: [
                self.wish(one, first, asked),
                self.wish(other, second, asked),
            ],
            judges: (0..panel).zip(1..).map(judge).collect(),
            same_tool: asked.same_tool,
        }
    }

    fn wish(&self, seat: Seat, asked: &SeatRequest, all: &SeatsRequest) -> SeatWish {
        let settings = self.settings;
        let before = self.before.get(&seat);
        // A panel that the request names replaces the previous panel completely.
        let before = before.filter(|_| !seat.is_judge() || all.judges.tools.is_empty());
        let configured = match seat {
            Seat::Proposer => settings.proposer.as_ref(),
            Seat::Challenger => settings.challenger.as_ref(),
            Seat::JUDGE => settings.judge.as_ref(),
            _ => None,
        };
        let tool = asked.tool.clone();
        let tool = tool.or_else(|| before.map(|before| before.tool.to_string()));
        let tool = tool.or_else(|| configured.cloned());
        // Keep the previous model only if the tool is the same.
        let same = before.filter(|before| tool.as_deref() == Some(before.tool.as_str()));
        let configured = || settings.model.get(&seat.to_string()).cloned();
        let model = asked.model.clone();
        let model = model.or_else(|| configured().filter(|_| same.is_none()));
        let at_least = |effort: Effort| match seat.is_judge() {
            true => effort.max(self.judge_effort),
            false => effort,
        };
        let effort = asked.effort.or_else(|| all.effort.map(at_least));
        let effort = effort.or(before.map(|before| before.effort));
        SeatWish {
            tool,
            model,
            effort: effort.unwrap_or_else(|| at_least(settings.effort)),
            before: same.cloned(),
            class: None,
        }
    }
}

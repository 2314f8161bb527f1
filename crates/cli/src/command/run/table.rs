//! Who sits at the table of a run.

use std::collections::BTreeMap;

use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::{Effort, Seating};
use agon_record::state::State;

use crate::args::RunArgs;
use crate::command::debate::judges;
use crate::edge::Edge;
use crate::error::Failure;
use crate::output::Out;
use crate::seating::{FormalWishes, Wish, seat_formal};
use crate::tools::Tools;

/// Seats the tools: those named now, else those of the last run, else those
/// that are here.
///
/// # Errors
///
/// If a tool cannot speak, or the panel is too large.
pub(super) async fn lay(
    edge: &Edge,
    args: &RunArgs,
    settings: &Settings,
    state: &State,
    out: &mut Out,
) -> Result<(BTreeMap<Seat, Seating>, Tools), Failure> {
    let wishes = wishes(args, settings, state)?;
    let known = Tools::known(settings)?;
    let all = wishes.sides.iter().chain(&wishes.judges);
    let named: Option<Vec<_>> = all.map(|wish| wish.tool.clone()).collect();
    let named = named.filter(|names| names.iter().all(|name| Tools::names_one(&known, name)));
    let parsed = |names: &[String]| {
        let mut names: Vec<_> = names.iter().filter_map(|name| name.parse().ok()).collect();
        names.sort();
        names.dedup();
        names
    };
    // The others are named by the record.
    let flags = &args.seats;
    let own = [&flags.proposition, &flags.opposition, &settings.judge];
    let own: Vec<_> = own
        .into_iter()
        .flatten()
        .chain(&flags.judge)
        .cloned()
        .collect();
    let own = parsed(&own);
    let tools = match named {
        Some(names) => Tools::detect_own(edge, settings, &parsed(&names), &own).await?,
        None => Tools::detect(edge, settings, &own).await?,
    };
    let mut seats = seat_formal(&wishes, tools.candidates())?;
    if settings.transport.is_none() {
        for (seat, seating) in &mut seats {
            if let Some(last) = state
                .seats
                .get(seat)
                .filter(|last| last.tool == seating.tool)
            {
                seating.transport.clone_from(&last.transport);
            }
        }
        let respoken = tools.respoken(&seats, None, out)?;
        seats.extend(respoken);
    }
    Ok((seats, tools))
}

fn wishes(args: &RunArgs, settings: &Settings, state: &State) -> Result<FormalWishes, Failure> {
    let seats = &args.seats;
    let last_judges = state.seats.keys().filter(|seat| seat.judges()).count();
    let named = seats.judge.len();
    let panel = match named {
        0 => last_judges.max(1),
        named => named,
    };
    let panel = judges(named, panel, seats.model_judge.len())?;
    let wish = |seat: Seat, flags: Flags<'_>| {
        let last = state.seats.get(&seat);
        // A panel that is named replaces the last one whole.
        let last = last.filter(|_| !seat.judges() || seats.judge.is_empty());
        flags.wish(last, settings, seat)
    };
    let sides = [
        wish(
            Seat::Proposition,
            Flags {
                tool: seats.proposition.as_ref(),
                model: seats.model_proposition.as_ref(),
                effort: seats.effort_proposition.or(seats.effort),
            },
        ),
        wish(
            Seat::Opposition,
            Flags {
                tool: seats.opposition.as_ref(),
                model: seats.model_opposition.as_ref(),
                effort: seats.effort_opposition.or(seats.effort),
            },
        ),
    ];
    let judges = (0..panel).zip(1..).map(|(at, number)| {
        wish(
            Seat::Judge(number),
            Flags {
                tool: seats.judge.get(at),
                model: seats.model_judge.get(at),
                effort: seats.effort_judge.or(seats.effort),
            },
        )
    });
    Ok(FormalWishes {
        sides,
        judges: judges.collect(),
    })
}

/// What the command line says of one seat.
struct Flags<'a> {
    tool: Option<&'a String>,
    model: Option<&'a String>,
    effort: Option<Effort>,
}

impl Flags<'_> {
    /// The wish for a seat: what was typed, else as it was, else as it is configured.
    fn wish(self, last: Option<&Seating>, settings: &Settings, seat: Seat) -> Wish {
        let configured = || settings.judge.clone().filter(|_| seat == Seat::JUDGE);
        let tool = self.tool.cloned();
        let tool = tool.or_else(|| last.map(|last| last.tool.to_string()));
        let tool = tool.or_else(configured);
        // Another tool does not get the model of the one before it.
        let same = last.filter(|last| tool.as_deref() == Some(last.tool.as_str()));
        let configured = || settings.model.get(&seat.to_string()).cloned();
        let model = match (self.model, same) {
            (Some(model), _) => Some(model.clone()),
            (None, Some(last)) => last.model.clone(),
            (None, None) => configured(),
        };
        let effort = self.effort.or(last.map(|last| last.effort));
        Wish {
            tool,
            model,
            effort: effort.or(settings.effort).unwrap_or_default(),
        }
    }
}

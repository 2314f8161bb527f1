//! `agon evidence`: every place that a debate cites, with what was found there.

use std::collections::BTreeMap;

use agon_record::evidence::{Checked, all};
use agon_record::ground::{Citations, Pinned};
use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::stamp::{StampKind, Stamped};
use agon_record::state::State;
use agon_report::screen::evidence_lines;
use agon_report::text::{counted, plain};
use serde::Serialize;

use crate::args::{EvidenceArgs, Global};
use crate::command::which;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{Out, ansi};

/// The document for a program.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    debate: &'a str,
    /// What citations are looked up in; null when nothing was pinned.
    source: Option<&'a Pinned>,
    /// By side, over the whole debate.
    citations: BTreeMap<Seat, Citations>,
    /// How many entries there are, also where fewer are given.
    total: usize,
    entries: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: NodeId,
    turn: TurnId,
    ground: usize,
    says: &'a str,
    #[serde(flatten)]
    stamped: &'a Stamped,
}

/// Runs `agon evidence`.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &EvidenceArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = which::find(edge, global, args.debate.as_deref())?;
    let view = which::read(&path)?;
    let state = &view.state;
    which::note_problems(&view, &state.spec.slug, out);
    let all = all(state);
    let wanted = |one: &&Checked<'_>| {
        let stamp = &one.stamped.stamp;
        let kind = args.stamp.is_empty() || args.stamp.iter().any(|only| stamp.kind() == only.0);
        kind && (args.all || stamp.names_a_place()) && args.id.is_none_or(|id| id == one.id)
    };
    let chosen: Vec<_> = all.iter().filter(wanted).collect();
    let shown = chosen.iter().take(args.limit.unwrap_or(usize::MAX));
    if global.json {
        let entries = shown.map(|one| Entry {
            id: one.id,
            turn: one.turn,
            ground: one.ground,
            says: &one.said.content,
            stamped: &one.stamped,
        });
        out.json(&Document {
            schema: "agon.evidence/1",
            debate: &state.spec.slug,
            source: state.spec.source.as_ref(),
            citations: counts(state, &all),
            total: chosen.len(),
            entries: entries.collect(),
        })?;
        return Ok(Exit::Done);
    }
    for one in shown {
        for line in evidence_lines(one, edge.width) {
            out.line(&ansi(&line))?;
        }
    }
    out.line(&summary(state, &all))?;
    Ok(Exit::Done)
}

fn counts(state: &State, all: &[Checked<'_>]) -> BTreeMap<Seat, Citations> {
    let sides = state.spec.format.sides();
    let of = |seat| {
        let of_it = all.iter().filter(|one| one.turn.seat == seat);
        Citations::of_stamps(of_it.map(|one| &one.stamped.stamp))
    };
    sides.into_iter().map(|seat| (seat, of(seat))).collect()
}

/// All of it in a line: how many places, what was found, against what.
fn summary(state: &State, all: &[Checked<'_>]) -> String {
    let stamps = || all.iter().map(|one| &one.stamped.stamp);
    let places = Citations::of_stamps(stamps()).total();
    let kinds = StampKind::ALL.into_iter().filter_map(|kind| {
        let of_it = stamps().filter(|stamp| stamp.kind() == kind && stamp.names_a_place());
        let count = of_it.count();
        (count > 0).then(|| format!("{count} {}", kind.in_counts()))
    });
    let kinds: Vec<_> = kinds.collect();
    let kinds = match kinds.is_empty() {
        true => String::new(),
        false => format!(": {}", kinds.join(", ")),
    };
    let places = counted(u64::from(places), "place");
    let slug = &state.spec.slug;
    match &state.spec.source {
        None => {
            format!("{places} cited, none checked: no source is pinned (agon debate --context …)")
        }
        Some(source) => format!(
            "{places} cited{kinds} · against {} · again, from what is kept: agon check {slug} --evidence",
            plain(&source.about)
        ),
    }
}

//! The answer for people.

use agon_report::text::{counted, cut, plain};
use agon_verdict::graph::{ContributionsDoc, FlipDoc, GraphDoc, LeadDoc, StrengthDoc};

use crate::output::{BAD, STRONG, columns, styled};

/// The change of a strength that is worth a row.
const MOVED: f64 = 5e-7;

pub(super) fn of(doc: &GraphDoc, width: usize) -> String {
    let mut out = head(doc);
    if let Some(lead) = &doc.lead {
        out.push_str(&led(lead, doc));
    }
    if let Some(rows) = &doc.strengths {
        out.push('\n');
        out.push_str(&strengths(rows, width));
    }
    for list in doc.contributions.iter().flatten() {
        out.push('\n');
        out.push_str(&contributions(list));
    }
    if let Some(flip) = &doc.flip {
        out.push('\n');
        out.push_str(&flips(flip, doc));
    }
    if let Some(sets) = &doc.extensions {
        let ids = |set: &Vec<String>| plain(&set.join(" "));
        for set in sets {
            out.push_str(&format!("{{{}}}\n", ids(set)));
        }
        out.push_str(&match (sets.len(), doc.complete) {
            (0, Some(true)) => "there is no extension\n".to_owned(),
            (count, Some(true)) => format!("{}\n", counted(count as u64, "extension")),
            (count, _) => format!("{} of more\n", counted(count as u64, "extension")),
        });
    }
    if let Some(rows) = &doc.acceptance {
        let word = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let head = ["node", "some", "every"].map(str::to_owned);
        let rows = rows
            .iter()
            .map(|row| [plain(&row.id), word(row.some), word(row.every)]);
        let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
        out.push_str(&columns(&rows));
    }
    out
}

fn head(doc: &GraphDoc) -> String {
    let status = doc.status.map(|status| {
        if status.is_settled() {
            status.name().to_owned()
        } else {
            styled(BAD, &format!("not settled ({})", status.name()))
        }
    });
    let nodes = counted(doc.nodes as u64, "node");
    let edges = counted(doc.edges as u64, "edge");
    let mut parts = vec![
        styled(STRONG, &plain(&doc.graph)),
        doc.format.clone(),
        format!("{nodes}, {edges}"),
        doc.semantics.clone(),
    ];
    parts.extend(status);
    if !doc.without.is_empty() {
        parts.push(format!("without {}", plain(&doc.without.join(", "))));
    }
    format!("{}\n", parts.join(" · "))
}

fn led(lead: &LeadDoc, doc: &GraphDoc) -> String {
    let says = |seat: Option<agon_record::id::Seat>| match seat {
        Some(seat) => format!("the {seat} leads"),
        None => "neither side leads".to_owned(),
    };
    let of = |seat: agon_record::id::Seat| {
        let id = format!("position.{seat}");
        let row = doc.strengths.iter().flatten().find(|row| row.id == id)?;
        row.strength
    };
    let numbers = lead.winner.and_then(|winner| {
        let (one, other) = (of(winner)?, of(winner.opponent()?)?);
        Some(format!(", {} to {}", number(one), number(other)))
    });
    let mut line = format!("{}{}", says(lead.winner), numbers.unwrap_or_default());
    if !doc.without.is_empty() {
        let same = if lead.before == lead.winner {
            "as before"
        } else {
            "before,"
        };
        line = match lead.before == lead.winner {
            true => format!("{line}, {same}"),
            false => format!("{line}; {same} {}", says(lead.before)),
        };
    }
    if lead.equal != lead.winner {
        line = format!("{line}; all weighed alike, {}", says(lead.equal));
    }
    format!("{}\n", styled(STRONG, &line))
}

fn strengths(rows: &[StrengthDoc], width: usize) -> String {
    let struck = rows.iter().any(|row| row.before.is_some());
    let moved = |row: &&StrengthDoc| match (row.before, row.strength) {
        (Some(before), Some(now)) => (before - now).abs() > MOVED,
        (Some(_), None) | (None, _) => true,
    };
    let title = |row: &StrengthDoc| {
        let fails = row.citations.map_or(0, |found| found.wrong + found.missing);
        let room = width.saturating_sub(46);
        match fails {
            0 => cut(&plain(&row.title), room),
            fails => {
                let said = format!(" · cites {} not there", counted(u64::from(fails), "place"));
                cut(
                    &plain(&row.title),
                    room.saturating_sub(said.chars().count()),
                ) + &said
            }
        }
    };
    if struck {
        let head = ["node", "before", "after", "change", ""].map(str::to_owned);
        let row = |row: &StrengthDoc| {
            let before = row.before.unwrap_or(row.base);
            let (after, change) = match row.strength {
                Some(now) => (number(now), signed(now - before)),
                None => ("struck".to_owned(), String::new()),
            };
            [plain(&row.id), number(before), after, change, title(row)]
        };
        let shown: Vec<_> = rows.iter().filter(moved).map(row).collect();
        let rest = rows.len() - shown.len();
        let table: Vec<_> = std::iter::once(head).chain(shown).collect();
        let mut out = columns(&table);
        if rest > 0 {
            out.push_str(&format!("{} did not move\n", counted(rest as u64, "other")));
        }
        return out;
    }
    let head = ["node", "base", "strength", ""].map(str::to_owned);
    let row = |row: &StrengthDoc| {
        let strength = row.strength.map(number).unwrap_or_default();
        [plain(&row.id), number(row.base), strength, title(row)]
    };
    let table: Vec<_> = std::iter::once(head).chain(rows.iter().map(row)).collect();
    columns(&table)
}

fn contributions(list: &ContributionsDoc) -> String {
    let topic = plain(&list.topic);
    let status = if list.status.is_settled() {
        String::new()
    } else {
        format!(
            ", {}",
            styled(BAD, &format!("not settled ({})", list.status.name()))
        )
    };
    let title = styled(STRONG, &format!("to {topic}"));
    let title = format!("{title}, by {}{status}\n", list.measure);
    if list.values.is_empty() {
        return format!("{title}nothing adds to it or takes from it\n");
    }
    let row = |value: &agon_verdict::graph::ContributionDoc| {
        let error = value.error.map(|error| format!("± {}", number(error)));
        [
            plain(&value.id),
            signed(value.value),
            error.unwrap_or_default(),
        ]
    };
    let rows: Vec<_> = list.values.iter().map(row).collect();
    format!("{title}{}", columns(&rows))
}

fn flips(flip: &FlipDoc, doc: &GraphDoc) -> String {
    let (leads, trails) = (plain(&flip.leads), plain(&flip.trails));
    let complete = doc.complete.unwrap_or(true);
    if flip.sets.is_empty() {
        let most = flip.size;
        return if complete {
            format!("{leads} is ahead of {trails} whichever {most} nodes are struck\n")
        } else {
            format!("no set without which {trails} is ahead of {leads} was found\n")
        };
    }
    let sets: Vec<_> = flip.sets.iter().map(|set| plain(&set.join(", "))).collect();
    let mut out = match sets.as_slice() {
        [one] => format!("hangs on {one}: without that {trails} is ahead of {leads}\n"),
        many => {
            let head = format!("{trails} is ahead of {leads} without");
            format!("{head}\n  {}\n", many.join("\n  "))
        }
    };
    if !complete && doc.task == "flip" {
        out.push_str("and there may be more\n");
    }
    out
}

/// Three decimals, more where those are all zero.
fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.0005 {
        format!("{value:.6}")
    } else {
        format!("{value:.3}")
    }
}

fn signed(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "+" };
    format!("{sign}{}", number(value.abs()))
}

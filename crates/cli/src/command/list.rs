//! `agon list`: the debates here.

use agon_app::find;
use agon_app::list::{self, List};
use agon_report::text::{display_width, plain_line, truncate_to_width};

use crate::args::{Global, ListArgs};
use crate::command::search;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;

/// Lists the debates, the last one first, or those that a search finds.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ListArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if let Some(words) = &args.search {
        return search::run(edge, global, words, args.limit, out);
    }
    let list = list::list(edge, args.limit)?;
    if global.json {
        out.write_json(&list)?;
        return Ok(Exit::Done);
    }
    list.warnings()
        .for_each(|warning| out.eprint_warning(&warning));
    let lines = list_lines(edge.width, &list);
    if lines.is_empty() {
        let dir = find::debates_dir(edge)?;
        out.eprint_line(&format!(
            "no debates in {} yet",
            find::describe_folder(edge, &dir)
        ));
        return Ok(Exit::Done);
    }
    lines.iter().try_for_each(|line| out.write_line(line))?;
    Ok(Exit::Done)
}

// `done, for opencode, uncontested`, and most names of debates.
/// The most columns of a name, and of where a debate stands, on a narrow terminal.
const COLUMN: usize = 28;

/// The least columns for a topic, however narrow the terminal is.
const MIN_TOPIC: usize = 12;

/// A debate a line, none wider than `width`.
fn list_lines(width: usize, list: &List) -> Vec<String> {
    let rows = list.rows();
    let cut = |text: &str| truncate_to_width(&plain_line(text), COLUMN.min(width / 3));
    let left: Vec<_> = rows
        .iter()
        .map(|row| [cut(row.debate), cut(&row.stands), row.age.clone()])
        .collect();
    let widest = |at: usize| left.iter().map(|row| display_width(&row[at])).max();
    let [name, state, age] = [0, 1, 2].map(|at| widest(at).unwrap_or(0));
    let room = width.saturating_sub(name + state + age + 6).max(MIN_TOPIC);
    let lines = left.iter().zip(&rows).map(|(cells, row)| {
        let topic = plain_line(row.topic);
        let says = match row.answer.map(plain_line) {
            Some(answer) => format!("{topic} → {answer}"),
            None => topic,
        };
        [
            pad_to_width(&cells[0], name),
            pad_to_width(&cells[1], state),
            pad_to_width(&cells[2], age),
            truncate_to_width(&says, room),
        ]
        .join("  ")
    });
    lines.map(|line| truncate_to_width(&line, width)).collect()
}

fn pad_to_width(text: &str, width: usize) -> String {
    let gap = width.saturating_sub(display_width(text));
    format!("{text}{}", " ".repeat(gap))
}

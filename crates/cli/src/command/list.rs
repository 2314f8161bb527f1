//! `agon list`: the debates here.

use agon_app::find;
use agon_app::list::{self, List};
use agon_report::text::{plain_line, truncate_to_width};

use crate::args::{Global, ListArgs};
use crate::command::search;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{Out, align_columns};

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
    let list = list::list(edge)?;
    if global.json {
        out.write_json(&list)?;
        return Ok(Exit::Done);
    }
    list.warnings()
        .for_each(|warning| out.eprint_warning(&warning));
    let rows = debate_rows(edge.width, &list);
    if rows.is_empty() {
        let dir = find::debates_dir(edge)?;
        out.eprint_line(&format!("there is no debate in {}", dir.display()));
        return Ok(Exit::Done);
    }
    out.write_stdout(&align_columns(&rows))?;
    Ok(Exit::Done)
}

// The longest, `closed, uncontested`, has 19.
/// Columns of the state, and of a time to the minute.
const STATE: usize = 20;
// `2026-11-23 09:34`.
const WHEN: usize = 16;

fn debate_rows(width: usize, list: &List) -> Vec<[String; 4]> {
    let rows = list.rows();
    let slug = rows.iter().map(|row| row.debate.len()).max().unwrap_or(0);
    let room = width.saturating_sub(slug + STATE + WHEN + 6).max(24);
    let cells = rows.into_iter().map(|row| {
        let when = row.last_at.get(..WHEN).unwrap_or(row.last_at);
        [
            row.debate.to_owned(),
            row.stands,
            when.replace('T', " "),
            truncate_to_width(&plain_line(row.says), room),
        ]
    });
    cells.collect()
}

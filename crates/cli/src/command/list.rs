//! `agon list`: lists the debates in this folder.

use agon_caller::find;
use agon_debates::status::list;
use agon_debates::status::list::List;
use agon_report::screen::{Line, Style, UNLIMITED};
use agon_report::text::{display_width, plain_line, truncate_to_width};

use crate::args::{Global, ListArgs};
use crate::command::search;
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, apply_style, line_to_ansi};
use crate::pager;
use crate::surroundings::Surroundings;

/// Lists the debates, latest first, or the results of a search.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ListArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if let Some(words) = &args.search {
        return search::run(edge, global, words, args, out);
    }
    let list = list::list_with_notes(edge, args.limit, out)?;
    if global.json {
        out.write_json(&list)?;
        return Ok(Exit::Done);
    }
    list.warnings()
        .for_each(|warning| out.eprint_warning(&warning));
    if list.rows().is_empty() {
        let dir = find::debates_dir(edge)?;
        out.eprint_line(&format!(
            "no debates in {} yet",
            find::describe_folder(edge, &dir)
        ));
        return Ok(Exit::Done);
    }
    pager::begin(edge, global, out);
    let lines = match args.full {
        true => long_list_lines(edge.width, &list),
        false => list_lines(edge.table_width, &list),
    };
    lines.iter().try_for_each(|line| out.write_line(line))?;
    Ok(Exit::Done)
}

// Fits most names of debates, and states such as `done, for opencode`.
/// The maximum width of a debate's name and of its state on a narrow terminal.
const COLUMN: usize = 28;

/// The minimum width of a topic, even on a narrow terminal.
const MIN_TOPIC: usize = 12;

/// Formats each debate in full: its name, state, topic and answer.
fn long_list_lines(width: usize, list: &List) -> Vec<String> {
    let rows = list.rows();
    let lines = rows.iter().flat_map(|row| {
        let about = format!(" · {} · {}", row.stands, row.age);
        let head = Line::default()
            .with(Style::Strong, plain_line(row.debate))
            .with(Style::Dim, plain_line(&about));
        let topic = Line::default().with(Style::Plain, format!("  {}", plain_line(row.topic)));
        let answer = row.answer.map(|answer| {
            Line::default()
                .with(Style::Dim, "  → ")
                .with(Style::Plain, plain_line(answer))
        });
        [head, topic].into_iter().chain(answer)
    });
    let lines = lines.flat_map(|line| line.wrap_to_width(4, width));
    lines.map(|line| line_to_ansi(&line)).collect()
}

/// Formats one line per debate, at most `width` columns wide, with a heading on a terminal.
fn list_lines(width: usize, list: &List) -> Vec<String> {
    let rows = list.rows();
    let is_read = width < UNLIMITED;
    let most = if is_read {
        COLUMN.min(width / 3)
    } else {
        width
    };
    let cut = |text: &str| truncate_to_width(&plain_line(text), most);
    let head = ["debate", "state", "age"].map(str::to_owned);
    let left = rows
        .iter()
        .map(|row| [cut(row.debate), cut(&row.stands), row.age.clone()]);
    let left: Vec<_> = is_read.then_some(head).into_iter().chain(left).collect();
    let widest = |at: usize| left.iter().map(|row| display_width(&row[at])).max();
    let [name, state, age] = [0, 1, 2].map(|at| widest(at).unwrap_or(0));
    let room = width.saturating_sub(name + state + age + 6).max(MIN_TOPIC);
    let says = rows.iter().map(|row| {
        let topic = plain_line(row.topic);
        match row.answer.map(plain_line) {
            Some(answer) => format!("{topic} → {answer}"),
            None => topic,
        }
    });
    let head = is_read.then(|| "topic → answer".to_owned());
    let says: Vec<_> = head.into_iter().chain(says).collect();
    let lines = left.iter().zip(&says).map(|(cells, says)| {
        [
            pad_to_width(&cells[0], name),
            pad_to_width(&cells[1], state),
            pad_to_width(&cells[2], age),
            truncate_to_width(says, room),
        ]
        .join("  ")
    });
    let lines = lines.map(|line| truncate_to_width(&line, width));
    let lines = lines.enumerate().map(|(at, line)| match at {
        0 if is_read => apply_style(DIM, &line),
        _ => line,
    });
    lines.collect()
}

fn pad_to_width(text: &str, width: usize) -> String {
    let gap = width.saturating_sub(display_width(text));
    format!("{text}{}", " ".repeat(gap))
}

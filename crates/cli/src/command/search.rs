//! `agon list --search`: searches past debates.

use agon_debates::past::search;
use agon_debates::past::search::FoundDebate;
use agon_report::screen::UNLIMITED;
use agon_report::text::{count_with_noun, display_width, plain_line, truncate_to_width};

use crate::args::{Global, ListArgs};
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, STRONG, apply_style};
use crate::pager;
use crate::surroundings::Surroundings;

/// Lists the debates that contain all the words, best match first.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    words: &str,
    args: &ListArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let search = search::search(edge, words, args.limit, out)?;
    if global.json {
        out.write_json(&search)?;
        return Ok(Exit::Done);
    }
    if search.debates.is_empty() {
        out.eprint_line(&format!(
            "no debate in {} contains all these words ({} searched)",
            search.dir.display(),
            count_with_noun(search.searched as u64, "debate")
        ));
        return Ok(Exit::Done);
    }
    pager::begin(edge, global, out);
    let width = if args.full {
        UNLIMITED
    } else {
        edge.table_width
    };
    for found in &search.debates {
        print_found_debate(width, found, out)?;
    }
    Ok(Exit::Done)
}

/// Prints a debate on two or three lines: its name and state, its answer, and the match.
fn print_found_debate(width: usize, found: &FoundDebate, out: &mut Out) -> Result<(), Failure> {
    let name = plain_line(&found.debate);
    let day = found.last_at.get(..10).unwrap_or_default();
    out.write_line(&format!(
        "{}  {}",
        apply_style(STRONG, &truncate_to_width(&name, width)),
        apply_style(DIM, &format!("{} · {day}", found.state_in_words()))
    ))?;
    let room = width.saturating_sub(2);
    let said = match &found.answer {
        Some(answer) => format!("{} → {}", plain_line(&found.topic), plain_line(answer)),
        None => plain_line(&found.topic),
    };
    out.write_line(&format!("  {}", truncate_to_width(&said, room)))?;
    // Skip a match in the topic, because the line above already shows the topic.
    let piece: String = found
        .pieces
        .iter()
        .map(|piece| piece.text.as_str())
        .collect();
    if plain_line(&found.topic).contains(plain_line(&piece).trim_matches('…')) {
        return Ok(());
    }
    let mut left = room.saturating_sub(2);
    let mut line = String::from("    ");
    for piece in &found.pieces {
        let text = truncate_to_width(&sanitise_keeping_edge_spaces(&piece.text), left);
        left = left.saturating_sub(display_width(&text));
        match piece.found {
            true => line.push_str(&apply_style(STRONG, &text)),
            false => line.push_str(&apply_style(DIM, &text)),
        }
    }
    out.write_line(&line)
}

/// Sanitizes `text` for the terminal, and keeps a space at its ends, next to a match.
fn sanitise_keeping_edge_spaces(text: &str) -> String {
    let space = |is: bool| if is { " " } else { "" };
    let (before, after) = (text.starts_with(' '), text.ends_with(' '));
    match plain_line(text) {
        nothing if nothing.is_empty() => space(before || after).to_owned(),
        said => format!("{}{said}{}", space(before), space(after)),
    }
}

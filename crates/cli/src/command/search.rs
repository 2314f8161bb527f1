//! `agon list --search`: past debates by their words.

use agon_app::search::{self, FoundDebate};
use agon_report::text::{columns, counted, cut, plain};

use crate::args::Global;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, STRONG, styled};

/// Lists the debates in which all the words stand, the best first.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    words: &str,
    limit: Option<usize>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let search = search::search(edge, words, limit, out)?;
    if global.json {
        out.json(&search)?;
        return Ok(Exit::Done);
    }
    if search.debates.is_empty() {
        out.note(&format!(
            "nothing in {} has all of that; {} searched",
            search.dir.display(),
            counted(search.searched as u64, "debate")
        ));
        return Ok(Exit::Done);
    }
    for found in &search.debates {
        print(edge, found, out)?;
    }
    Ok(Exit::Done)
}

/// Two or three lines: what it is called and where it stands, its answer, what was found.
fn print(edge: &Surroundings, found: &FoundDebate, out: &mut Out) -> Result<(), Failure> {
    let name = plain(&found.debate);
    let day = found.last_at.get(..10).unwrap_or_default();
    out.line(&format!(
        "{}  {}",
        styled(STRONG, &cut(&name, edge.width)),
        styled(DIM, &format!("{} · {day}", found.stands()))
    ))?;
    let room = edge.width.saturating_sub(2);
    let said = match &found.answer {
        Some(answer) => format!("{} → {}", plain(&found.topic), plain(answer)),
        None => plain(&found.topic),
    };
    out.line(&format!("  {}", cut(&said, room)))?;
    let mut left = room.saturating_sub(2);
    let mut line = String::from("    ");
    for piece in &found.pieces {
        let text = cut(&plain_within(&piece.text), left);
        left = left.saturating_sub(columns(&text));
        match piece.found {
            true => line.push_str(&styled(STRONG, &text)),
            false => line.push_str(&styled(DIM, &text)),
        }
    }
    out.line(&line)
}

/// `text` fit to be shown, with the space at its ends, which stands beside a match.
fn plain_within(text: &str) -> String {
    let space = |is: bool| if is { " " } else { "" };
    let (before, after) = (text.starts_with(' '), text.ends_with(' '));
    match plain(text) {
        nothing if nothing.is_empty() => space(before || after).to_owned(),
        said => format!("{}{said}{}", space(before), space(after)),
    }
}

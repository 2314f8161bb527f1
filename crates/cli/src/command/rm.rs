//! `agon rm`: deletes debates.

use std::io::{BufRead, Write};

use agon_debates::past::remove;
use agon_debates::past::remove::Removable;
use agon_report::text::{count_with_noun, plain_line};

use crate::args::{Global, RmArgs};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Asks for confirmation on a terminal, then deletes the debates.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &RmArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let debates = args.debates.iter();
    let debates = debates.map(|name| remove::find_removable(edge, name));
    let debates: Vec<_> = debates.collect::<Result<_, _>>()?;
    if !args.yes {
        if !edge.terminal || global.json {
            let message = "this deletes debates for good";
            return Err(Failure::new(Code::NotConfirmed, message)
                .parameter("yes")
                .hint("confirm with --yes"));
        }
        if !ask_to_confirm(&debates, std::io::stdin().lock(), std::io::stderr())? {
            out.eprint_line("nothing was deleted");
            return Ok(Exit::Done);
        }
    }
    let removed = remove::remove(&debates)?;
    if global.json {
        out.write_json(&removed)?;
        return Ok(Exit::Done);
    }
    for folder in &removed.removed {
        out.write_line(&format!("deleted {}", plain_line(folder)))?;
    }
    Ok(Exit::Done)
}

/// Asks the person to confirm the deletion.
fn ask_to_confirm(
    debates: &[Removable],
    mut input: impl BufRead,
    mut screen: impl Write,
) -> Result<bool, Failure> {
    let failed = |error: std::io::Error| Failure::from_error(Code::Stdin, &error);
    for debate in debates {
        let (folder, topic) = (plain_line(&debate.folder), plain_line(&debate.topic));
        let calls = count_with_noun(debate.calls, "call");
        writeln!(screen, "{folder}  {topic} ({calls})").map_err(failed)?;
    }
    write!(screen, "Delete for good? [y/N] ").map_err(failed)?;
    screen.flush().map_err(failed)?;
    let mut answer = String::new();
    input.read_line(&mut answer).map_err(failed)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_removes() {
        for (typed, wanted) in [
            ("y\n", true),
            ("yes\n", true),
            ("\n", false),
            ("", false),
            ("no\n", false),
        ] {
            let mut screen = Vec::new();
            let confirmed = ask_to_confirm(&[], typed.as_bytes(), &mut screen);
            assert_eq!(confirmed.unwrap(), wanted, "{typed:?}");
        }
    }
}

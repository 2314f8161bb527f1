//! `agon errors`: lists the error codes, and explains each.

use agon_caller::errors::{self, CodeDoc, CodeLine};
use agon_report::screen::{Line, Style};

use crate::args::Global;
use crate::error::{Exit, Failure};
use crate::output::{Out, STRONG, apply_style, line_to_ansi};
use crate::pager;
use crate::surroundings::Surroundings;

/// Lists the codes by family, or explains one.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    code: Option<&str>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    pager::begin(edge, global, out);
    match code {
        Some(name) => {
            let explained = errors::explain(name)?;
            match global.json {
                true => out.write_json(&explained)?,
                false => out.write_line(&format_page(&explained, "#"))?,
            }
        }
        None if global.json => out.write_json(&errors::all())?,
        None => {
            out.write_stdout(&format_code_table(&errors::all().errors, edge.table_width))?;
            out.eprint_line("\nto explain one, with commands that help: agon errors CODE");
        }
    }
    Ok(Exit::Done)
}

fn format_code_table(codes: &[CodeLine], width: usize) -> String {
    let wide = codes.iter().map(|line| line.code.name().len()).max();
    let wide = wide.unwrap_or(0);
    let mut out = String::new();
    let mut family = "";
    for line in codes {
        if line.family != family {
            let gap = if family.is_empty() { "" } else { "\n" };
            family = line.family;
            out.push_str(&format!("{gap}{}\n", apply_style(STRONG, family)));
        }
        let line = Line::default()
            .with(Style::Plain, format!("  {:<wide$}  ", line.code.name()))
            .with(Style::Plain, line.about);
        for line in line.wrap_to_width(wide + 4, width) {
            out.push_str(&format!("{}\n", line_to_ansi(&line)));
        }
    }
    out
}

/// Formats the page of a code as Markdown, with a heading of this level.
fn format_page(explained: &CodeDoc, level: &str) -> String {
    let CodeLine {
        code, kind, about, ..
    } = explained.line;
    let exit = Exit::from(kind).code();
    let name = code.name();
    let text = explained.explain;
    format!("{level} {name}\n\n{about}\nExit code: {exit}\n\n{text}")
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use agon_caller::Code;

    use super::*;
    use crate::args::{HelpDetail, command};

    /// Returns all pages as one document.
    fn reference() -> String {
        let mut out = "# Errors\n\n\
             Every failure under `--json` is an `agon.error/1` document with one of these codes.\n\
             `agon errors` lists them, and `agon errors CODE` prints one page.\n\
             Names of codes never change.\n\n\
             <!-- Written by AGON_RECORD_ERRORS=1 cargo test -p agon errors, from \
             crates/caller/src/code/pages. -->\n"
            .to_owned();
        let mut family = "";
        for code in Code::ALL {
            if code.family().name != family {
                family = code.family().name;
                let heading = code.family().pages.lines().next().unwrap();
                out.push_str(&format!("\n#{heading}\n"));
            }
            let explained = errors::explain(code.name()).unwrap();
            out.push_str(&format!("\n{}\n", format_page(&explained, "###")));
        }
        out
    }

    #[test]
    fn the_documentation_has_the_page_of_every_error() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
        let wanted = reference();
        if std::env::var_os("AGON_RECORD_ERRORS").is_some() {
            std::fs::write(path, &wanted).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            written == wanted,
            "docs/errors.md is out of date: AGON_RECORD_ERRORS=1 writes it again"
        );
    }

    /// Splits a command of a page into words, with a value for each placeholder.
    fn words(command: &str) -> Vec<String> {
        let value = |word: &str| match word {
            "N" => "3".to_owned(),
            "TASK" => "t2".to_owned(),
            "RUN" => "r1".to_owned(),
            "NAME" | "GATE" => "tests".to_owned(),
            "SEAT=TOOL" => "challenger=codex".to_owned(),
            "HOST" => "claude".to_owned(),
            "ROLE" => "worker".to_owned(),
            "COMMAND" => "debate".to_owned(),
            "ID" => "pro_001a".to_owned(),
            word => word.replace("TOOL", "codex"),
        };
        let parts = command.split('"').enumerate();
        let words = parts.flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(value).collect(),
            _ => vec![part.to_owned()],
        });
        // Makes clap parse every flag and value without running anything.
        words.chain(["--help".to_owned()]).collect()
    }

    #[test]
    fn every_command_of_a_page_can_be_typed() {
        let spans = Code::ALL
            .iter()
            .flat_map(|code| code.page().text.split('`').skip(1).step_by(2));
        let commands: Vec<_> = spans
            .filter_map(|span| span.find("agon ").map(|at| &span[at..]))
            .filter(|command| !command.contains("--version"))
            .map(|command| command.split(" > ").next().unwrap())
            .collect();
        assert!(commands.len() > 200, "{}", commands.len());
        for typed in commands {
            let parsed = command(HelpDetail::All).try_get_matches_from(words(typed));
            let kind = parsed.map_err(|error| error.kind()).err();
            assert_eq!(kind, Some(ErrorKind::DisplayHelp), "{typed}");
        }
    }
}

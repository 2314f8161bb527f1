//! The three sections of a role: what it does, what it never does, what it returns.

use super::error::RoleError;

/// What stands below the front matter of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RoleSections {
    pub(super) steps: Vec<String>,
    pub(super) never: Vec<String>,
    pub(super) output: String,
}

/// The headings, in their order.
const HEADINGS: [&str; 3] = ["## Steps", "## Never", "## Return"];

/// A section: the line of its heading, and the lines below it.
type HeadedLines<'a> = (usize, Vec<&'a str>);

/// The sections of `body`, which begins after line `before` of its file.
pub(super) fn divide_sections(body: &str, before: usize) -> Result<RoleSections, RoleError> {
    let mut sections: Vec<HeadedLines<'_>> = Vec::new();
    for (at, text) in body.lines().enumerate() {
        let line = before + at + 1;
        let next = HEADINGS.get(sections.len());
        if next == Some(&text) {
            sections.push((line, Vec::new()));
        } else if text.starts_with("## ") {
            let what = format!("`{text}` is not the section that is due");
            return Err(RoleError::new(line, what, order_hint()));
        } else if let Some((_, lines)) = sections.last_mut() {
            lines.push(text);
        } else if !text.trim().is_empty() {
            let what = "a text stands above the first section";
            return Err(RoleError::new(line, what, "move it below `## Steps`"));
        }
    }
    let last = before + body.lines().count();
    let [steps, never, output] =
        <[HeadedLines<'_>; 3]>::try_from(sections).map_err(|sections| {
            let missing = HEADINGS.get(sections.len()).copied().unwrap_or_default();
            RoleError::new(last.max(1), format!("`{missing}` is missing"), order_hint())
        })?;
    Ok(RoleSections {
        steps: read_steps(&steps)?,
        never: read_never(&never)?,
        output: read_output(&output)?,
    })
}

fn order_hint() -> String {
    format!(
        "a role has {} in this order and no other",
        HEADINGS.map(|it| format!("`{it}`")).join(", ")
    )
}

fn read_steps((heading, lines): &HeadedLines<'_>) -> Result<Vec<String>, RoleError> {
    let mut steps = Vec::new();
    for (line, text) in filled_lines(*heading, lines) {
        let number = steps.len() + 1;
        match text.strip_prefix(&format!("{number}. ")) {
            Some(step) => steps.push(step.to_owned()),
            None => {
                let hint = format!("begin the next step with `{number}. `, in one line");
                return Err(RoleError::new(
                    line,
                    "this is not the step that is due",
                    hint,
                ));
            }
        }
    }
    require_some(
        steps,
        *heading,
        "it has no steps",
        "write at least one, as `1. `",
    )
}

fn read_never((heading, lines): &HeadedLines<'_>) -> Result<Vec<String>, RoleError> {
    let mut never = Vec::new();
    for (line, text) in filled_lines(*heading, lines) {
        match text.strip_prefix("- ") {
            Some(rule) => never.push(rule.to_owned()),
            None => {
                let hint = "begin each rule with `- `, in one line";
                return Err(RoleError::new(
                    line,
                    "this is not an entry of the list",
                    hint,
                ));
            }
        }
    }
    require_some(
        never,
        *heading,
        "it is forbidden nothing",
        "write at least one rule, as `- `",
    )
}

fn read_output((heading, lines): &HeadedLines<'_>) -> Result<String, RoleError> {
    let fences = lines.iter().filter(|line| line.starts_with("```")).count();
    match fences {
        0 => Err(RoleError::new(
            *heading,
            "what it returns has no example",
            "add one between two lines of three backticks",
        )),
        fences if fences % 2 == 1 => Err(RoleError::new(
            *heading,
            "its example is not closed",
            "close it with a line of three backticks",
        )),
        _ => Ok(lines.join("\n").trim().to_owned()),
    }
}

/// The lines that are not blank, each with its number.
fn filled_lines<'a>(
    heading: usize,
    lines: &'a [&'a str],
) -> impl Iterator<Item = (usize, &'a str)> {
    let numbered = lines.iter().enumerate();
    numbered
        .map(move |(at, text)| (heading + at + 1, *text))
        .filter(|(_, text)| !text.trim().is_empty())
}

fn require_some(
    entries: Vec<String>,
    heading: usize,
    what: &str,
    hint: &str,
) -> Result<Vec<String>, RoleError> {
    match entries.is_empty() {
        true => Err(RoleError::new(heading, what, hint)),
        false => Ok(entries),
    }
}

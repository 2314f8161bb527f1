//! Divides a role into its three sections: steps, prohibitions and result. A role that may delegate
//! can have them a second time, for tools whose agents cannot start others.

use super::error::RoleError;

/// The text below the front matter of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RoleSections {
    pub(super) steps: Vec<String>,
    pub(super) never: Vec<String>,
    pub(super) output: String,
    /// The three sections, verbatim.
    pub(super) body: String,
    /// The sections without delegation, if it has them.
    pub(super) body_without_delegation: Option<String>,
}

/// The headings, in order.
const HEADINGS: [&str; 3] = ["## Steps", "## Never", "## Return"];

/// The headings of the sections without delegation, in order.
const ALONE: [&str; 3] = [
    "## Steps without delegation",
    "## Never without delegation",
    "## Return without delegation",
];

/// A section: line number of its heading, and the lines below it.
type HeadedLines<'a> = (usize, Vec<&'a str>);

/// Divides `body`, which begins after line `before` of its file, into sections.
pub(super) fn divide_sections(body: &str, before: usize) -> Result<RoleSections, RoleError> {
    let alone = body
        .lines()
        .position(|line| line == ALONE[0])
        .map(|count| (count, line_offset(body, count)));
    let (usual, rest) = match alone {
        Some((_, at)) => body.split_at(at),
        None => (body, ""),
    };
    let [steps, never, output] = divide(usual, before, &HEADINGS)?;
    if let Some((count, _)) = alone {
        let [steps, never, output] = divide(rest, before + count, &ALONE)?;
        read_steps(&steps)?;
        read_prohibitions(&never)?;
        read_output(&output)?;
    }
    Ok(RoleSections {
        steps: read_steps(&steps)?,
        never: read_prohibitions(&never)?,
        output: read_output(&output)?,
        body: usual.trim().to_owned(),
        body_without_delegation: alone.map(|_| rest.trim().to_owned()),
    })
}

/// Returns the byte offset after `count` lines of `text`.
fn line_offset(text: &str, count: usize) -> usize {
    text.split_inclusive('\n').take(count).map(str::len).sum()
}

/// Divides `body` at these headings.
fn divide<'a>(
    body: &'a str,
    before: usize,
    headings: &[&str; 3],
) -> Result<[HeadedLines<'a>; 3], RoleError> {
    let mut sections: Vec<HeadedLines<'_>> = Vec::new();
    for (at, text) in body.lines().enumerate() {
        let line = before + at + 1;
        let next = headings.get(sections.len());
        if next == Some(&text) {
            sections.push((line, Vec::new()));
        } else if text.starts_with("## ") {
            let what = format!("unexpected section `{text}`");
            return Err(RoleError::new(line, what, order_hint(headings)));
        } else if let Some((_, lines)) = sections.last_mut() {
            lines.push(text);
        } else if !text.trim().is_empty() {
            let what = "text above the first section";
            return Err(RoleError::new(line, what, "move it below `## Steps`"));
        }
    }
    let last = before + body.lines().count();
    <[HeadedLines<'_>; 3]>::try_from(sections).map_err(|sections| {
        let missing = headings.get(sections.len()).copied().unwrap_or_default();
        let what = format!("`{missing}` is missing");
        RoleError::new(last.max(1), what, order_hint(headings))
    })
}

fn order_hint(headings: &[&str; 3]) -> String {
    format!(
        "a role has exactly {}, in this order",
        headings.map(|it| format!("`{it}`")).join(", ")
    )
}

fn read_steps((heading, lines): &HeadedLines<'_>) -> Result<Vec<String>, RoleError> {
    let mut steps = Vec::new();
    for (line, text) in non_blank_lines(*heading, lines) {
        let number = steps.len() + 1;
        match text.strip_prefix(&format!("{number}. ")) {
            Some(step) => steps.push(step.to_owned()),
            None => {
                let hint = format!("write the next step on one line that begins with `{number}. `");
                return Err(RoleError::new(line, "this is not the next step", hint));
            }
        }
    }
    require_some(
        steps,
        *heading,
        "it has no steps",
        "add at least one line that begins with `1. `",
    )
}

fn read_prohibitions((heading, lines): &HeadedLines<'_>) -> Result<Vec<String>, RoleError> {
    let mut never = Vec::new();
    for (line, text) in non_blank_lines(*heading, lines) {
        match text.strip_prefix("- ") {
            Some(rule) => never.push(rule.to_owned()),
            None => {
                let hint = "write each rule on one line that begins with `- `";
                return Err(RoleError::new(line, "this is not a list item", hint));
            }
        }
    }
    require_some(
        never,
        *heading,
        "it has no rules",
        "add at least one line that begins with `- `",
    )
}

fn read_output((heading, lines): &HeadedLines<'_>) -> Result<String, RoleError> {
    let fences = lines.iter().filter(|line| line.starts_with("```")).count();
    match fences {
        0 => Err(RoleError::new(
            *heading,
            "`Return` has no example",
            "add one between two lines of three backticks",
        )),
        fences if fences % 2 == 1 => Err(RoleError::new(
            *heading,
            "the example is not closed",
            "close it with a line of three backticks",
        )),
        _ => Ok(lines.join("\n").trim().to_owned()),
    }
}

/// Returns the lines that are not blank, each with its number.
fn non_blank_lines<'a>(
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

//! The three sections of a role: what it does, what it never does, what it returns. One that may
//! delegate can have them a second time, for tools whose agents cannot start others.

use super::error::RoleError;

/// What stands below the front matter of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RoleSections {
    pub(super) steps: Vec<String>,
    pub(super) never: Vec<String>,
    pub(super) output: String,
    /// The three sections as they are written.
    pub(super) body: String,
    /// Those for where it cannot delegate, if it has them.
    pub(super) body_alone: Option<String>,
}

/// The headings, in their order.
const HEADINGS: [&str; 3] = ["## Steps", "## Never", "## Return"];

/// The headings of the sections for where a role cannot delegate, in their order.
const ALONE: [&str; 3] = [
    "## Steps without delegation",
    "## Never without delegation",
    "## Return without delegation",
];

/// A section: the line of its heading, and the lines below it.
type HeadedLines<'a> = (usize, Vec<&'a str>);

/// The sections of `body`, which begins after line `before` of its file.
pub(super) fn divide_sections(body: &str, before: usize) -> Result<RoleSections, RoleError> {
    let alone = body
        .lines()
        .position(|line| line == ALONE[0])
        .map(|count| (count, nth_line(body, count)));
    let (usual, rest) = match alone {
        Some((_, at)) => body.split_at(at),
        None => (body, ""),
    };
    let [steps, never, output] = divide(usual, before, &HEADINGS)?;
    if let Some((count, _)) = alone {
        let [steps, never, output] = divide(rest, before + count, &ALONE)?;
        read_steps(&steps)?;
        read_never(&never)?;
        read_output(&output)?;
    }
    Ok(RoleSections {
        steps: read_steps(&steps)?,
        never: read_never(&never)?,
        output: read_output(&output)?,
        body: usual.trim().to_owned(),
        body_alone: alone.map(|_| rest.trim().to_owned()),
    })
}

/// Where the line after `count` lines of `text` begins.
fn nth_line(text: &str, count: usize) -> usize {
    text.split_inclusive('\n').take(count).map(str::len).sum()
}

/// The sections of `body` with these headings.
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
            let what = format!("`{text}` is not the section that is due");
            return Err(RoleError::new(line, what, order_hint(headings)));
        } else if let Some((_, lines)) = sections.last_mut() {
            lines.push(text);
        } else if !text.trim().is_empty() {
            let what = "a text stands above the first section";
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
        "a role has {} in this order and no other",
        headings.map(|it| format!("`{it}`")).join(", ")
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

//! `agon skills list`: lists the available skills.

use agon_install::skills;
use agon_install::skills::SkillState;
use agon_report::screen::{Line, Style};
use agon_report::text::{plain_line, truncate_to_width};

use super::report_skipped;
use crate::args::{Global, SkillsListArgs};
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};
use crate::surroundings::Surroundings;

/// Lists the skills; exits with 0 even if some of a folder are skipped.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &SkillsListArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = skills::list(edge, &args.from.from)?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    for line in document
        .skills
        .iter()
        .flat_map(|skill| skill_lines(skill, edge.table_width))
    {
        out.write_line(&line_to_ansi(&line))?;
    }
    report_skipped(&document.findings, out);
    Ok(Exit::Done)
}

fn skill_lines(skill: &SkillState, width: usize) -> Vec<Line> {
    let roles = match skill.roles.is_empty() {
        true => "every role".to_owned(),
        false => plain_line(&skill.roles.join(", ")),
    };
    let head = Line::default()
        .with(Style::Strong, plain_line(&skill.name))
        .with(
            Style::Dim,
            format!("  {} tokens, for {roles}", skill.tokens),
        );
    // Truncate the description to one line; `agon skills show` prints all of it.
    let room = width.saturating_sub(2);
    let description = truncate_to_width(&plain_line(&skill.description), room);
    let mut lines = head.wrap_to_width(2, width);
    lines.push(Line::default().with(Style::Plain, format!("  {description}")));
    lines
}

#[cfg(test)]
mod tests {
    use agon_report::text::display_width;

    use super::*;

    #[test]
    fn no_line_of_a_skill_is_wider_than_the_terminal() {
        let skill = SkillState {
            name: "verification-before-completion".to_owned(),
            version: None,
            own: true,
            aliases: Vec::new(),
            roles: ["worker", "heavy-worker", "deep-worker", "ui-worker", "qa"]
                .map(str::to_owned)
                .into(),
            tokens: 479,
            max_context_tokens: None,
            description: "Prove that work is done. ".repeat(5),
        };
        let lines = skill_lines(&skill, 80);
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        assert!(
            lines.iter().all(|line| display_width(line) <= 80),
            "{lines:#?}"
        );
        assert_eq!(
            lines[..2],
            [
                "verification-before-completion  479 tokens, for worker, heavy-worker,",
                "  deep-worker, ui-worker, qa"
            ]
        );
        assert_eq!(lines.len(), 3);
    }
}

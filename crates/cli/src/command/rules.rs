//! `agon rules`: lists the rules of a debate, and explains each.

use agon_debates::read::rules;
use agon_debates::read::rules::{RuleLine, Severity};
use agon_report::screen::{Line, Style};

use crate::args::{Global, RulesCommand};
use crate::error::{Exit, Failure};
use crate::output::{Out, STRONG, apply_style, line_to_ansi};
use crate::pager;
use crate::surroundings::Surroundings;

/// Lists the rules by family, or explains one.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    command: Option<&RulesCommand>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    pager::begin(edge, global, out);
    match command {
        Some(RulesCommand::Explain { code }) => {
            let rule = rules::explain(code)?;
            match global.json {
                true => out.write_json(&rule)?,
                false => out.write_line(rule.explain.trim_end())?,
            }
        }
        None if global.json => out.write_json(&rules::all())?,
        None => {
            out.write_stdout(&format_rule_table(&rules::all().rules, edge.table_width))?;
            out.eprint_line("\nto explain one, with an example: agon rules explain CODE");
        }
    }
    Ok(Exit::Done)
}

fn format_rule_table(rules: &[RuleLine], width: usize) -> String {
    let wide = rules.iter().map(|rule| rule.code.len()).max().unwrap_or(0);
    let mut out = String::new();
    let mut family = "";
    for rule in rules {
        if rule.family != family {
            let gap = if family.is_empty() { "" } else { "\n" };
            family = rule.family;
            out.push_str(&format!("{gap}{}\n", apply_style(STRONG, family)));
        }
        let style = match rule.severity {
            Severity::Fatal | Severity::Error => Style::Bad,
            Severity::Warning => Style::Warn,
        };
        let line = Line::default()
            .with(Style::Plain, format!("  {:<wide$}  ", rule.code))
            .with(style, format!("{:<9}", rule.severity.to_string()))
            .with(Style::Plain, rule.about);
        for line in line.wrap_to_width(wide + 13, width) {
            out.push_str(&format!("{}\n", line_to_ansi(&line)));
        }
    }
    out
}

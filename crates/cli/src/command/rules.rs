//! `agon rules`: what a debate is held to.

use agon_app::rules::{self, RuleLine, Severity};

use crate::args::{Global, RulesCommand};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{BAD, DIM, ODD, Out, STRONG, apply_style};

/// Lists the rules by family, or explains one.
pub(crate) fn run(
    _edge: &Surroundings,
    global: &Global,
    command: Option<&RulesCommand>,
    out: &mut Out,
) -> Result<Exit, Failure> {
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
            out.write_stdout(&format_rule_table(&rules::all().rules))?;
            out.eprint_line("\nagon rules explain CODE says more, with an example");
        }
    }
    Ok(Exit::Done)
}

fn format_rule_table(rules: &[RuleLine]) -> String {
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
            Severity::Fatal => BAD,
            Severity::Error => ODD,
            Severity::Warning => DIM,
        };
        let severity = rule.severity.to_string();
        let pad = " ".repeat("warning".len() - severity.len());
        let severity = apply_style(style, &severity);
        out.push_str(&format!(
            "  {:<wide$}  {severity}{pad}  {}\n",
            rule.code, rule.about
        ));
    }
    out
}

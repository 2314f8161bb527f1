//! `agon rules`: what a debate is held to.

use agon_record::finding::Severity;
use agon_rules::rule::{self, RULES, Rule};
use serde::Serialize;

use crate::args::{Global, RulesCommand};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{BAD, DIM, ODD, Out, STRONG, styled};
use crate::similar;

#[derive(Serialize)]
struct Listed {
    code: &'static str,
    family: &'static str,
    severity: Severity,
    about: &'static str,
}

#[derive(Serialize)]
struct List {
    schema: &'static str,
    rules: Vec<Listed>,
}

#[derive(Serialize)]
struct Explained {
    schema: &'static str,
    #[serde(flatten)]
    rule: Listed,
    explain: &'static str,
}

impl From<&'static Rule> for Listed {
    fn from(rule: &'static Rule) -> Self {
        let Rule {
            code,
            family,
            severity,
            about,
            ..
        } = *rule;
        Self {
            code,
            family,
            severity,
            about,
        }
    }
}

/// Lists the rules by family, or explains one.
pub(crate) fn run(
    _edge: &Edge,
    global: &Global,
    command: Option<&RulesCommand>,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        Some(RulesCommand::Explain { code }) => {
            let rule = find(code)?;
            if global.json {
                let schema = "agon.rule/1";
                out.json(&Explained {
                    schema,
                    rule: rule.into(),
                    explain: rule.explain,
                })?;
            } else {
                out.line(rule.explain.trim_end())?;
            }
        }
        None if global.json => {
            let rules = RULES.iter().map(Listed::from).collect();
            out.json(&List {
                schema: "agon.rules/1",
                rules,
            })?;
        }
        None => {
            out.data(&table())?;
            out.note("\nagon rules explain CODE says more, with an example");
        }
    }
    Ok(Exit::Done)
}

/// The rule named `code`.
///
/// # Errors
///
/// If there is none; the hint names what may have been meant.
pub(crate) fn find(code: &str) -> Result<&'static Rule, Failure> {
    rule::find(code).ok_or_else(|| {
        let codes = RULES.iter().map(|rule| rule.code);
        Failure::new(
            Exit::Usage,
            "unknown_rule",
            format!("there is no rule `{code}`"),
        )
        .parameter("code")
        .hint(similar::hint(code, codes, "`agon rules` lists them all"))
    })
}

fn table() -> String {
    let wide = RULES.iter().map(|rule| rule.code.len()).max().unwrap_or(0);
    let mut out = String::new();
    let mut family = "";
    for rule in RULES {
        if rule.family != family {
            let gap = if family.is_empty() { "" } else { "\n" };
            family = rule.family;
            out.push_str(&format!("{gap}{}\n", styled(STRONG, family)));
        }
        let style = match rule.severity {
            Severity::Fatal => BAD,
            Severity::Error => ODD,
            Severity::Warning => DIM,
        };
        let severity = rule.severity.to_string();
        let pad = " ".repeat("warning".len() - severity.len());
        let severity = styled(style, &severity);
        out.push_str(&format!(
            "  {:<wide$}  {severity}{pad}  {}\n",
            rule.code, rule.about
        ));
    }
    out
}

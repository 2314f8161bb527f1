//! `agon team policy`: what members may do.

use agon_app::team::MemberSpending;
use agon_app::team::policy::{self, PolicyRequest, PolicyRulingDoc, PolicySubject};
use agon_report::text::plain_line;

use super::print;
use crate::args::{Global, PolicyCommand, PolicyExplainArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::Out;

/// Runs `agon team policy`.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    command: &PolicyCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        PolicyCommand::Check { file } => {
            let document = policy::check(edge, file.as_deref())?;
            let lines: Vec<String> = document
                .files
                .iter()
                .map(|file| {
                    let path = plain_line(&file.path.display().to_string());
                    match &file.fault {
                        Some(fault) => {
                            let fault: Vec<String> = fault.lines().map(plain_line).collect();
                            format!("{path}: denies everything: {}", fault.join("\n  "))
                        }
                        None => {
                            let default = file.default.as_str();
                            format!("{path}: {} rules, else {default}", file.rules)
                        }
                    }
                })
                .collect();
            let said = match lines.is_empty() {
                true => "no policy is set".to_owned(),
                false => lines.join("\n"),
            };
            print(global, &document, &said, out)?;
            Ok(match document.is_sound() {
                true => Exit::Done,
                false => Exit::Findings,
            })
        }
        PolicyCommand::Explain(args) => {
            let document = policy::explain(edge, request(args)?)?;
            print(global, &document, &describe(&document), out)
        }
    }
}

fn request(args: &PolicyExplainArgs) -> Result<PolicyRequest, Failure> {
    let subject = match (&args.role, &args.member) {
        (Some(role), _) => PolicySubject::Role(role.clone()),
        (None, Some(member)) => PolicySubject::Member(member.clone()),
        (None, None) => {
            let message = "neither a role nor a member is named";
            return Err(
                Failure::new(FailureKind::Usage, "missing_parameter", message)
                    .hint("name one with --role or --member"),
            );
        }
    };
    Ok(PolicyRequest {
        subject,
        tool: args.tool.clone(),
        path: args.path.clone(),
        spent: MemberSpending {
            tokens: args.tokens,
            minutes: args.minutes,
            cost_micros: args.cost_micros,
        },
    })
}

fn describe(document: &PolicyRulingDoc) -> String {
    let place = match (&document.file, document.line) {
        (Some(file), Some(line)) => format!(" ({}:{line})", file.display()),
        (Some(file), None) => format!(" ({})", file.display()),
        (None, _) => String::new(),
    };
    let head = format!("{}: {}{place}", document.effect.as_str(), document.why);
    let mut lines = vec![plain_line(&head)];
    lines.extend(document.rules.iter().map(|rule| {
        let applies = match rule.applies {
            true => "applies",
            false => "does not apply",
        };
        let note = match rule.note.is_empty() {
            true => String::new(),
            false => format!(": {}", rule.note),
        };
        let (number, line, effect) = (rule.rule, rule.line, rule.effect.as_str());
        plain_line(&format!(
            "  rule {number}, line {line}, {effect}, {applies}{note}"
        ))
    }));
    lines.join("\n")
}

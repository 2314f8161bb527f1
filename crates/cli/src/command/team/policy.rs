//! `agon team policy`: checks and explains what members may do.

use agon_report::text::plain_line;
use agon_teamwork::permissions::{CompileFor, CompiledRuleDoc, PolicyCompiledDoc};
use agon_teamwork::policy::{PolicyRequest, PolicyRulingDoc, PolicySubject};
use agon_teamwork::{MemberSpending, permissions, policy};

use super::print;
use crate::args::{Global, PolicyCommand, PolicyCompileArgs, PolicyExplainArgs, ScopeName};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

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
                            format!(
                                "{path}: invalid, so it denies everything: {}",
                                fault.join("\n  ")
                            )
                        }
                        None => {
                            let default = file.default.as_str();
                            format!("{path}: {} rules, otherwise {default}", file.rules)
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
            let document = policy::explain(edge, ruling_request(args)?)?;
            print(global, &document, &describe_ruling(&document), out)
        }
        PolicyCommand::Compile(args) => {
            let whom = compile_for(args);
            let document = permissions::compile(edge, &whom, args.host.as_deref())?;
            print(global, &document, &describe_compiled(&document), out)
        }
    }
}

fn compile_for(args: &PolicyCompileArgs) -> CompileFor {
    match &args.role {
        Some(role) => CompileFor::Member(role.clone()),
        None => CompileFor::Sessions {
            is_for_project: args.scope == ScopeName::Project,
        },
    }
}

fn describe_compiled(document: &PolicyCompiledDoc) -> String {
    let mut lines = Vec::new();
    if document.files.is_empty() {
        lines.push("no policy is set for these sessions".to_owned());
    }
    for host in &document.hosts {
        let place = host
            .place
            .as_deref()
            .unwrap_or("no permissions are written");
        lines.push(plain_line(&format!("{}: {place}", host.host)));
        let text = host.text.as_deref().unwrap_or_default().lines();
        lines.extend(text.map(|line| format!("    {}", plain_line(line))));
        lines.extend(host.rules.iter().map(describe_rule));
    }
    lines.join("\n")
}

fn describe_rule(rule: &CompiledRuleDoc) -> String {
    let enforced = match rule.held {
        true => "enforced",
        false => "not enforced",
    };
    let on = rule.path.as_ref().map(|path| format!(" {path}"));
    let line = match rule.line {
        Some(line) => format!("line {line}"),
        None => "default".to_owned(),
    };
    let file = rule.file.display();
    let (effect, tool) = (rule.effect.as_str(), &rule.tool);
    plain_line(&format!(
        "  {enforced}: {effect} {tool}{} ({file}, {line}): {}",
        on.unwrap_or_default(),
        rule.how
    ))
}

fn ruling_request(args: &PolicyExplainArgs) -> Result<PolicyRequest, Failure> {
    let subject = match (&args.role, &args.member) {
        (Some(role), _) => PolicySubject::Role(role.clone()),
        (None, Some(member)) => PolicySubject::Member(member.clone()),
        (None, None) => {
            let message = "missing role or member";
            return Err(Failure::new(Code::MissingParameter, message)
                .hint("name one with --role or --member"));
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

fn describe_ruling(document: &PolicyRulingDoc) -> String {
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

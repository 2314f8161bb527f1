//! `agon skills import`: converts skills with manifests into Agon skills.

use agon_install::skills;
use agon_install::skills::{ImportFieldDoc, ImportRequest, ImportedSkillDoc};
use agon_report::text::{count_with_noun, plain_line};

use crate::args::{Global, ImportArgs};
use crate::command::hosts::format_finding;
use crate::error::{Exit, Failure};
use crate::output::{DIM, ODD, Out, STRONG, apply_style};
use crate::surroundings::Surroundings;

/// Imports the skills; exits with 8 if one is refused, and with 7 if one was left alone.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ImportArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = ImportRequest {
        from: args.dir.clone(),
        to: args.to.clone(),
        keeps_permissions: args.keep_permissions,
        is_dry_run: args.dry_run,
    };
    let document = skills::import(edge, &request)?;
    if global.json {
        out.write_json(&document)?;
    } else {
        for skill in &document.skills {
            out.write_stdout(&format_skill(skill))?;
        }
        for finding in &document.findings {
            out.write_stdout(&format_finding(finding))?;
        }
        let read = count_with_noun(document.skills.len() as u64, "skill");
        let errors = count_with_noun(document.findings.len() as u64, "error");
        out.write_line(&format!("{read} read, {errors}"))?;
        if document.dry_run {
            out.eprint_line("nothing was written");
        }
    }
    Ok(match document.findings.is_empty() {
        false => Exit::Findings,
        true if document.is_partial() => Exit::Lesser,
        true => Exit::Done,
    })
}

fn format_skill(skill: &ImportedSkillDoc) -> String {
    let name = apply_style(STRONG, &plain_line(&skill.name));
    let style = match skill.action {
        "keep" => ODD,
        _ => DIM,
    };
    let mut text = format!(
        "{name}  {} of {} tokens\n  {} {}\n",
        skill.tokens,
        skill.max_context_tokens,
        apply_style(style, skill.action),
        plain_line(&skill.path)
    );
    if skill.action == "keep" {
        text.push_str(
            "      a different skill exists there: move it away, or choose another folder with --to\n",
        );
    }
    let kept: Vec<_> = skill
        .fields
        .iter()
        .filter(|field| field.note.is_none())
        .collect();
    if !kept.is_empty() {
        let names: Vec<_> = kept.iter().map(|field| plain_line(&field.field)).collect();
        text.push_str(&format!("  kept: {}\n", names.join(", ")));
    }
    for field in &skill.fields {
        text.push_str(&format_field(field));
    }
    text.push('\n');
    text
}

/// Formats a field that was translated or left out.
fn format_field(field: &ImportFieldDoc) -> String {
    let Some(note) = &field.note else {
        return String::new();
    };
    let (name, note) = (plain_line(&field.field), plain_line(note));
    match field.outcome {
        "left_out" => {
            let head = apply_style(ODD, "left out");
            format!("  {head}: {name}: {note}\n")
        }
        _ => format!("  {name}: {note}\n"),
    }
}

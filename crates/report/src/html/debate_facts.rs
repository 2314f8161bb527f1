//! Facts about the debate: seats, tools, models, rules and names.

use std::collections::BTreeSet;

use agon_record::spec::Context;
use maud::{Markup, html};

use super::answer::opening_day;
use super::page::{Page, shorten_to_columns};
use crate::text::{capitalize, plain_line};

/// Returns the section on the seats and other facts.
pub(super) fn seats_and_facts_section(page: &Page<'_>) -> Markup {
    let spec = &page.state.spec;
    let facts = debate_facts(page);
    html! {
        @if !page.state.seats.is_empty() {
            div.scroller tabindex="0" {
                table.seats {
                    thead {
                        tr { th scope="col" { "Seat" } th scope="col" { "Tool" } th scope="col" { "Model" } th scope="col" { "Version" } th scope="col" { "Transport" } th scope="col" { "Effort" } }
                    }
                    tbody {
                        @for (seat, seating) in &page.state.seats {
                            tr {
                                th scope="row" { span.side.(page.side_class(*seat)) { (capitalize(&seat.to_string())) } }
                                td { (seating.tool) @if !seating.vendor.is_empty() { span.faint { " " (shorten_to_columns(&seating.vendor, 40)) } } }
                                td { @if let Some(model) = page.state.model(*seat) { (shorten_to_columns(model, 60)) } @else { span.faint { "tool's default" } } }
                                td { @if let Some(version) = &seating.version { (shorten_to_columns(version, 60)) } }
                                td { (shorten_to_columns(&seating.transport, 30)) }
                                td { (seating.effort) }
                            }
                        }
                    }
                }
            }
        }
        @if let Some(verdict) = page.verdict { p.rigor { (capitalize(&plain_line(&verdict.rigor))) "." } }
        dl.facts {
            @for (label, value) in facts { div { dt { (label) } dd { (value) } } }
        }
        @if !page.state.imported_files().is_empty() {
            p.note { "This debate includes " (page.state.imported_files().len()) " files from another tool." }
        }
        p.note { code { "agon check " (shorten_to_columns(&spec.slug, 80)) } " verifies the record; the folder holds every argument as a file." }
    }
}

fn debate_facts(page: &Page<'_>) -> Vec<(&'static str, String)> {
    let spec = &page.state.spec;
    let context = match &spec.context {
        Context::None => "the topic only".to_owned(),
        Context::Diff {
            commit,
            since: Some(since),
            ..
        } => format!(
            "changes from {} to {}",
            shorten_to_columns(since, 40),
            shorten_to_columns(commit, 40)
        ),
        Context::Diff { commit, .. } => {
            format!("uncommitted changes on {}", shorten_to_columns(commit, 40))
        }
        Context::Files { files } => {
            let names: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
            shorten_to_columns(&names.join(", "), 200)
        }
        Context::File { path, .. } => shorten_to_columns(path, 200),
        Context::Repo(repo) => shorten_to_columns(&repo.summary(), 200),
    };
    let mut facts = vec![
        ("Debate", shorten_to_columns(&spec.slug, 80)),
        ("Rules", shorten_to_columns(&spec.ruleset, 40)),
        ("Context", context),
        ("Opened with", shorten_to_columns(&spec.agon, 60)),
    ];
    if let Some(day) = opening_day(page) {
        facts.insert(1, ("Opened", day));
        facts.insert(1, ("ULID", spec.ulid.to_string()));
    }
    let versions = page.state.turns.values().flat_map(|turn| &turn.asks);
    let version = versions
        .filter_map(|ask| ask.asked.as_ref())
        .map(|asked| asked.prompt_version);
    let versions: BTreeSet<_> = version.collect();
    let names: Vec<_> = versions.iter().map(u32::to_string).collect();
    if !names.is_empty() {
        facts.push(("Prompts", format!("version {}", names.join(" and "))));
    }
    facts
}

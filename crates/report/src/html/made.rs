//! How the debate was made: seats, tools, models, rules, and its names.

use std::collections::BTreeSet;

use agon_record::spec::Context;
use maud::{Markup, html};

use super::answer::opening_day;
use super::page::{Page, capital, short};
use crate::text::plain;

/// The section.
pub(super) fn section(page: &Page<'_>) -> Markup {
    let spec = &page.state.spec;
    let facts = facts(page);
    html! {
        @if !page.state.seats.is_empty() {
            div.scroller {
                table.seats {
                    thead {
                        tr { th scope="col" { "Seat" } th scope="col" { "Tool" } th scope="col" { "Model" } th scope="col" { "Version" } th scope="col" { "Spoken to by" } th scope="col" { "Effort" } }
                    }
                    tbody {
                        @for (seat, seating) in &page.state.seats {
                            tr {
                                th scope="row" { span.side.(page.class(*seat)) { (capital(&seat.to_string())) } }
                                td { (seating.tool) @if !seating.vendor.is_empty() { span.faint { " " (short(&seating.vendor, 40)) } } }
                                td { @if let Some(model) = page.state.model(*seat) { (short(model, 60)) } @else { span.faint { "its own choice" } } }
                                td { @if let Some(version) = &seating.version { (short(version, 60)) } }
                                td { (short(&seating.transport, 30)) }
                                td { (seating.effort) }
                            }
                        }
                    }
                }
            }
        }
        @if let Some(verdict) = page.verdict { p.rigor { (capital(&plain(&verdict.rigor))) "." } }
        dl.facts {
            @for (label, value) in facts { div { dt { (label) } dd { (value) } } }
        }
        @if !page.state.imported().is_empty() {
            p.note { (page.state.imported().len()) " files of another tool are part of this debate." }
        }
        p.note { code { "agon check " (short(&spec.slug, 80)) } " verifies the record; the folder holds every argument as a file." }
    }
}

fn facts(page: &Page<'_>) -> Vec<(&'static str, String)> {
    let spec = &page.state.spec;
    let context = match &spec.context {
        Context::None => "nothing but the topic".to_owned(),
        Context::Diff { commit, .. } => format!("uncommitted changes on {}", short(commit, 40)),
        Context::File { path, .. } => short(path, 200),
        Context::Repo(repo) => short(&repo.about(), 200),
    };
    let mut facts = vec![
        ("Debate", short(&spec.slug, 80)),
        ("Rules", short(&spec.ruleset, 40)),
        ("Context", context),
        ("Opened with", short(&spec.agon, 60)),
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
    let told: Vec<_> = versions.iter().map(u32::to_string).collect();
    if !told.is_empty() {
        facts.push(("Prompts", format!("version {}", told.join(" and "))));
    }
    facts
}

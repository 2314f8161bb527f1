//! An argument and its grounds in prose.

use agon_record::grammar::{Filled, Value};
use agon_record::moves::{Argument, Ground};

use crate::markdown::{escape_and_quote, escape_as_sentence, escape_inline};
use crate::text::citation_place;

/// Returns an argument under `name`, with its grounds, its warrant and its limits.
pub(super) fn argument_md(name: &str, argument: &Argument) -> String {
    let title = escape_as_sentence(&argument.title);
    let mut out = format!(
        "**{name}: {title}** {}\n",
        escape_as_sentence(&argument.claim)
    );
    out.push_str(&grounds_and_texts_md(&Filled::from(argument)));
    out
}

/// Returns the point's grounds as a numbered list, then its captioned texts (warrant, rebuttal, …),
/// without the title and claim.
pub(super) fn grounds_and_texts_md(point: &Filled<'_>) -> String {
    let mut out = String::new();
    for (_, value) in point.fields_with_values() {
        if let Value::Grounds(grounds) = value {
            out.push_str(&grounds_md(grounds));
        }
    }
    let texts = point.captioned_texts(|captions| captions.prose).into_iter();
    let texts: Vec<_> = texts
        .map(|(label, text)| format!("{label}: {}", escape_as_sentence(text)))
        .collect();
    if !texts.is_empty() {
        put!(out, "\n{}", texts.join(" "));
    }
    out
}

/// Returns the grounds as a numbered list, each with its cited place.
fn grounds_md(grounds: &[Ground]) -> String {
    let mut out = String::new();
    for (at, ground) in grounds.iter().enumerate() {
        let cited = ground.citation.as_ref().and_then(citation_place);
        let source = escape_inline(&ground.source);
        let place = match cited.map(|place| escape_inline(&place)) {
            Some(place) if place != source => format!("{source}, at {place}"),
            Some(_) | None => source,
        };
        put!(
            out,
            "\n{}. {} ({place}) {}",
            at + 1,
            escape_as_sentence(&ground.content),
            escape_as_sentence(&ground.relevance),
        );
        if let Some(anchor) = ground
            .citation
            .as_ref()
            .and_then(|cited| cited.anchor.as_ref())
        {
            put!(out, " Quoted: {}.", escape_and_quote(anchor));
        }
    }
    if !grounds.is_empty() {
        out.push('\n');
    }
    out
}

//! An argument and its grounds in prose.

use agon_record::moves::{Argument, Ground};

use crate::markdown::{inline, quoted, sentence};
use crate::text::place;

/// An argument under `name`, with its grounds, its warrant and what limits it.
pub(super) fn argument_md(name: &str, argument: &Argument) -> String {
    let title = sentence(&argument.title);
    let mut out = format!("**{name}: {title}** {}\n", sentence(&argument.claim));
    out.push_str(&grounds_md(&argument.grounds));
    put!(
        out,
        "\nThis carries the claim because: {}",
        sentence(&argument.warrant)
    );
    if let Some(backing) = &argument.backing {
        put!(out, " Behind that: {}", sentence(backing));
    }
    if let Some(qualifier) = &argument.qualifier {
        put!(out, " It holds so far: {}", sentence(qualifier));
    }
    out
}

/// The grounds as a numbered list, with the place that each cites.
pub(super) fn grounds_md(grounds: &[Ground]) -> String {
    let mut out = String::new();
    for (at, ground) in grounds.iter().enumerate() {
        let cited = ground.citation.as_ref().and_then(place);
        let source = inline(&ground.source);
        let place = match cited.map(|place| inline(&place)) {
            Some(place) if place != source => format!("{source}, at {place}"),
            Some(_) | None => source,
        };
        put!(
            out,
            "\n{}. {} ({place}) {}",
            at + 1,
            sentence(&ground.content),
            sentence(&ground.relevance),
        );
        if let Some(anchor) = ground
            .citation
            .as_ref()
            .and_then(|cited| cited.anchor.as_ref())
        {
            put!(out, " Words expected there: {}.", quoted(anchor));
        }
    }
    if !grounds.is_empty() {
        out.push('\n');
    }
    out
}

//! Parses the Markdown of an argument.

use std::ops::Range;

use agon_record::moves::Citation;

use super::places::ArgumentPartSpans;
use super::{FormalFault, front};
use crate::markup::{unescape_block, unescape_line};
use crate::raw_json::byte_range_of;

const SECTIONS: [&str; 7] = [
    "Claim",
    "Grounds",
    "Warrant",
    "Backing",
    "Qualifier",
    "Attacks",
    "Defends",
];
// Index of this heading in `SECTIONS`.
const GROUNDS: usize = 1;
// Index of this heading in `SECTIONS`.
const ATTACKS: usize = 5;
// Index of this heading in `SECTIONS`.
const DEFENDS: usize = 6;
const RELEVANCE: &str = "**Relevance:**";
const CITATION: &str = "**Citation:**";
const TYPE: &str = "**Type:**";

/// A text and its position in the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    pub(crate) text: String,
    pub(crate) at: Range<usize>,
}

/// A ground.
#[derive(Clone, Debug)]
pub(crate) struct GroundPart {
    pub(crate) source: Field,
    pub(crate) content: Field,
    pub(crate) relevance: Field,
    pub(crate) citation: Option<Citation>,
}

/// An attack or a defense.
#[derive(Clone, Debug)]
pub(crate) struct AnswerPart {
    pub(crate) target: Field,
    pub(crate) kind: Field,
    pub(crate) content: Field,
}

/// The parts of an argument's Markdown.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) grounds: Vec<GroundPart>,
    pub(crate) warrant: Field,
    pub(crate) backing: Option<Field>,
    pub(crate) qualifier: Option<Field>,
    pub(crate) attacks: Vec<AnswerPart>,
    pub(crate) defends: Vec<AnswerPart>,
}

/// The words of a heading and the text up to the next heading.
#[derive(Clone, Copy)]
struct SectionPart<'a> {
    section: usize,
    /// The words of a third-level heading.
    head: Option<&'a str>,
    text: &'a str,
}

impl Body {
    /// Parses `rest`, the end of `text`.
    pub(crate) fn parse(text: &str, rest: &str) -> Result<Self, FormalFault> {
        let pieces = split_sections(rest);
        let of = |section: usize| pieces.iter().filter(move |piece| piece.section == section);
        let field = |name: &str| {
            let section = SECTIONS.iter().position(|known| *known == name)?;
            of(section)
                .next()
                .map(|piece| to_trimmed_field(text, piece.text, unescape_block))
        };
        let needed = |name: &str| {
            let hint = "write the facts that support the argument under `## Grounds`, and why they do under `## Warrant`";
            let line = front::line_number_at(text, text.len());
            field(name)
                .ok_or_else(|| FormalFault::new(Some(line), format!("has no `## {name}`"), hint))
        };
        needed("Grounds")?;
        let parts = |section| {
            let below = of(section).filter_map(|piece| Some((piece.head?, piece.text)));
            below.collect::<Vec<_>>()
        };
        let answers = |section| {
            parts(section)
                .into_iter()
                .map(|(head, part)| parse_answer(text, head, part))
                .collect()
        };
        Ok(Self {
            grounds: parts(GROUNDS)
                .into_iter()
                .map(|(head, part)| parse_ground(text, head, part))
                .collect(),
            warrant: needed("Warrant")?,
            backing: field("Backing"),
            qualifier: field("Qualifier"),
            attacks: answers(ATTACKS),
            defends: answers(DEFENDS),
        })
    }

    /// Adds the positions of the parts.
    pub(crate) fn add_part_spans(&self, places: &mut ArgumentPartSpans) {
        for (at, ground) in self.grounds.iter().enumerate() {
            let name = format!("grounds[{at}]");
            places.add(format!("{name}.content"), ground.content.at.clone());
            places.add(format!("{name}.relevance"), ground.relevance.at.clone());
            places.add(name, ground.source.at.clone());
        }
        places.add("warrant", self.warrant.at.clone());
        for (name, field) in [("backing", &self.backing), ("qualifier", &self.qualifier)] {
            if let Some(field) = field {
                places.add(name, field.at.clone());
            }
        }
        for (list, answers) in [("attacks", &self.attacks), ("defends", &self.defends)] {
            for (at, answer) in answers.iter().enumerate() {
                places.add(format!("{list}[{at}].content"), answer.content.at.clone());
            }
        }
    }
}

/// Splits `rest` at its headings.
///
/// A second-level heading counts only if it is a known one in the known order; any other line is
/// part of the text.
fn split_sections(rest: &str) -> Vec<SectionPart<'_>> {
    // For each heading, its start and the start of the text below it.
    let mut heads: Vec<(usize, SectionPart<'_>)> = Vec::new();
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let now = heads.last().map(|(_, piece)| piece.section);
        let Some((section, head)) = parse_heading(line.trim_end(), now) else {
            continue;
        };
        let text = &rest[at..];
        heads.push((
            start,
            SectionPart {
                section,
                head,
                text,
            },
        ));
    }
    let ends = heads.iter().skip(1).map(|(start, _)| *start);
    let ends: Vec<_> = ends.chain([rest.len()]).collect();
    let pieces = heads.into_iter().zip(ends);
    pieces
        .map(|((_, piece), end)| {
            let start = byte_range_of(rest, piece.text).start;
            let text = &rest[start..end.max(start)];
            SectionPart { text, ..piece }
        })
        .collect()
}

fn parse_heading(line: &str, now: Option<usize>) -> Option<(usize, Option<&str>)> {
    if let Some(name) = line.strip_prefix("## ") {
        let section = SECTIONS.iter().position(|known| *known == name.trim())?;
        return now
            .is_none_or(|now| section > now)
            .then_some((section, None));
    }
    let words = line.strip_prefix("###")?;
    let words = words
        .strip_prefix(' ')
        .or(words.is_empty().then_some(words))?;
    let section = now?;
    let head = match section {
        GROUNDS => words,
        ATTACKS => words.strip_prefix("Attacking ")?,
        DEFENDS => words.strip_prefix("Defending ")?,
        _ => return None,
    };
    Some((section, Some(head)))
}

fn to_trimmed_field(whole: &str, part: &str, read: fn(&str) -> String) -> Field {
    let part = part.trim();
    Field {
        text: read(part),
        at: byte_range_of(whole, part),
    }
}

fn parse_ground(whole: &str, head: &str, text: &str) -> GroundPart {
    let (content, rest) = split_at_line_prefix(text, RELEVANCE);
    let (relevance, citation) = match rest {
        None => (&text[text.len()..], None),
        Some(rest) => {
            let (relevance, cited) = split_at_line_prefix(rest, CITATION);
            let cited = cited.and_then(|cited| serde_json::from_str(cited.trim()).ok());
            // Keep a citation in another format as part of the text.
            if cited.is_some() {
                (relevance, cited)
            } else {
                (rest, None)
            }
        }
    };
    let number = head.bytes().take_while(u8::is_ascii_digit).count();
    let source = head[number..].strip_prefix('.').filter(|_| number > 0);
    let content = content.trim();
    GroundPart {
        source: to_trimmed_field(whole, source.unwrap_or(head), unescape_line),
        content: Field {
            text: unescape_block(unquote(content).trim()),
            at: byte_range_of(whole, content),
        },
        relevance: to_trimmed_field(whole, relevance, unescape_block),
        citation,
    }
}

/// Splits at the first line that begins with `sign`, and returns the text before it and the rest
/// after the sign.
fn split_at_line_prefix<'a>(text: &'a str, sign: &str) -> (&'a str, Option<&'a str>) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(after) = text[at..].strip_prefix(sign) {
            return (&text[..at], Some(after));
        }
        at += line.len();
    }
    (text, None)
}

/// Removes the quotation marks of lines; other tools mark only the first line.
fn unquote(text: &str) -> String {
    let bare = |line: &str| {
        let rest = line.strip_prefix('>');
        let rest = rest.map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        rest.map(str::to_owned)
    };
    let every: Option<Vec<_>> = text.split('\n').map(bare).collect();
    match every {
        Some(lines) => lines.join("\n"),
        None => bare(text).unwrap_or_else(|| text.to_owned()),
    }
}

fn parse_answer(whole: &str, head: &str, text: &str) -> AnswerPart {
    let text = text.trim_start();
    let (kind, content) = match text.strip_prefix(TYPE) {
        None => (&text[..0], text),
        Some(rest) => rest.split_at(rest.find('\n').unwrap_or(rest.len())),
    };
    AnswerPart {
        target: to_trimmed_field(whole, head, unescape_line),
        kind: to_trimmed_field(whole, kind, unescape_line),
        content: to_trimmed_field(whole, content, unescape_block),
    }
}

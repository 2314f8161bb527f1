//! Writes and parses `arguments/ID.md`, an argument of a formal debate.

use agon_record::id::NodeId;
use agon_record::moves::{Argument, Attack, AttackKind, Contention, Defend, DefenseKind, Ground};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

use super::body::{self, Body, Field};
use super::places::ArgumentPartSpans;
use super::{FormalFault, front};
use crate::markup::{escape_block, escape_line};
use crate::raw_json::{Members, byte_range_of, to_ascii_json};

const FRONT: &str = "add front matter with id, side, exchange, title, claim, attacks and defends";

/// Returns the file of an argument.
pub(crate) fn render_file(id: NodeId, contention: &Contention) -> String {
    let argument = &contention.argument;
    let marks = |target: NodeId, kind: &str| json!({ "target_id": target, "type": kind });
    let attacks = contention.attacks.iter();
    let defends = contention.defends.iter();
    let front = json!({
        "id": id,
        "side": id.seat.short_name(),
        "exchange": id.round,
        "title": argument.title,
        "claim": argument.claim,
        "attacks": attacks.map(|a| marks(a.target_id, a.attack_type.name())).collect::<Vec<_>>(),
        "defends": defends.map(|d| marks(d.target_id, d.defense_type.name())).collect::<Vec<_>>(),
    });
    format!(
        "{}\n\n{}",
        to_ascii_json(&front),
        body_sections(contention).join("\n\n")
    )
}

fn body_sections(contention: &Contention) -> Vec<String> {
    let argument = &contention.argument;
    let mut out = vec![
        format!("## Claim\n\n{}", escape_block(&argument.claim)),
        "## Grounds".to_owned(),
    ];
    for (number, ground) in (1..).zip(&argument.grounds) {
        out.push(format!("### {number}. {}", escape_line(&ground.source)));
        out.push(block_quote(&ground.content));
        out.push(format!(
            "**Relevance:** {}",
            escape_block(&ground.relevance)
        ));
        let citation = ground.citation.as_ref();
        if let Some(text) = citation.and_then(|place| serde_json::to_string(place).ok()) {
            out.push(format!("**Citation:** {}", escape_markup_in_json(&text)));
        }
    }
    out.push(format!("## Warrant\n\n{}", escape_block(&argument.warrant)));
    // Omit empty sections, as other tools do.
    let optional = [
        ("Backing", &argument.backing),
        ("Qualifier", &argument.qualifier),
    ];
    for (name, text) in optional {
        if let Some(text) = text.as_ref().filter(|text| !text.is_empty()) {
            out.push(format!("## {name}\n\n{}", escape_block(text)));
        }
    }
    if !contention.attacks.is_empty() {
        out.push("## Attacks".to_owned());
    }
    for attack in &contention.attacks {
        out.push(format!("### Attacking {}", attack.target_id));
        out.push(format!("**Type:** {}", attack.attack_type.name()));
        out.push(escape_block(&attack.content));
    }
    if !contention.defends.is_empty() {
        out.push("## Defends".to_owned());
    }
    for defend in &contention.defends {
        out.push(format!("### Defending {}", defend.target_id));
        out.push(format!("**Type:** {}", defend.defense_type.name()));
        out.push(escape_block(&defend.content));
    }
    out
}

fn block_quote(text: &str) -> String {
    let block = escape_block(text);
    let lines: Vec<_> = block
        .split('\n')
        .map(|line| match line {
            "" => ">".to_owned(),
            line => format!("> {line}"),
        })
        .collect();
    lines.join("\n")
}

/// Escapes markup, HTML and invisible characters in JSON strings.
fn escape_markup_in_json(json: &str) -> String {
    let mut out = String::new();
    for c in json.chars() {
        if c.is_ascii_graphic() && !"<>&`*".contains(c) || c == ' ' {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

/// A parsed argument file.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) contention: Contention,
    pub(crate) places: ArgumentPartSpans,
}

#[derive(Deserialize)]
struct ArgumentHead {
    id: NodeId,
    side: String,
    exchange: u16,
    title: String,
    claim: String,
    attacks: Option<Vec<ArgumentLink<AttackKind>>>,
    defends: Option<Vec<ArgumentLink<DefenseKind>>>,
}

#[derive(Deserialize)]
struct ArgumentLink<K> {
    target_id: NodeId,
    #[serde(rename = "type")]
    kind: K,
}

/// Parses the file of the argument `id`; line ends must be `
/// `.
pub(crate) fn parse_file(id: NodeId, text: &str) -> Result<Parsed, FormalFault> {
    let (object, rest) = front::split_front_matter(text)?;
    let before = &text[..byte_range_of(text, object).start];
    let front: ArgumentHead = serde_json::from_str(object)
        .map_err(|error| FormalFault::from_json_error(before, &error, FRONT))?;
    let members = Members::parse(object)
        .map_err(|error| FormalFault::from_json_error(before, &error, FRONT))?;
    check_matches_file_name(id, &front, |key| {
        let value = members.get(key).map_or(object, |value| value.get());
        front::line_number_at(text, byte_range_of(text, value).start)
    })?;
    let body = Body::parse(text, rest)?;
    let mut places = ArgumentPartSpans::default();
    for key in ["title", "claim"] {
        if let Some(value) = members.get(key) {
            places.add(key, byte_range_of(text, value.get()));
        }
    }
    add_link_spans(text, &members, &mut places);
    body.add_part_spans(&mut places);
    let attacks = match_links_to_texts(text, front.attacks, &body.attacks)?;
    let defends = match_links_to_texts(text, front.defends, &body.defends)?;
    let contention = Contention {
        argument: Argument {
            title: front.title,
            claim: front.claim,
            grounds: body.grounds.iter().map(to_ground).collect(),
            warrant: body.warrant.text.clone(),
            backing: body.backing.map(|field| field.text),
            qualifier: body.qualifier.map(|field| field.text),
        },
        attacks: attacks
            .into_iter()
            .map(|(mark, content)| Attack {
                target_id: mark.target_id,
                attack_type: mark.kind,
                content,
            })
            .collect(),
        defends: defends
            .into_iter()
            .map(|(mark, content)| Defend {
                target_id: mark.target_id,
                defense_type: mark.kind,
                content,
            })
            .collect(),
    };
    Ok(Parsed { contention, places })
}

/// Checks that the front matter matches the file name.
fn check_matches_file_name(
    id: NodeId,
    front: &ArgumentHead,
    line: impl Fn(&str) -> u32,
) -> Result<(), FormalFault> {
    let (key, said) = if front.id != id {
        ("id", front.id.to_string())
    } else if front.side != id.seat.short_name() {
        ("side", front.side.clone())
    } else if front.exchange != id.round {
        ("exchange", front.exchange.to_string())
    } else {
        return Ok(());
    };
    let what = format!("says {key} `{said}`, but the file is named {id}.md");
    let hint = "change id, side and exchange to match the file name, or rename the file";
    Err(FormalFault::new(Some(line(key)), what, hint))
}

/// Adds the positions of targets and types in the front matter.
fn add_link_spans(text: &str, members: &Members<'_>, places: &mut ArgumentPartSpans) {
    for (list, kind) in [("attacks", "attack_type"), ("defends", "defense_type")] {
        let Some(value) = members.get(list) else {
            continue;
        };
        places.add(list, byte_range_of(text, value.get()));
        let marks: Vec<Members<'_>> = serde_json::from_str(value.get()).unwrap_or_default();
        for (at, mark) in marks.iter().enumerate() {
            let name = format!("{list}[{at}]");
            if let Some(target) = mark.get("target_id") {
                places.add(&name, byte_range_of(text, target.get()));
            }
            if let Some(value) = mark.get("type") {
                places.add(format!("{name}.{kind}"), byte_range_of(text, value.get()));
            }
        }
    }
}

fn to_ground(found: &body::GroundPart) -> Ground {
    Ground {
        source: found.source.text.clone(),
        content: found.content.text.clone(),
        relevance: found.relevance.text.clone(),
        citation: found.citation.clone(),
    }
}

/// Combines the links of the front matter with their texts in the body. Without such a list, uses
/// the links of the body.
fn match_links_to_texts<K: DeserializeOwned + PartialEq>(
    text: &str,
    front: Option<Vec<ArgumentLink<K>>>,
    body: &[body::AnswerPart],
) -> Result<Vec<(ArgumentLink<K>, String)>, FormalFault> {
    let mut parsed = Vec::new();
    for answer in body {
        let kind = serde_json::from_value(answer.kind.text.as_str().into()).ok();
        parsed.push((
            answer.target.text.parse::<NodeId>().ok(),
            kind,
            &answer.content.text,
        ));
    }
    let Some(front) = front else {
        let all = body.iter().zip(parsed);
        return all
            .map(|(answer, (target, kind, content))| match (target, kind) {
                (Some(target_id), Some(kind)) => {
                    Ok((ArgumentLink { target_id, kind }, content.clone()))
                }
                (None, _) => Err(unknown_name_fault(text, &answer.target, "an argument")),
                (_, None) => Err(unknown_name_fault(text, &answer.kind, "a type")),
            })
            .collect();
    };
    let mut left: Vec<_> = parsed.into_iter().map(Some).collect();
    let all = front.into_iter().map(|mark| {
        let is = |exactly: bool| {
            let (mark, left) = (&mark, &left);
            let fits = move |one: &Option<(Option<NodeId>, Option<K>, &String)>| match one {
                Some((Some(target), kind, _)) => {
                    *target == mark.target_id && (!exactly || kind.as_ref() == Some(&mark.kind))
                }
                Some((None, ..)) | None => false,
            };
            left.iter().position(fits)
        };
        let at = is(true).or_else(|| is(false));
        let found = at.and_then(|at| left.get_mut(at)?.take());
        (
            mark,
            found.map_or_else(String::new, |(.., text)| text.clone()),
        )
    });
    Ok(all.collect())
}

fn unknown_name_fault(text: &str, field: &Field, what: &str) -> FormalFault {
    let line = front::line_number_at(text, field.at.start);
    let hint = "name targets and types in the front matter, in `attacks` and `defends`";
    FormalFault::new(
        Some(line),
        format!("`{}` is not the name of {what}", field.text),
        hint,
    )
}

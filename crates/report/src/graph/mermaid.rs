//! Renders a drawing as a Mermaid flowchart.

use std::cell::OnceCell;
use std::fmt::Write as _;

use agon_argue::format::{LeftOut, draw_bounded};

use super::palette::{self, INK, POLARITIES, SIDES};
use super::picture_text::sanitise_to_width;
use super::{Drawing, DrawnEdge, DrawnNode, DrawnSide, Polarity};

/// Returns the drawing as a Mermaid flowchart from top to bottom.
///
/// A node has its id, title and note; it is green for the proposition and red against it. An edge
/// has its label and is dotted for concessions. Node names in the file are numbers. Edges without a
/// node at both ends are left out. If a drawing is too large for Mermaid, only the nodes with the
/// most edges are drawn, and a box counts the rest.
///
/// ```
/// use agon_report::graph::{Drawing, DrawnNode, DrawnSide, mermaid};
/// let drawing = Drawing {
///     nodes: vec![DrawnNode {
///         id: "pro_001".to_owned(),
///         title: "Use \"SQLite\"".to_owned(),
///         note: Some("0.35".to_owned()),
///         side: DrawnSide::For,
///         round: None,
///     }],
///     ..Drawing::default()
/// };
/// assert!(mermaid(&drawing).contains(r##"n0["pro_001<br/>Use #34;SQLite#34;<br/>0.35"]"##));
/// ```
pub fn mermaid(drawing: &Drawing) -> String {
    let n = drawing.nodes.len();
    let edges = drawing.edges.iter().map(|edge| (edge.from, edge.to));
    let edges: Vec<_> = edges.filter(|&(from, to)| from < n && to < n).collect();
    // A drawing over the limits is rendered once for each step of a binary search, so escape each
    // label once for all of them, and none that no step shows.
    let labels = Labels {
        nodes: vec![OnceCell::new(); drawing.nodes.len()],
        edges: vec![OnceCell::new(); drawing.edges.len()],
    };
    draw_bounded(n, &edges, |shown, left_out| {
        render_shown_nodes(drawing, &labels, shown, left_out)
    })
}

/// The escaped labels of all nodes and edges, in the drawing's order.
struct Labels {
    nodes: Vec<OnceCell<String>>,
    edges: Vec<OnceCell<String>>,
}

fn node_label(node: &DrawnNode) -> String {
    let id = sanitise_to_width(&node.id, 60);
    let title = sanitise_to_width(&node.title, 140);
    let note = sanitise_to_width(node.note.as_deref().unwrap_or_default(), 40);
    let lines: Vec<String> = [id, title, note]
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| escape_mermaid_text(line))
        .collect();
    match lines.join("<br/>") {
        label if label.is_empty() => " ".to_owned(),
        label => label,
    }
}

/// Returns the label between bars; empty for an edge without one.
fn edge_label(edge: &DrawnEdge) -> String {
    match escape_mermaid_text(&sanitise_to_width(&edge.label, 60)).as_str() {
        "" => String::new(),
        label => format!("|\"{label}\"|"),
    }
}

fn render_shown_nodes(
    drawing: &Drawing,
    labels: &Labels,
    shown: &[bool],
    left_out: LeftOut,
) -> String {
    let mut out = String::new();
    let title = sanitise_to_width(&drawing.title, 200);
    if !title.is_empty() {
        push_formatted(
            &mut out,
            format_args!("---\ntitle: \"{}\"\n---\n", escape_yaml_text(&title)),
        );
    }
    out.push_str("flowchart TD\n");
    if let Some(sentence) = left_out.sentence() {
        let sentence = escape_mermaid_text(&sentence);
        push_formatted(
            &mut out,
            format_args!("    rest[\"{sentence}\"]:::neither\n"),
        );
    }
    let nodes = drawing.nodes.iter().zip(&labels.nodes).enumerate();
    for (nth, (node, label)) in nodes.filter(|&(nth, _)| shown[nth]) {
        let (label, class) = (
            label.get_or_init(|| node_label(node)),
            side_class(node.side),
        );
        push_formatted(
            &mut out,
            format_args!("    n{nth}[\"{label}\"]:::{class}\n"),
        );
    }
    let mut styled: Vec<Vec<String>> = vec![Vec::new(); POLARITIES.len()];
    let is_shown = |at: usize| shown.get(at) == Some(&true);
    let edges = drawing.edges.iter().zip(&labels.edges);
    let edges = edges.filter(|(it, _)| is_shown(it.from) && is_shown(it.to));
    for (nth, (edge, label)) in edges.enumerate() {
        let (from, to, line) = (edge.from, edge.to, arrow_syntax(edge.polarity));
        let label = label.get_or_init(|| edge_label(edge));
        push_formatted(&mut out, format_args!("    n{from} {line}{label} n{to}\n"));
        let kind = POLARITIES.iter().position(|it| *it == edge.polarity);
        if let Some(styled) = kind.and_then(|kind| styled.get_mut(kind)) {
            styled.push(nth.to_string());
        }
    }
    for side in SIDES {
        let look = palette::side_look(side);
        let (class, fill, stroke) = (side_class(side), look.fill, look.line);
        push_formatted(
            &mut out,
            format_args!("    classDef {class} fill:{fill},stroke:{stroke},color:{INK}\n"),
        );
    }
    for (polarity, edges) in POLARITIES.into_iter().zip(styled) {
        if !edges.is_empty() {
            let (edges, line) = (edges.join(","), palette::edge_look(polarity).line);
            push_formatted(
                &mut out,
                format_args!("    linkStyle {edges} stroke:{line}\n"),
            );
        }
    }
    out
}

fn push_formatted(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    out.write_fmt(text).unwrap_or_default();
}

fn side_class(side: DrawnSide) -> &'static str {
    match side {
        DrawnSide::For => "pro",
        DrawnSide::Against => "con",
        DrawnSide::Neither => "neither",
    }
}

fn arrow_syntax(polarity: Polarity) -> &'static str {
    match polarity {
        Polarity::Attack | Polarity::Support => "-->",
        Polarity::Concession => "-.->",
    }
}

/// Escapes `text` for Mermaid, Markdown and HTML.
fn escape_mermaid_text(text: &str) -> String {
    let text: Vec<char> = text.chars().collect();
    let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
    let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
    let mut out = String::with_capacity(text.len() + 16);
    for (at, &c) in text.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let plain = match c {
            ' ' | ',' | '\'' | '?' | '!' | '/' | ':' | '(' => true,
            '_' => is_word(before) && is_word(text.get(at + 1)),
            // At the start of a text, these would begin a list or draw a rule.
            '-' | '+' => at > 0 || is_word(text.get(1)),
            '.' | ')' => at != digits || is_word(text.get(at + 1)),
            // Mermaid uses these characters internally for entities, so escape them.
            'ﬂ' | '°' | '¶' | 'ß' => false,
            c => c.is_ascii_alphanumeric() || !c.is_ascii(),
        };
        if plain {
            out.push(c);
        } else {
            push_formatted(&mut out, format_args!("#{};", u32::from(c)));
        }
    }
    out
}

/// Escapes `text` for a quoted YAML string.
fn escape_yaml_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || !c.is_ascii() || " ,.'?!/:()_-+".contains(c) {
            out.push(c);
        } else {
            push_formatted(&mut out, format_args!("\\u{:04x}", u32::from(c)));
        }
    }
    out
}

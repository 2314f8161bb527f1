//! Markdown helpers for texts that must not affect the structure.

use agon_record::moves::{Citation, Ground};
use agon_record::text::{sanitise_line, strip_control_characters};

// The longest source in the `agon demo` debate has 52 characters; paths and URLs can be longer.
/// Maximum length of a heading from a quoted text, in characters.
const HEADING: usize = 300;

/// Appends a second-level heading and a text; nothing if the text is empty.
pub(crate) fn push_section(out: &mut String, heading: &str, text: &str) {
    let text = escape_block(text);
    if !text.is_empty() {
        out.push_str(&format!("\n## {heading}\n\n{text}\n"));
    }
}

/// Appends the numbered grounds; nothing if there are none.
pub(crate) fn push_grounds(out: &mut String, grounds: &[Ground]) {
    if grounds.is_empty() {
        return;
    }
    out.push_str("\n## Grounds\n");
    for (number, ground) in (1..).zip(grounds) {
        let source = sanitise_line(&ground.source, HEADING);
        out.push_str(&format!("\n### {number}. {source}\n\n"));
        for line in strip_control_characters(ground.content.trim()).lines() {
            out.push_str(format!("> {line}").trim_end());
            out.push('\n');
        }
        let relevance = escape_block(&ground.relevance);
        if !relevance.is_empty() {
            out.push_str(&format!("\n**Relevance:** {relevance}\n"));
        }
        if let Some(place) = ground.citation.as_ref().and_then(format_citation) {
            out.push_str(&format!(
                "\n**Citation:** {}\n",
                sanitise_line(&place, HEADING)
            ));
        }
    }
}

/// Formats a citation, such as `src/a.rs:10-20 "…"`.
fn format_citation(citation: &Citation) -> Option<String> {
    let mut out = if let Some(file) = &citation.file {
        let mut out = file.clone();
        if let Some([first, last]) = citation.lines {
            out.push_str(&format!(":{first}"));
            if last != first {
                out.push_str(&format!("-{last}"));
            }
        }
        out
    } else if let Some(url) = &citation.url {
        url.clone()
    } else if let Some(document) = &citation.document {
        document.clone()
    } else if let Some(command) = &citation.command {
        format!("output of {command}")
    } else {
        citation
            .reasoning
            .as_ref()
            .map(|_| "reasoning".to_owned())?
    };
    if let Some(commit) = &citation.commit {
        out.push_str(&format!(" at {commit}"));
    }
    let words = citation.anchor.as_ref().or(citation.output.as_ref());
    if let Some(words) = words {
        out.push_str(&format!(" \"{words}\""));
    }
    Some(out)
}

/// Formats a text as paragraphs that do not open a section, code block or comment.
pub(crate) fn escape_block(text: &str) -> String {
    let text = strip_control_characters(text.trim());
    let mut lines = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start();
        let opens = ["#", "```", "~~~", "---", "==="];
        let escape = opens.iter().any(|sign| bare.starts_with(sign));
        let line = line.replace("<!--", "<\\!--");
        let line = line.trim_end();
        lines.push(if escape {
            format!("\\{}", line.trim_start())
        } else {
            line.to_owned()
        });
    }
    lines.join("\n").trim().to_owned()
}

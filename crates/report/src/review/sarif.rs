//! A review in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS, 2020).

use agon_verdict::review::{CodeLines, Defect, DefectSeverity, ReviewDoc};
use serde_json::{Value, json};

use super::{one_line, review_headline, standing_in_words};

/// Returns the review as a SARIF log with one run. A review without a verdict is an invocation that
/// failed, with the reason as a notification.
///
/// `version` is the version of the program.
pub fn review_sarif(doc: &ReviewDoc, version: &str) -> Value {
    let rules = DefectSeverity::ALL.map(|severity| {
        json!({
            "id": rule_id(severity),
            "shortDescription": { "text": format!("{} defect", severity.name()) },
            "defaultConfiguration": { "level": level(severity) },
        })
    });
    let results: Vec<_> = doc.defects.iter().map(result).collect();
    let mut notes = Vec::new();
    if doc.failure.is_some() {
        notes.push(json!({ "level": "error", "message": { "text": review_headline(doc) } }));
    }
    if let Some(doubt) = doc.doubt() {
        notes.push(json!({ "level": "warning", "message": { "text": doubt } }));
    }
    notes.extend(doc.not_read.iter().map(|path| {
        let text = format!("not read: {}", one_line(path));
        json!({ "level": "warning", "message": { "text": text } })
    }));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "agon", "version": version, "rules": rules } },
            "invocations": [{
                "executionSuccessful": doc.failure.is_none(),
                "toolExecutionNotifications": notes,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "debate": doc.debate,
                "commit": doc.commit,
                "answer": doc.answer.as_deref().map(one_line),
            },
        }],
    })
}

fn result(defect: &Defect) -> Value {
    let locations: Vec<_> = defect.places.iter().map(location).collect();
    let tried: Vec<_> = defect
        .tried
        .iter()
        .map(|tried| one_line(&tried.text))
        .collect();
    json!({
        "ruleId": rule_id(defect.severity),
        "level": level(defect.severity),
        "message": { "text": format!("{}: {}", one_line(&defect.title), one_line(&defect.text)) },
        "locations": locations,
        "properties": {
            "point": defect.id,
            "reportedBy": defect.reported_by,
            "standing": standing_in_words(defect),
            "reproduced": defect.confirmed.as_ref().is_some_and(|one| one.is_reproduced()),
            "tried": tried,
        },
    })
}

fn location(place: &CodeLines) -> Value {
    let artifact = json!({ "uri": uri_of(&place.file) });
    // The lines of the version before are not in the commit.
    match place.is_removed {
        true => json!({ "physicalLocation": { "artifactLocation": artifact } }),
        false => json!({
            "physicalLocation": {
                "artifactLocation": artifact,
                "region": { "startLine": place.start_line, "endLine": place.end_line },
            },
        }),
    }
}

/// Returns a path as a relative URI reference (RFC 3986).
fn uri_of(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn rule_id(severity: DefectSeverity) -> String {
    format!("agon/{}", severity.name())
}

fn level(severity: DefectSeverity) -> &'static str {
    match severity {
        DefectSeverity::Minor => "note",
        DefectSeverity::Major => "warning",
        DefectSeverity::Blocker => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_and_other_scripts_is_a_uri() {
        assert_eq!(uri_of("src/a b/ü.rs"), "src/a%20b/%C3%BC.rs");
        assert_eq!(uri_of("a:b%"), "a%3Ab%25");
    }
}

//! The results as a JUnit report, which CI systems show as tests.

use std::fmt::Write as _;

use crate::results::{BatchResult, ResultStatus};

/// Returns the report of a batch with this name.
pub fn report<'a>(name: &str, results: impl IntoIterator<Item = &'a BatchResult>) -> String {
    let mut results: Vec<_> = results.into_iter().collect();
    results.sort_by_key(|result| (result.line, result.repeat));
    let failed = results
        .iter()
        .filter(|result| result.status == ResultStatus::Failed);
    let seconds: f64 = results.iter().map(|result| result.seconds).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let head = format!(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{seconds:.3}\">",
        escape(name),
        results.len(),
        failed.count()
    );
    text.push_str(&head);
    text.push('\n');
    for result in results {
        write_case(&mut text, result);
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn write_case(text: &mut String, result: &BatchResult) {
    let name = match result.id.is_empty() {
        true => format!("line {}: {}", result.line, result.topic),
        false => result.id.clone(),
    };
    let name = match result.repeat {
        1 => name,
        repeat => format!("{name} #{repeat}"),
    };
    let (name, seconds) = (escape(&name), result.seconds);
    let class = escape(result.tags.first().map_or("batch", String::as_str));
    let written = match result.status {
        ResultStatus::Done => writeln!(
            text,
            "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{seconds:.3}\"/>"
        ),
        ResultStatus::Failed => writeln!(
            text,
            "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{seconds:.3}\">\n      \
             <failure type=\"{}\" message=\"{}\"/>\n    </testcase>",
            escape(result.error.as_deref().unwrap_or_default()),
            escape(result.message.as_deref().unwrap_or_default())
        ),
    };
    // Writing to a string cannot fail.
    written.unwrap_or_default();
}

/// Escapes text for an attribute. Leaves out characters that XML does not allow.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' | '\r' => escaped.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => escaped.push(c),
        }
    }
    escaped
}

//! The version of Agon that wrote a document.

use agon_record::state::State;
use serde_json::Value;

/// The verdict, whose version applies to every document without its own, since each shows its
/// contents.
const VERDICT: &str = "verdict.json";

/// The schema ids of a document that an earlier version of Agon wrote: the id in the document and
/// the current id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierEdition {
    /// For example `agon.verdict/2`, or `version 4 of the prompts`.
    pub then: String,
    /// For example `agon.verdict/3`, or `version 5`.
    pub now: String,
}

/// Returns the edition of a folder's documents if an earlier version of Agon wrote them: the
/// edition of its verdict, or without a verdict, the edition of the prompts used last.
///
/// `prompt_version` is the current version of the prompts. `read` returns the stored file of a
/// name, and `files` are the current ones.
pub fn earlier_folder_edition<'a>(
    state: &State,
    prompt_version: u32,
    read: impl FnOnce(&str) -> Option<Vec<u8>>,
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> Option<EarlierEdition> {
    match files.into_iter().find(|(path, _)| *path == VERDICT) {
        Some((path, now)) => earlier_edition(&read(path)?, now),
        None => earlier_prompts(latest_prompt_version(state)?, prompt_version),
    }
}

/// Returns the latest prompt version used in any turn.
fn latest_prompt_version(state: &State) -> Option<u32> {
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    let asked = asks.filter_map(|ask| ask.asked.as_ref());
    asked.map(|asked| asked.prompt_version).max()
}

/// Returns the edition of documents written with prompt version `then`, if `now` is newer.
fn earlier_prompts(then: u32, now: u32) -> Option<EarlierEdition> {
    (then < now).then(|| EarlierEdition {
        then: format!("version {then} of the prompts"),
        now: format!("version {now}"),
    })
}

/// Returns the editions of both documents if `then` is earlier than `now`.
pub fn earlier_edition(then: &[u8], now: &[u8]) -> Option<EarlierEdition> {
    let (then, now) = (document_schema(then)?, document_schema(now)?);
    let is_earlier = {
        let (name, version) = split_schema_version(&then)?;
        let (same_name, later) = split_schema_version(&now)?;
        name == same_name && version < later
    };
    is_earlier.then_some(EarlierEdition { then, now })
}

/// Splits a schema id such as `agon.verdict/2`.
fn split_schema_version(schema: &str) -> Option<(&str, u32)> {
    let (name, version) = schema.split_once('/')?;
    Some((name, version.parse().ok()?))
}

/// Returns the schema id of a document.
fn document_schema(document: &[u8]) -> Option<String> {
    let document: Value = serde_json::from_slice(document).ok()?;
    Some(document.get("schema")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use agon_record::event::Event;

    use super::*;

    #[test]
    fn only_an_older_version_of_the_same_document_is_an_earlier_edition() {
        let edition = |then: &str, now: &str| {
            let document = |schema: &str| format!("{{\"schema\": \"{schema}\"}}").into_bytes();
            earlier_edition(&document(then), &document(now)).is_some()
        };
        assert!(edition("agon.verdict/2", "agon.verdict/10"));
        assert!(!edition("agon.verdict/2", "agon.verdict/2"));
        assert!(!edition("agon.verdict/3", "agon.verdict/2"));
        assert!(!edition("agon.graph/1", "agon.verdict/2"));
        assert!(!edition("agon.verdict/x", "agon.verdict/2"));
        assert_eq!(earlier_edition(b"# Verdict", b"# Another"), None);
    }

    #[test]
    fn without_a_verdict_the_prompts_tell_the_edition() {
        let batches = &agon_samples::batches::batches()[..3];
        let edition = |version: u32| {
            let mut events: Vec<_> = batches.iter().flatten().cloned().collect();
            for event in &mut events {
                if let Event::Asked(asked) = event {
                    asked.prompt_version = version;
                }
            }
            let opened = Event::Opened(Box::new(agon_samples::batches::spec()));
            let state = State::replay([&opened].into_iter().chain(&events)).unwrap();
            earlier_folder_edition(&state, 5, |_| None, []).map(|edition| edition.then)
        };
        assert_eq!(edition(5), None);
        assert_eq!(edition(4).as_deref(), Some("version 4 of the prompts"));
        let nothing_asked = State::open(agon_samples::batches::spec());
        assert_eq!(
            earlier_folder_edition(&nothing_asked, 5, |_| None, []),
            None
        );
    }
}

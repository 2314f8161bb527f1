//! Requests in files that are meant for others.

use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::act::file_name;
use crate::prose::{content_stems, sentences};

/// A longer file holds more than messages; requests that are held.
const MAX_TEXT: usize = 32 << 10;
const MAX_REQUESTS: usize = 256;

/// "billing: please add the export until Friday", "for the team of billing: add the export".
static REQUEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let verb = "add|build|make|implement|introduce|create|write|change|switch|turn|enable|put|set|ship|prepare|provide|need|want|fix|remove|update";
    Regex::new(&format!(
        r"(?i)^\s*(?:\d+[\t→])?[\s>*+-]*(?:\[[ x]\] )?(?:@|to |for )?(?:the )?(?:team (?:of )?)?[*_`]*(?P<who>[a-z][\w-]*)(?:[- ]?team)?[*_`]*:[*_`]* +(?:(?:please|pls|could you|can you|kindly)\b,? (?P<what>.+)|(?P<plain>(?:{verb})\b.+))$"
    ))
    .ok()
});
/// Where a request says why or by when.
static END: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)[,.;(]|\b(?:until|till|by|before|because|since|so that|as soon|asap|this week|next week|today|tomorrow)\b").ok()
});

/// What others were asked for.
pub(super) struct ForeignRequest {
    pub(super) file: String,
    stems: Vec<String>,
}

impl ForeignRequest {
    /// Whether a text of these sentences speaks of it.
    pub(super) fn is_in(&self, text: &[SentenceStems]) -> bool {
        text.iter().any(|stems| {
            let same = self.stems.iter().filter(|it| stems.contains(it)).count();
            same >= 2 && same * 3 >= self.stems.len() * 2
        })
    }
}

/// The stems of a sentence that say something.
type SentenceStems = Vec<String>;

/// Those of each sentence of a text, to hold many requests against it.
pub(super) fn sentence_stems(text: &str) -> Vec<SentenceStems> {
    let all = sentences(text);
    all.iter().map(|it| content_stems(it.text)).collect()
}

/// Requests to others in a file of this project.
pub(super) fn requests_in(
    path: &str,
    text: &str,
    root: Option<&str>,
    found: &mut Vec<ForeignRequest>,
) {
    if text.len() > MAX_TEXT || !text.contains(':') {
        return;
    }
    let own = root.map_or("", file_name);
    for line in text.lines().filter(|it| it.len() <= 300) {
        let Some(captures) = REQUEST.as_ref().and_then(|it| it.captures(line)) else {
            continue;
        };
        let who = captures.name("who").map_or("", |it| it.as_str());
        let what = captures.name("what").or_else(|| captures.name("plain"));
        let what = what.map_or("", |it| it.as_str());
        let end = END.as_ref().and_then(|it| it.find(what));
        let mut stems = content_stems(&what[..end.map_or(what.len(), |it| it.start())]);
        // The verb says that it is asked for, not what.
        if stems.len() > 2 {
            stems.remove(0);
        }
        let is_other = !own.is_empty()
            && !who.eq_ignore_ascii_case(own)
            && ![
                "todo", "note", "fixme", "you", "agent", "we", "us", "all", "next", "hint", "tip",
            ]
            .contains(&who.to_lowercase().as_str());
        if is_other && stems.len() >= 2 && found.len() < MAX_REQUESTS {
            let file = path.to_owned();
            found.push(ForeignRequest { file, stems });
        }
    }
}

//! Optional parts for a model with a small context, if there is room left.

use std::borrow::Cow;

use agon_record::spec::Context;
use agon_record::text::sanitise_line;
use agon_record::text::strip_invisible_characters;
use agon_record::user::UserInput;
use agon_wording::{OwnWords, Wording, values};

use crate::request::{Parts, PromptRequest};
use crate::template::{COMPACT_BESIDES, COMPACT_MATERIAL};

/// Maximum characters of an optional part, tried in order until it fits.
const CHAR_LIMITS: [usize; 4] = [2_000, 800, 300, 120];

/// Adds the parts that fit, the most important first: the scope, the definitions, the last command
/// run and the material.
pub(super) fn add_optional_parts(
    ask: &PromptRequest<'_>,
    mut parts: Parts,
    fits: &dyn Fn(&Parts) -> bool,
) -> Parts {
    let pieces: [&dyn Fn(usize) -> Option<(&'static str, Wording)>; 4] = [
        &|most| scope_part(ask, most),
        &|most| definitions_part(ask, most),
        &|most| last_run_part(ask, most),
        &|most| material_part(ask, most),
    ];
    for piece in pieces {
        let with = CHAR_LIMITS.iter().filter_map(|&most| {
            let mut with = parts.clone();
            // The last two parts are the record and the contract, so insert before them.
            with.insert(with.len().saturating_sub(2), piece(most)?);
            Some(with)
        });
        if let Some(with) = with.into_iter().find(fits) {
            parts = with;
        }
    }
    parts
}

fn scope_part(ask: &PromptRequest<'_>, most: usize) -> Option<(&'static str, Wording)> {
    let scope = sanitise_line(ask.state.spec.scope()?, most);
    let scope = ask.fence_unveiled("scope", &"scope", &scope);
    Some((
        "motion",
        COMPACT_BESIDES.fill(values! { scope, words => false }),
    ))
}

fn definitions_part(ask: &PromptRequest<'_>, most: usize) -> Option<(&'static str, Wording)> {
    let definitions = ask.state.spec.definitions();
    let each = most / definitions.len().max(1);
    let words = definitions.iter().map(|definition| {
        let term = sanitise_line(&definition.term, each);
        format!("{term}: {}", sanitise_line(&definition.meaning, each))
    });
    let words: Vec<_> = words.collect();
    (!words.is_empty()).then(|| {
        let words = ask.fence_unveiled("definitions", &"definitions", &words.join("\n"));
        (
            "motion",
            COMPACT_BESIDES.fill(values! { scope => false, words }),
        )
    })
}

fn last_run_part(ask: &PromptRequest<'_>, most: usize) -> Option<(&'static str, Wording)> {
    let ran = ask.words.iter().rev().find_map(|word| match word {
        UserInput::Ran(ran) => Some(ran),
        UserInput::Note(_) => None,
    })?;
    let id = ran.id.to_string();
    let (command, output) = (
        strip_invisible_characters(&ran.run.command),
        strip_invisible_characters(&ran.run.output),
    );
    let text = format!(
        "$ {}\n{}",
        cut_to_chars(&command, most),
        cut_to_chars(&output, most)
    );
    let key = id.replace(' ', "-");
    let what = "the output of a command that the person who asked has run";
    Some(("run", fenced_material(ask, what, &key, &ran.id, &text)))
}

fn material_part(ask: &PromptRequest<'_>, most: usize) -> Option<(&'static str, Wording)> {
    let (what, label, name, text): (_, &'static str, _, _) = match &ask.state.spec.context {
        Context::Diff { text, .. } => (
            "changes in the project",
            "diff",
            String::new(),
            Cow::Borrowed(text),
        ),
        Context::File { path, text } => {
            let name = format!("{}:\n\n", sanitise_line(path, 80));
            ("a file with its name", "file", name, Cow::Borrowed(text))
        }
        Context::Files { files } => {
            let named = files
                .iter()
                .map(|file| format!("{}:\n\n{}", sanitise_line(&file.path, 80), file.text));
            let text = named.collect::<Vec<_>>().join("\n\n");
            (
                "files with their names",
                "file",
                String::new(),
                Cow::Owned(text),
            )
        }
        Context::None | Context::Repo(_) => return None,
    };
    let text = strip_invisible_characters(&text);
    let text = name + cut_to_chars(&text, most);
    Some((
        "context",
        fenced_material(ask, what, "context", &label, &text),
    ))
}

/// Returns a fenced text after its description.
fn fenced_material(
    ask: &PromptRequest<'_>,
    what: &'static str,
    key: &str,
    label: &dyn OwnWords,
    text: &str,
) -> Wording {
    let text = ask.fence_unveiled(key, label, text);
    COMPACT_MATERIAL.fill(values! { what, text })
}

/// Cuts a text to whole lines of at most `most` characters in total.
fn cut_to_chars(text: &str, most: usize) -> &str {
    let end = text
        .char_indices()
        .nth(most)
        .map_or(text.len(), |(at, _)| at);
    text[..end].trim_end()
}

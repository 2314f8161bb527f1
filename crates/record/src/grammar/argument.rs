//! The parts of an argument: its grounds and their citations.

use super::field::{Captions, Field, FieldKind, MovePart, new_field, new_part};
use super::filled::{Filled, Value};
use crate::moves::{Argument, Citation, Ground};

/// The captions of a value that every document shows in the heading of its point.
pub(super) const IN_HEADING: Captions = Captions {
    prompt: "",
    file: "",
    prose: "",
    page: "",
};

// The anchors in the debate of `agon demo` have 1 to 12 words, with a median of four.
/// Maximum number of quoted words in a citation.
const ANCHOR_WORDS: u32 = 12;

const fn text_field(key: &'static str) -> Field {
    new_field(key, key, FieldKind::Text, "")
}

/// Creates a field for a text of a citation; the kind of citation determines which texts are
/// present.
const fn citation_text_field(key: &'static str) -> Field {
    text_field(key).optional().allow_blank()
}

/// A place that code can look up.
pub static CITATION: MovePart = new_part(
    "Citation",
    &[
        citation_text_field("file"),
        new_field("lines", "lines", FieldKind::Lines, ""),
        citation_text_field("commit"),
        citation_text_field("url"),
        citation_text_field("document"),
        text_field("anchor").optional().with_max_words(ANCHOR_WORDS),
        citation_text_field("command"),
        citation_text_field("output"),
        citation_text_field("reasoning"),
    ],
);

/// A fact that a point rests on.
pub static GROUND: MovePart = MovePart {
    name: "Ground",
    word: "GROUND",
    fields: &[
        new_field("source", "source", FieldKind::Text, "where from"),
        new_field("content", "content", FieldKind::Text, "what it says").with_max_words(100),
        new_field("relevance", "relevance", FieldKind::Text, "why it matters").with_max_words(30),
        new_field("citation", "citation", FieldKind::One(&CITATION), "")
            .optional()
            .with_shape_hint(
                r#"{"file": "src/a.rs", "lines": [10, 20], "anchor": "copied words"}"#,
            ),
    ],
    each_on_a_line: false,
};

/// The grounds of a point: one to three.
pub(super) const GROUNDS: Field = new_field(
    "grounds",
    "grounds",
    FieldKind::Grounds(&GROUND),
    "one to three, such as: src/a.rs:10-20 \"words copied from there\" — what it says — why it matters",
)
.with_item_range(1, 3);

// Other tools have the same limit in formal debates. 26 titles of two real debates have 5 to 8
// words, with a median of six.
pub(super) const TITLE: Field = text_field("title")
    .with_word_range(5, 7)
    .with_captions(IN_HEADING);
// Other tools have the same limit in formal debates. 26 claims of two real debates have 16 to 28
// words, with a median of 21.
pub(super) const CLAIM: Field = text_field("claim")
    .with_max_words(25)
    .with_captions(Captions {
        prompt: "Claim",
        file: "Claim",
        prose: "",
        page: "",
    });
// Other tools have the same limit in formal debates. Warrants of two real debates have 24 to 71
// words, with a median of 36.
pub(super) const WARRANT: Field = new_field(
    "warrant",
    "warrant",
    FieldKind::Text,
    "why the grounds support it",
)
.with_max_words(50)
.with_captions(Captions {
    prompt: "Warrant",
    file: "Warrant",
    prose: "Why this supports the claim",
    page: "Warrant",
});
// Other tools have the same limit in formal debates. Backings of two real debates have 20 to 50
// words, with a median of 29.
pub(super) const BACKING: Field = text_field("backing")
    .optional()
    .with_max_words(50)
    .with_captions(Captions {
        prompt: "Backing",
        file: "Backing",
        prose: "What backs that up",
        page: "Backing",
    });
// Other tools have the same limit in formal debates. Qualifiers of two real debates have 3 to 10
// words, with a median of six.
pub(super) const QUALIFIER: Field = text_field("qualifier")
    .optional()
    .with_max_words(10)
    .with_captions(Captions {
        prompt: "Qualifier",
        file: "Qualifier",
        prose: "How far it holds",
        page: "Qualifier",
    });

/// An argument in Toulmin's form.
pub static ARGUMENT: MovePart = MovePart {
    name: "Argument",
    word: "ARGUMENT",
    fields: &[TITLE, CLAIM, GROUNDS, WARRANT, BACKING, QUALIFIER],
    each_on_a_line: false,
};

/// Returns the values of an argument's fields.
pub(super) fn argument_values(argument: &Argument) -> Vec<Value<'_>> {
    let Argument {
        title,
        claim,
        grounds,
        warrant,
        backing,
        qualifier,
    } = argument;
    vec![
        Value::Text(title),
        Value::Text(claim),
        Value::Grounds(grounds),
        Value::Text(warrant),
        Value::from_optional(backing.as_ref()),
        Value::from_optional(qualifier.as_ref()),
    ]
}

impl<'a> From<&'a Argument> for Filled<'a> {
    fn from(argument: &'a Argument) -> Self {
        Self::new(&ARGUMENT, argument_values(argument))
    }
}

impl<'a> From<&'a Ground> for Filled<'a> {
    fn from(ground: &'a Ground) -> Self {
        let Ground {
            source,
            content,
            relevance,
            citation,
        } = ground;
        let values = vec![
            Value::Text(source),
            Value::Text(content),
            Value::Text(relevance),
            match citation {
                Some(citation) => Value::One(Filled::from(citation)),
                None => Value::Absent,
            },
        ];
        Self::new(&GROUND, values)
    }
}

impl<'a> From<&'a Citation> for Filled<'a> {
    fn from(citation: &'a Citation) -> Self {
        let Citation {
            file,
            lines,
            commit,
            url,
            document,
            anchor,
            command,
            output,
            reasoning,
        } = citation;
        let values = vec![
            Value::from_optional(file.as_ref()),
            lines.map_or(Value::Absent, Value::Lines),
            Value::from_optional(commit.as_ref()),
            Value::from_optional(url.as_ref()),
            Value::from_optional(document.as_ref()),
            Value::from_optional(anchor.as_ref()),
            Value::from_optional(command.as_ref()),
            Value::from_optional(output.as_ref()),
            Value::from_optional(reasoning.as_ref()),
        ];
        Self::new(&CITATION, values)
    }
}

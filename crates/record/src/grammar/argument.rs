//! An argument, what it rests on, and the places that can be looked up.

use super::field::{Captions, Field, FieldKind, MovePart, field, point};
use super::filled::{Filled, Value};
use crate::moves::{Argument, Citation, Ground};

/// What stands in the heading of a point in every document.
pub(super) const IN_HEADING: Captions = Captions {
    prompt: "",
    file: "",
    prose: "",
    page: "",
};

// The anchors in the debate of `agon demo` have 1 to 12 words, four in the middle.
/// Words of the place that a ground cites.
const ANCHOR_WORDS: u32 = 12;

const fn text(key: &'static str) -> Field {
    field(key, key, FieldKind::Text, "")
}

/// A text of a citation: of what kind it is says which are there.
const fn citation_text(key: &'static str) -> Field {
    text(key).optional().may_be_blank()
}

/// A place that code can look up.
pub static CITATION: MovePart = point(
    "Citation",
    &[
        citation_text("file"),
        field("lines", "lines", FieldKind::Lines, ""),
        citation_text("commit"),
        citation_text("url"),
        citation_text("document"),
        text("anchor").optional().words(ANCHOR_WORDS),
        citation_text("command"),
        citation_text("output"),
        citation_text("reasoning"),
    ],
    "file",
);

/// Something a point rests on.
pub static GROUND: MovePart = MovePart {
    name: "Ground",
    word: "GROUND",
    fields: &[
        field("source", "source", FieldKind::Text, "where it comes from"),
        field("content", "content", FieldKind::Text, "what it says").words(100),
        field("relevance", "relevance", FieldKind::Text, "why it matters").words(30),
        field("citation", "citation", FieldKind::One(&CITATION), "")
            .optional()
            .shape(
                r#"{"file": "src/a.rs", "lines": [10, 20], "anchor": "words copied from there"}"#,
            ),
    ],
    head: Some("content"),
    main: Some("content"),
};

/// What a point rests on: one ground to three.
pub(super) const GROUNDS: Field = field(
    "grounds",
    "grounds",
    FieldKind::Grounds(&GROUND),
    "one to three, such as: src/a.rs:10-20 \"words copied from there\" — what it says — why it matters",
)
.also(&["ground", "evidence", "rests_on"])
.items(1, 3);

// A limit of the formal debate that other tools keep as well. In two real ones, 26 titles have 5 to
// 8 words, six in the middle.
pub(super) const TITLE: Field = text("title").words_from(5, 7).captions(IN_HEADING);
// A limit of the formal debate that other tools keep as well. In two real ones, 26 claims have 16
// to 28 words, 21 in the middle.
pub(super) const CLAIM: Field = text("claim").words(25).captions(Captions {
    prompt: "Claim",
    file: "Claim",
    prose: "",
    page: "",
});
// A limit of the formal debate that other tools keep as well. In two real ones, warrants have 24 to
// 71 words, 36 in the middle.
pub(super) const WARRANT: Field = field(
    "warrant",
    "warrant",
    FieldKind::Text,
    "why the grounds carry it",
)
.words(50)
.captions(Captions {
    prompt: "Warrant",
    file: "Warrant",
    prose: "This carries the claim because",
    page: "Warrant",
});
// A limit of the formal debate that other tools keep as well. In two real ones, backings have 20 to
// 50 words, 29 in the middle.
pub(super) const BACKING: Field = text("backing").optional().words(50).captions(Captions {
    prompt: "Backing",
    file: "Backing",
    prose: "Behind that",
    page: "Backing",
});
// A limit of the formal debate that other tools keep as well. In two real ones, qualifiers have 3
// to 10 words, six in the middle.
pub(super) const QUALIFIER: Field = text("qualifier").optional().words(10).captions(Captions {
    prompt: "Qualifier",
    file: "Qualifier",
    prose: "It holds so far",
    page: "Qualifier",
});

/// An argument after Toulmin.
pub static ARGUMENT: MovePart = MovePart {
    name: "Argument",
    word: "ARGUMENT",
    fields: &[TITLE, CLAIM, GROUNDS, WARRANT, BACKING, QUALIFIER],
    head: Some("title"),
    main: Some("claim"),
};

/// The values of an argument's fields.
pub(super) fn values(argument: &Argument) -> Vec<Value<'_>> {
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
        Value::of_optional(backing.as_ref()),
        Value::of_optional(qualifier.as_ref()),
    ]
}

impl<'a> From<&'a Argument> for Filled<'a> {
    fn from(argument: &'a Argument) -> Self {
        Self::of(&ARGUMENT, values(argument))
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
        Self::of(&GROUND, values)
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
            Value::of_optional(file.as_ref()),
            lines.map_or(Value::Absent, Value::Lines),
            Value::of_optional(commit.as_ref()),
            Value::of_optional(url.as_ref()),
            Value::of_optional(document.as_ref()),
            Value::of_optional(anchor.as_ref()),
            Value::of_optional(command.as_ref()),
            Value::of_optional(output.as_ref()),
            Value::of_optional(reasoning.as_ref()),
        ];
        Self::of(&CITATION, values)
    }
}

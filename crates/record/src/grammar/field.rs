//! The columns of a grammar table.

use crate::moves::ChoiceWord;

/// The kind of value in a field.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// Text of any number of lines.
    Text,
    /// A list of texts.
    Texts,
    /// One word of a fixed list.
    Choice(&'static [ChoiceWord]),
    /// The id of a point.
    Id,
    /// The ids of points.
    Ids,
    /// A number.
    Score,
    /// The first and the last line of a place.
    Lines,
    /// The grounds of a point.
    Grounds(&'static MovePart),
    /// A nested part.
    One(&'static MovePart),
    /// A list of nested parts.
    List(&'static MovePart),
}

/// A minimum and an optional maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The minimum.
    pub least: u32,
    /// The maximum.
    pub most: Option<u32>,
}

/// The words before a field's text in each document; empty if the point's heading contains the
/// text.
#[derive(Clone, Copy, Debug)]
pub struct Captions {
    /// In a prompt.
    pub prompt: &'static str,
    /// In a file of the debate's folder.
    pub file: &'static str,
    /// In prose.
    pub prose: &'static str,
    /// On a page.
    pub page: &'static str,
}

/// How a field differs when the sides are swapped.
#[derive(Clone, Copy, Debug)]
pub struct Swapped {
    /// Its key.
    pub key: &'static str,
    /// The instruction to the author.
    pub asks: &'static str,
}

/// A field of a part: one key of an object.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key in the moves.
    pub key: &'static str,
    /// The kind of its value.
    pub kind: FieldKind,
    /// Its name in documents.
    pub label: &'static str,
    /// Whether it may be omitted.
    pub optional: bool,
    /// Whether an empty text is allowed.
    pub may_be_blank: bool,
    /// Limits on its number of words.
    pub words: Option<Bounds>,
    /// Limits on its number of items.
    pub items: Option<Bounds>,
    /// The instruction to the author, in a few words.
    pub asks: &'static str,
    /// The instruction in the shape that a prompt shows, if it differs; JSON if the value is not a
    /// text.
    pub shape: Option<&'static str>,
    /// Whether the shape in a prompt has it on a line of its own.
    pub on_new_line: bool,
    /// How it differs when the sides are swapped, if it does.
    pub swapped: Option<Swapped>,
    /// The words before its text in each document; `None` for its label.
    pub captions: Option<Captions>,
}

/// A part of the moves, with its own fields.
#[derive(Debug)]
pub struct MovePart {
    /// Its name in schemas.
    pub name: &'static str,
    /// The word for it in the shapes of other parts; empty if they contain its fields instead.
    pub word: &'static str,
    /// Its fields, in the order of documents.
    pub fields: &'static [Field],
    /// Whether its own shape has one field per line.
    pub each_on_a_line: bool,
}

/// Creates a field with only a name and an instruction.
pub(super) const fn new_field(
    key: &'static str,
    label: &'static str,
    kind: FieldKind,
    asks: &'static str,
) -> Field {
    Field {
        key,
        kind,
        label,
        optional: false,
        may_be_blank: false,
        words: None,
        items: None,
        asks,
        shape: None,
        on_new_line: false,
        swapped: None,
        captions: None,
    }
}

/// Creates the top-level part of moves.
pub(super) const fn root_part(name: &'static str, fields: &'static [Field]) -> MovePart {
    MovePart {
        each_on_a_line: true,
        ..new_part(name, fields)
    }
}

/// Creates a part of moves.
pub(super) const fn new_part(name: &'static str, fields: &'static [Field]) -> MovePart {
    MovePart {
        name,
        word: "",
        fields,
        each_on_a_line: false,
    }
}

impl FieldKind {
    /// Returns the nested part of this field, single or in a list.
    pub fn nested_part(self) -> Option<&'static MovePart> {
        match self {
            Self::Grounds(part) | Self::One(part) | Self::List(part) => Some(part),
            _ => None,
        }
    }
}

impl Field {
    /// Makes the field optional.
    pub(super) const fn optional(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }

    /// Allows an empty text.
    pub(super) const fn allow_blank(self) -> Self {
        Self {
            may_be_blank: true,
            ..self
        }
    }

    /// Sets a maximum number of words.
    pub(super) const fn with_max_words(self, most: u32) -> Self {
        self.with_word_range(0, most)
    }

    /// Sets the range of the number of words.
    pub(super) const fn with_word_range(self, least: u32, most: u32) -> Self {
        let words = Some(Bounds {
            least,
            most: Some(most),
        });
        Self { words, ..self }
    }

    /// Sets the range of the number of items.
    pub(super) const fn with_item_range(self, least: u32, most: u32) -> Self {
        let items = Some(Bounds {
            least,
            most: Some(most),
        });
        Self { items, ..self }
    }

    /// Requires at least one item.
    pub(super) const fn with_at_least_one_item(self) -> Self {
        let items = Some(Bounds {
            least: 1,
            most: None,
        });
        Self { items, ..self }
    }

    /// Sets the instruction in the shape that a prompt shows.
    pub(super) const fn with_shape_hint(self, shape: &'static str) -> Self {
        Self {
            shape: Some(shape),
            ..self
        }
    }

    /// Puts the field on a line of its own in the shape.
    pub(super) const fn on_new_line(self) -> Self {
        Self {
            on_new_line: true,
            ..self
        }
    }

    /// Sets the key and the instruction that apply when the sides are swapped.
    pub(super) const fn with_swapped_wording(self, key: &'static str, asks: &'static str) -> Self {
        let swapped = Some(Swapped { key, asks });
        Self { swapped, ..self }
    }

    /// Sets the words before its text in each document.
    pub(super) const fn with_captions(self, captions: Captions) -> Self {
        Self {
            captions: Some(captions),
            ..self
        }
    }

    /// Returns the instruction in the shape that a prompt shows.
    pub fn shape_hint(&self) -> String {
        if let Some(own) = self.shape {
            return own.to_owned();
        }
        let optional = match self.optional {
            true => "optional",
            false => "",
        };
        let limit = self.word_limit_text();
        let pieces = [optional, self.asks, &limit].into_iter();
        let pieces: Vec<_> = pieces.filter(|it| !it.is_empty()).collect();
        pieces.join(", ")
    }

    /// Returns the word limit as text, such as `≤ 75 words`.
    fn word_limit_text(&self) -> String {
        let bounds = self
            .words
            .and_then(|words| Some((words.least, words.most?)));
        match bounds {
            Some((0, most)) => format!("≤ {most} words"),
            Some((least, most)) => format!("{least} to {most} words"),
            None => String::new(),
        }
    }

    /// Its label with a capital first letter.
    pub fn capitalized_label(&self) -> String {
        let mut chars = self.label.chars();
        let first = chars.next().map(|c| c.to_uppercase().to_string());
        first.unwrap_or_default() + chars.as_str()
    }

    /// Returns the words before its text in one kind of document; `None` if the heading contains
    /// the text.
    pub fn caption(&self, column: fn(&Captions) -> &'static str) -> Option<String> {
        match &self.captions {
            Some(captions) => Some(column(captions).to_owned()).filter(|words| !words.is_empty()),
            None => Some(self.capitalized_label()),
        }
    }
}

impl MovePart {
    /// Returns the field with this key.
    pub fn field(&'static self, key: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

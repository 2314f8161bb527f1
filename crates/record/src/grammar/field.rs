//! What a table of the grammar says of a field.

use crate::moves::ChoiceWord;

/// What stands in a field.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// Words, over as many lines as they take.
    Text,
    /// Several of those, one an entry of a list.
    Texts,
    /// One of these words.
    Choice(&'static [ChoiceWord]),
    /// The id of a point.
    Id,
    /// The ids of points.
    Ids,
    /// A number.
    Score,
    /// The first and the last line of a place.
    Lines,
    /// What a point rests on.
    Grounds(&'static MovePart),
    /// A part with fields of its own.
    One(&'static MovePart),
    /// A list of parts with fields of their own.
    List(&'static MovePart),
}

/// The fewest and the most of something; no most where none is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The fewest.
    pub least: u32,
    /// The most.
    pub most: Option<u32>,
}

/// Before what a text stands in each document, empty where the heading of the point has it.
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

/// What a field is where the sides are swapped.
#[derive(Clone, Copy, Debug)]
pub struct Swapped {
    /// Its key.
    pub key: &'static str,
    /// What is asked for.
    pub asks: &'static str,
}

/// A field of a part: one key of an object.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key in the moves.
    pub key: &'static str,
    /// What stands in it.
    pub kind: FieldKind,
    /// How documents name it.
    pub label: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether an empty text breaks no rule.
    pub may_be_blank: bool,
    /// How many words it may have.
    pub words: Option<Bounds>,
    /// How many items it may have.
    pub items: Option<Bounds>,
    /// What is asked for, in a few words.
    pub asks: &'static str,
    /// What a prompt's shape asks for, where that is said in other words; JSON where no text
    /// stands in the field.
    pub shape: Option<&'static str>,
    /// Whether a shape writes it on a line of its own.
    pub on_new_line: bool,
    /// What it is where the sides are swapped, if something else.
    pub swapped: Option<Swapped>,
    /// Before what each document shows its text; none: before its label.
    pub captions: Option<Captions>,
}

/// A part of the moves with fields of its own.
#[derive(Debug)]
pub struct MovePart {
    /// Its name in schemas.
    pub name: &'static str,
    /// The word that stands for it in the shapes of others; empty where they write it out.
    pub word: &'static str,
    /// Its fields, in the order of documents.
    pub fields: &'static [Field],
    /// Whether a shape of it alone has each field on a line.
    pub each_on_a_line: bool,
}

/// A field with nothing said of it but its name and what is asked for.
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

/// The whole of the moves.
pub(super) const fn root_part(name: &'static str, fields: &'static [Field]) -> MovePart {
    MovePart {
        each_on_a_line: true,
        ..new_part(name, fields)
    }
}

/// A part of the moves.
pub(super) const fn new_part(name: &'static str, fields: &'static [Field]) -> MovePart {
    MovePart {
        name,
        word: "",
        fields,
        each_on_a_line: false,
    }
}

impl FieldKind {
    /// The part that stands there, once or in a list.
    pub fn nested_part(self) -> Option<&'static MovePart> {
        match self {
            Self::Grounds(part) | Self::One(part) | Self::List(part) => Some(part),
            _ => None,
        }
    }
}

impl Field {
    /// The field, which may be left out.
    pub(super) const fn optional(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }

    /// The field, whose text may be empty.
    pub(super) const fn allow_blank(self) -> Self {
        Self {
            may_be_blank: true,
            ..self
        }
    }

    /// The field with at most so many words.
    pub(super) const fn with_max_words(self, most: u32) -> Self {
        self.with_word_range(0, most)
    }

    /// The field with so many words.
    pub(super) const fn with_word_range(self, least: u32, most: u32) -> Self {
        let words = Some(Bounds {
            least,
            most: Some(most),
        });
        Self { words, ..self }
    }

    /// The field with so many items.
    pub(super) const fn with_item_range(self, least: u32, most: u32) -> Self {
        let items = Some(Bounds {
            least,
            most: Some(most),
        });
        Self { items, ..self }
    }

    /// The field with at least one item.
    pub(super) const fn with_at_least_one_item(self) -> Self {
        let items = Some(Bounds {
            least: 1,
            most: None,
        });
        Self { items, ..self }
    }

    /// The field, asked for by a shape in other words.
    pub(super) const fn with_shape_hint(self, shape: &'static str) -> Self {
        Self {
            shape: Some(shape),
            ..self
        }
    }

    /// The field on a line of its own in a shape.
    pub(super) const fn on_new_line(self) -> Self {
        Self {
            on_new_line: true,
            ..self
        }
    }

    /// The field with another key and other words where the sides are swapped.
    pub(super) const fn with_swapped_wording(self, key: &'static str, asks: &'static str) -> Self {
        let swapped = Some(Swapped { key, asks });
        Self { swapped, ..self }
    }

    /// The field, its text shown by each document behind these words.
    pub(super) const fn with_captions(self, captions: Captions) -> Self {
        Self {
            captions: Some(captions),
            ..self
        }
    }

    /// What a prompt's shape asks for.
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

    /// How many words there may be, such as `≤ 75 words`.
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

    /// Its label with a capital letter.
    pub fn capitalized_label(&self) -> String {
        let mut chars = self.label.chars();
        let first = chars.next().map(|c| c.to_uppercase().to_string());
        first.unwrap_or_default() + chars.as_str()
    }

    /// The words before its text in one kind of document; none where the heading has it.
    pub fn caption(&self, column: fn(&Captions) -> &'static str) -> Option<String> {
        match &self.captions {
            Some(captions) => Some(column(captions).to_owned()).filter(|words| !words.is_empty()),
            None => Some(self.capitalized_label()),
        }
    }
}

impl MovePart {
    /// The field with this key.
    pub fn field(&'static self, key: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

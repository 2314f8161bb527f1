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
    /// How a form names it.
    pub label: &'static str,
    /// Other names that a form understands, in lower case with `_` between words.
    pub also: &'static [&'static str],
    /// Names of a single entry, where it is a list.
    pub single: &'static [&'static str],
    /// Whether a form names its entries before anything is said of them.
    pub laid: bool,
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
    /// What a form asks for, where that is said in other words.
    pub form: Option<&'static str>,
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
    /// Its fields, in the order of forms and documents.
    pub fields: &'static [Field],
    /// The field that words in a heading go to.
    pub head: Option<&'static str>,
    /// The field that words under no name go to.
    pub main: Option<&'static str>,
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
        also: &[],
        single: &[],
        laid: false,
        optional: false,
        may_be_blank: false,
        words: None,
        items: None,
        asks,
        form: None,
        shape: None,
        on_new_line: false,
        swapped: None,
        captions: None,
    }
}

/// The whole of the moves.
pub(super) const fn part_without_main(name: &'static str, fields: &'static [Field]) -> MovePart {
    MovePart {
        name,
        word: "",
        fields,
        head: None,
        main: None,
    }
}

/// A part whose words without a name all go to the field `main`.
pub(super) const fn part_with_main(
    name: &'static str,
    fields: &'static [Field],
    main: &'static str,
) -> MovePart {
    MovePart {
        name,
        word: "",
        fields,
        head: Some(main),
        main: Some(main),
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
    /// The field under other names too.
    pub(super) const fn with_aliases(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    /// The list, which may also be given as one entry, under one of these names.
    pub(super) const fn with_single_names(self, single: &'static [&'static str]) -> Self {
        Self { single, ..self }
    }

    /// The field, its entries named beforehand by a form.
    pub(super) const fn with_preset_entries(self) -> Self {
        Self { laid: true, ..self }
    }

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

    /// The field, asked for by a form in other words.
    pub(super) const fn with_form_hint(self, form: &'static str) -> Self {
        Self {
            form: Some(form),
            ..self
        }
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

    /// What a form asks for.
    pub fn form_hint(&self) -> String {
        let optional = self.optional.then_some("may stay empty");
        let limit = self.word_limit_text("at most ");
        self.compose_hint(self.form, optional, &limit)
    }

    /// What a prompt's shape asks for.
    pub fn shape_hint(&self) -> String {
        let optional = self.optional.then_some("optional");
        let limit = self.word_limit_text("≤ ");
        self.compose_hint(self.shape, optional, &limit)
    }

    fn compose_hint(&self, own: Option<&str>, optional: Option<&str>, limit: &str) -> String {
        if let Some(own) = own {
            return own.to_owned();
        }
        let pieces = [optional.unwrap_or_default(), self.asks, limit];
        let pieces: Vec<_> = pieces.into_iter().filter(|it| !it.is_empty()).collect();
        pieces.join(", ")
    }

    /// How many words there may be, such as `≤ 75 words`.
    fn word_limit_text(&self, at_most: &str) -> String {
        let bounds = self
            .words
            .and_then(|words| Some((words.least, words.most?)));
        match bounds {
            Some((0, most)) => format!("{at_most}{most} words"),
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

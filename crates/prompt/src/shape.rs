//! The form of moves in a prompt: JSON with a description in place of each text.

use std::sync::LazyLock;

use agon_record::grammar::{
    ARGUMENT, CHALLENGE, FIRST_ANSWERS, Field, FieldKind, GROUND, MovePart, VERDICT, root_part,
};
use agon_record::moves::MovesKind;

/// Returns the form of a first challenge without two first answers to compare.
pub(crate) fn challenge_shape_without_first_answers() -> &'static str {
    static SHAPE: LazyLock<String> = LazyLock::new(|| {
        let shape = ShapeWriter {
            left_out: Some(FIRST_ANSWERS.key),
            ..ShapeWriter::default()
        };
        shape.object_shape(&CHALLENGE, Depth::Whole)
    });
    &SHAPE
}

/// Returns the form of the moves of `kind`, with `ARGUMENT` and `GROUND` as names.
pub(crate) fn moves_shape(kind: MovesKind) -> &'static str {
    static SHAPES: LazyLock<[String; MovesKind::ALL.len()]> =
        LazyLock::new(|| MovesKind::ALL.map(build_moves_shape));
    &SHAPES[kind as usize]
}

/// Returns the form of a verdict with the sides swapped.
pub(crate) fn swapped_verdict_shape() -> &'static str {
    static SHAPE: LazyLock<String> = LazyLock::new(|| {
        let shape = ShapeWriter {
            is_swapped: true,
            ..ShapeWriter::default()
        };
        shape.object_shape(&VERDICT, Depth::Whole)
    });
    &SHAPE
}

/// Returns the form of `ARGUMENT`.
pub(crate) fn argument_shape() -> &'static str {
    static SHAPE: LazyLock<String> = LazyLock::new(|| build_part_shape(&ARGUMENT));
    &SHAPE
}

/// Returns the form of `GROUND`.
pub(crate) fn ground_shape() -> &'static str {
    static SHAPE: LazyLock<String> = LazyLock::new(|| build_part_shape(&GROUND));
    &SHAPE
}

fn build_part_shape(part: &'static MovePart) -> String {
    ShapeWriter::default().object_shape(part, Depth::Inner)
}

fn build_moves_shape(kind: MovesKind) -> String {
    let whole = root_part(kind);
    // Show the opening arguments as a plain list, since models often omit the object around it.
    if let (
        MovesKind::Case,
        [
            Field {
                items: Some(items),
                kind: FieldKind::List(one),
                ..
            },
        ],
    ) = (kind, whole.fields)
    {
        let items = vec![one.word; items.least as usize];
        return format!("[{}]", items.join(", "));
    }
    ShapeWriter::default().object_shape(whole, Depth::Whole)
}

/// The depth of a part in the moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// The moves themselves.
    Whole,
    /// A part of the moves.
    Inner,
}

/// Writes the form of moves.
#[derive(Default)]
struct ShapeWriter {
    /// Whether the sides are swapped.
    is_swapped: bool,
    /// A field to leave out.
    left_out: Option<&'static str>,
}

impl ShapeWriter {
    fn object_shape(&self, part: &MovePart, depth: Depth) -> String {
        let (each_on_a_line, indent) = match depth {
            Depth::Whole => (part.each_on_a_line, " "),
            Depth::Inner => (false, "   "),
        };
        let mut out = String::from("{");
        let asked = |field: &&Field| Some(field.key) != self.left_out;
        for (nth, field) in part.fields.iter().filter(asked).enumerate() {
            if nth > 0 {
                out.push(',');
                match each_on_a_line || field.on_new_line {
                    true => out.push_str(&format!("\n{indent}")),
                    false => out.push(' '),
                }
            }
            let swapped = field.swapped.as_ref().filter(|_| self.is_swapped);
            let (key, value) = match swapped {
                Some(swapped) => (swapped.key, format!("\"{}\"", swapped.asks)),
                None => (field.key, self.value_shape(field)),
            };
            out.push_str(&format!("\"{key}\": {value}"));
        }
        out.push('}');
        out
    }

    fn value_shape(&self, field: &Field) -> String {
        match field.kind {
            FieldKind::Text => format!("\"{}\"", field.shape_hint()),
            FieldKind::Texts => format!("[\"{}\"]", field.shape_hint()),
            FieldKind::Choice(choices) => {
                let words: Vec<_> = choices.iter().map(|choice| choice.word).collect();
                let words = words.join("|");
                format!("\"{}\"", field.shape.unwrap_or(&words))
            }
            FieldKind::Id => "\"ID\"".to_owned(),
            FieldKind::Ids => "[\"ID\"]".to_owned(),
            FieldKind::Score | FieldKind::Lines => field.shape.unwrap_or_default().to_owned(),
            FieldKind::Grounds(ground) => format!("[{}]", ground.word),
            FieldKind::One(part) => {
                let own = field.shape.map(str::to_owned);
                own.unwrap_or_else(|| self.object_shape(part, Depth::Inner))
            }
            FieldKind::List(part) => match part.word {
                "" => format!("[{}]", self.object_shape(part, Depth::Inner)),
                word => format!("[{word}]"),
            },
        }
    }
}

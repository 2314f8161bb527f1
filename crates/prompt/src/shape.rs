//! The shape of moves as a prompt shows it: JSON with what is asked for in place of each text.

use std::sync::LazyLock;

use agon_record::grammar::{
    ARGUMENT, CHALLENGE, FIRST_ANSWERS, Field, FieldKind, GROUND, MovePart, VERDICT, root_part,
};
use agon_record::moves::MovesKind;

/// The shape of a first challenge where not both sides gave a first answer: there is nothing to
/// compare.
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

/// The shape of the moves of `kind`, with `ARGUMENT` and `GROUND` as names.
pub(crate) fn moves_shape(kind: MovesKind) -> &'static str {
    static SHAPES: LazyLock<[String; MovesKind::ALL.len()]> =
        LazyLock::new(|| MovesKind::ALL.map(build_moves_shape));
    &SHAPES[kind as usize]
}

/// The shape of a verdict with the sides swapped.
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

/// The shape that the word `ARGUMENT` in another shape stands for.
pub(crate) fn argument_shape() -> &'static str {
    static SHAPE: LazyLock<String> = LazyLock::new(|| build_part_shape(&ARGUMENT));
    &SHAPE
}

/// What `GROUND` stands for.
pub(crate) fn ground_shape() -> &'static str {
    static SHAPE: LazyLock<String> = LazyLock::new(|| build_part_shape(&GROUND));
    &SHAPE
}

fn build_part_shape(part: &'static MovePart) -> String {
    ShapeWriter::default().object_shape(part, Depth::Inner)
}

fn build_moves_shape(kind: MovesKind) -> String {
    let whole = root_part(kind);
    // The three arguments of a case are a list of their own: models forget the object around it.
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

/// How deep a part stands in the moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// It is all of them.
    Whole,
    /// It is a part of them.
    Inner,
}

/// Writes shapes.
#[derive(Default)]
struct ShapeWriter {
    /// Whether the sides are swapped.
    is_swapped: bool,
    /// A field that is not asked for.
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

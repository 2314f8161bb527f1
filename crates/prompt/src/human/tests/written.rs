//! Whatever is written: it reads back, nothing breaks it, and no word is passed over.

use agon_record::grammar::{self, Field, FieldKind, MovePart};
use agon_record::moves::{ChoiceWord, MovesKind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::moves;
use crate::human::read::parse_answer_of_kind;
use crate::human::{Unread, write};

fn id() -> impl Strategy<Value = Value> {
    ("(pro|cha|prop|opp)", 0_u16..30, "[a-z]")
        .prop_map(|(seat, round, place)| json!(format!("{seat}_{round:03}{place}")))
}

/// A text as people write it, and as they do not.
fn words() -> impl Strategy<Value = String> {
    let line = "([A-Za-zé0-9#*>|~`\\[{(:,.<!-]{1,8}[ ]?){1,5}";
    prop::collection::vec(line, 1..3)
        .prop_map(|lines| {
            let lines: Vec<_> = lines.iter().map(|line| line.trim()).collect();
            lines.join("\n").trim().to_owned()
        })
        .prop_filter("something is said", |text| {
            text.chars().any(char::is_alphanumeric)
        })
}

fn ground() -> impl Strategy<Value = Value> {
    let citation = prop::option::of(("[a-z]{1,5}/[a-z]{1,5}\\.rs", 1_u32..500, words()));
    (words(), words(), words(), citation)
        .prop_map(|(source, content, relevance, citation)| {
            let mut ground =
                json!({ "source": source, "content": content, "relevance": relevance });
            if let Some((file, line, anchor)) = citation {
                ground["citation"] =
                    json!({ "file": file, "lines": [line, line + 3], "anchor": anchor });
            }
            ground
        })
        .prop_filter("a source that is a place has its citation", |ground| {
            let quotes = ground["source"]
                .as_str()
                .is_some_and(|source| source.contains(['"', '`']));
            ground.get("citation").is_some() || !quotes
        })
}

fn any_value(kind: FieldKind) -> BoxedStrategy<Value> {
    match kind {
        FieldKind::Text => words().prop_map(Value::String).boxed(),
        FieldKind::Texts => prop::collection::vec(words(), 1..3)
            .prop_map(|texts| json!(texts))
            .boxed(),
        FieldKind::Choice(choices) => prop::sample::select(choices.iter().collect::<Vec<_>>())
            .prop_map(|choice: &ChoiceWord| json!(choice.word))
            .boxed(),
        FieldKind::Id => id().boxed(),
        FieldKind::Ids => prop::collection::vec(id(), 1..3)
            .prop_map(|ids| json!(ids))
            .boxed(),
        FieldKind::Score => (-1_000_i32..1_000)
            .prop_map(|score| json!(f64::from(score) / 1_000.0))
            .boxed(),
        FieldKind::Grounds(_) => prop::collection::vec(ground(), 1..3)
            .prop_map(|all| json!(all))
            .boxed(),
        FieldKind::Lines => Just(json!([3, 5])).boxed(),
        FieldKind::One(shape) => object(shape).prop_map(Value::Object).boxed(),
        FieldKind::List(shape) => prop::collection::vec(object(shape), 1..3)
            .prop_map(|all| Value::Array(all.into_iter().map(Value::Object).collect()))
            .boxed(),
    }
}

fn object(shape: &'static MovePart) -> BoxedStrategy<Map<String, Value>> {
    let slots = shape
        .fields
        .iter()
        .map(|slot| any_value(slot.kind).prop_map(|said| (slot.key.to_owned(), said)));
    let slots: Vec<_> = slots.collect();
    slots.prop_map(|slots| slots.into_iter().collect()).boxed()
}

fn any_kind() -> impl Strategy<Value = MovesKind> {
    prop::sample::select(&MovesKind::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_form_filled_in_reads_back_as_the_same_moves(
        (kind, said) in any_kind().prop_flat_map(|kind| (Just(kind), object(grammar::root_part(kind)))), hints in any::<bool>(),
    ) {
        let text = write::write_form(grammar::root_part(kind), &said, hints);
        prop_assert_eq!(moves(kind, &text), Value::Object(said), "{}", text);
    }

    #[test]
    fn no_text_makes_reading_fail_otherwise_than_by_an_error(
        kind in any_kind(),
        text in "((#{0,3} ?(Objection|Answer|Stance|Arguments?|grounds|Attack|Score|Quality|open|on|kind|content)( [0-9]|:| on pro_001a)?|- |\\* |1\\. |<!--|-->|```|\\(major\\)|\\PC{0,6}|[\u{1b}\u{0}\u{202e}\\\\:—]| {0,4})[\n ]?){0,40}",
    ) {
        if let Err(Unread::Problems(problems)) = parse_answer_of_kind(kind, &text) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.iter().all(|one| one.line > 0 && !one.hint.is_empty()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn every_word_stands_in_the_moves_or_a_problem_is_told(
        (kind, text) in any_kind().prop_flat_map(|kind| (Just(kind), filled_in(kind))),
        noise in prop::option::weighted(0.2, part()),
    ) {
        let text = text + &noise.unwrap_or_default();
        let mut at = 0;
        let text: String = text.split('§').map(|piece| {
            at += 1;
            format!("{piece}wq{at}w ")
        }).collect();
        let said = match parse_answer_of_kind(kind, &text) {
            Ok(answer) => answer.reply.rsplit_once("```json").map(|(_, moves)| moves.to_owned()).unwrap_or_default(),
            Err(Unread::Blank | Unread::Unfinished { .. }) => String::new(),
            Err(Unread::Problems(_)) => return Ok(()),
        };
        for at in 1..=at {
            prop_assert!(said.contains(&format!("wq{at}w")), "{}\n{}\n{}", at, text, said);
        }
    }
}

/// A piece of a form, with `§` where words stand.
fn part() -> impl Strategy<Value = String> {
    let heading = "#{1,3} (Objections?|Answers?|Rulings?|Winner|Why|Stance|Arguments?|Attacks?|Scores?|Rescores?|Quality|Open|Nothing found|Agreements?|Decisive|Because|Defenses?|§)";
    let named = "(on|to|with|of|kind|category|severity|reply|ruling|content|text|title|claim|warrant|backing|grounds|looked at|score|old score|question|to settle|point|evidence|source|citation|lines|why|remaining risk|because):";
    let value = "( pro_001a| cha_001b| prop_000a|:| major| security| concede| resolved| claim| high| proposer| 0\\.35| -0\\.2| src/a\\.rs:3-5 \"a - b\"| 10\\.\\.20| — | - | §|, §| \\(major\\)| \\(§\\)| none|:|,){0,4}";
    let fence = "(```rust\n§\n```|~~~\n§\n~~~|\\\\# §)";
    let line = (
        "( {0,4})(- |\\* |2\\. )?",
        prop_oneof![
            Just(String::new()),
            heading,
            named.prop_map(|name: String| name),
            "\\*\\*(on|content|§):\\*\\*"
        ],
        prop_oneof![6 => value.prop_map(|value: String| value), 1 => fence.prop_map(|fence: String| format!("\n{fence}"))],
    );
    line.prop_map(|(before, name, value)| format!("{before}{name}{value}\n"))
}

/// A form as people fill it in, with `§` where words stand.
fn filled_in(kind: MovesKind) -> BoxedStrategy<String> {
    let slots = grammar::root_part(kind).fields.iter();
    let sections: Vec<_> = slots.map(|slot| format!("({})?", section(slot))).collect();
    let form = prop::string::string_regex(&sections.concat());
    form.unwrap().boxed()
}

/// What stands under a heading, as a regular expression.
fn section(slot: &Field) -> String {
    let label = slot.label;
    match slot.kind {
        FieldKind::One(shape) => format!("# {label}(||||| §)\n{}", keyed(shape)),
        FieldKind::List(shape) => {
            let one = slot.single.first().unwrap_or(&slot.key).replace('_', " ");
            let head = format!("## {one}( 1| on pro_001a|: §|: --§|: #§| pro_001a \\(§\\))?");
            let bullet = "- (pro_001a|§)(| —|:|,)( §| -§)?";
            format!(
                "# {label}(||||: §)\n(({head}|{bullet})\n{}){{1,2}}",
                keyed(shape)
            )
        }
        FieldKind::Text => format!("(# {label}\n§( §)?\n(\n?§\n)?|{label}: §\n)"),
        FieldKind::Texts | FieldKind::Ids | FieldKind::Grounds(_) => {
            format!("# {label}\n{}", value(slot.kind))
        }
        FieldKind::Choice(_) | FieldKind::Id | FieldKind::Score | FieldKind::Lines => {
            format!("{label}:{}", value(slot.kind))
        }
    }
}

/// What stands under the names of a part, as a regular expression.
fn keyed(shape: &'static MovePart) -> String {
    let slots = shape
        .fields
        .iter()
        .filter(|slot| !matches!(slot.kind, FieldKind::List(_)));
    let slots = slots.map(|slot| format!("({}:{})?", slot.label, value(slot.kind)));
    slots.collect()
}

/// What stands under a name, as a regular expression.
fn value(kind: FieldKind) -> String {
    match kind {
        FieldKind::Choice(choices) => {
            let words: Vec<_> = choices.iter().map(|choice| choice.word).collect();
            format!(" ({})(|||||| §)\n", words.join("|"))
        }
        FieldKind::Id => " pro_001a(|||||| §)\n".to_owned(),
        FieldKind::Ids => "\n- pro_001a(|||||| §)\n".to_owned(),
        FieldKind::Score => " -0\\.35(|||||| §)\n".to_owned(),
        FieldKind::Texts => "\n(- §( §)?\n(  §\n)?){1,2}".to_owned(),
        FieldKind::Grounds(_) => "\n(- §( (—|-|:|--) §){0,2}\n|- src/a\\.rs:3-5 \"§ — §\"( (—|-|:) §){0,2}\n|- source: §\n  (why|content|lines|citation): (§|3-5)\n){1,2}".to_owned(),
        FieldKind::Text | FieldKind::Lines | FieldKind::One(_) | FieldKind::List(_) => " §( §)?\n(§\n|```\n# §\n```\n)?".to_owned(),
    }
}

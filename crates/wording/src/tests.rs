//! Tests of the parts of a wording.

use super::*;
use crate::values;

static TEMPLATES: Templates = Templates::new(&[("topic", "The topic:\n\n{{ topic }}")]);

fn fenced(text: &str) -> Wording {
    fence("5a", "key", &"proposer", text)
}

#[test]
fn words_of_ours_are_filled_in_one_after_another() {
    let id: agon_record::id::NodeId = "pro_001a".parse().unwrap();
    let reply = agon_record::moves::ReplyKind::Tradeoff;
    let filled: [&dyn OwnWords; 3] = [&id, &reply, &7_u32];
    assert_eq!(
        &*Wording::from_format("{} answers: {} ({})", &filled),
        "pro_001a answers: tradeoff (7)"
    );
    assert_eq!(&*Wording::from_format("{} and {}", &[&"one"]), "one and ");
    assert_eq!(&*Wording::from_format("none", &[&"left over"]), "none");
}

#[test]
fn a_fence_stands_on_lines_of_its_own_wherever_it_is_put() {
    let whole = Wording::from_format("Said: {} and more", &[&fenced("x {} y")]);
    let lines: Vec<_> = whole.lines().collect();
    assert_eq!(lines.len(), 5, "{whole}");
    assert!(lines[1].starts_with("<<<data ") && lines[1].ends_with(" proposer"));
    assert_eq!(
        [lines[0], lines[2], lines[4]],
        ["Said: ", "x {} y", " and more"]
    );
    let joined = Wording::join([fenced("a"), fenced("b")], ", ");
    assert_eq!(joined.lines().count(), 7, "{joined}");
}

#[test]
fn a_person_reads_it_without_the_lines_of_its_fences() {
    let whole = Wording::from_format("One:\n\n{}\n\nTwo:\n\n{}", &[&fenced("a\nb"), &fenced("c")]);
    assert_eq!(whole.to_unfenced_text(), "One:\n\na\nb\n\nTwo:\n\nc");
    let nested = Wording::join([whole.clone(), whole.clone()], "\n\n");
    assert_eq!(
        nested.to_unfenced_text(),
        format!("{0}\n\n{0}", whole.to_unfenced_text())
    );
}

#[test]
fn only_our_words_get_other_names_in_a_swap() {
    let whole = Wording::from_format("The proposer, pro_001a:\n{}", &[&fenced("the proposer")]);
    let swapped = whole.with_swapped_sides();
    assert!(
        swapped.starts_with("Side B, b_001a:\n<<<data "),
        "{swapped}"
    );
    assert_eq!(swapped.to_unfenced_text(), "Side B, b_001a:\nthe proposer");
}

#[test]
fn a_heading_is_taken_from_our_words_alone() {
    assert_eq!(
        &*Wording::from_format("# Open now\n\n{}", &[&fenced("a")]).heading(),
        "Open now"
    );
    assert_eq!(&*fenced("# Not ours").heading(), "");
}

#[test]
fn the_name_of_a_commit_has_hexadecimal_digits_alone() {
    assert_eq!(
        Wording::from_hex("3F1c9ae").map(|it| it.to_string()),
        Some("3f1c9ae".to_owned())
    );
    for text in ["", "3f1c9ae\n", "main", "obey now", &"a".repeat(65)] {
        assert_eq!(Wording::from_hex(text), None, "{text}");
    }
}

#[test]
fn a_name_has_letters_digits_and_hyphens_alone() {
    assert_eq!(
        Wording::from_name("worker-2").map(|it| it.to_string()),
        Some("worker-2".to_owned())
    );
    for text in ["", "2a", "-a", "Ana", "a b", "a\nb", "ä", &"a".repeat(33)] {
        assert_eq!(Wording::from_name(text), None, "{text}");
    }
}

#[test]
fn a_label_is_one_line_of_our_words_and_no_text_of_others() {
    let opening = |label: &dyn OwnWords| {
        let fence = fence("5a", "key", label, "inside");
        assert_eq!(fence.lines().count(), 3, "{fence}");
        let (_, label) = fence.lines().next().unwrap().rsplit_once(' ').unwrap();
        label.to_owned()
    };
    assert_eq!(opening(&"proposer\nobey"), "proposer");
    assert_eq!(opening(&fenced("obey")), "");
    let both = Wording::from_format("proposer\n{}", &[&fenced("obey")]);
    assert_eq!(opening(&both), "proposer");
}

#[test]
fn the_mark_of_a_fence_is_no_word_of_ours() {
    let topic = Wording::from_format("0\0{}\0", &[&fenced("x")]);
    let filled = TEMPLATES.fill("topic", values! { topic });
    assert!(filled.to_unfenced_text().ends_with("0\nx"), "{filled:?}");
}

#[test]
fn a_template_puts_a_fence_where_its_place_is() {
    let topic = fenced("{{ topic }} \0 0\0");
    let filled = TEMPLATES.fill("topic", values! { topic });
    let fences: Vec<_> = filled
        .lines()
        .filter(|line| line.starts_with("<<<data "))
        .collect();
    assert_eq!(fences.len(), 1, "{filled}");
    assert!(
        filled.to_unfenced_text().ends_with("{{ topic }}  0"),
        "{filled}"
    );
}

use super::*;

fn options(options: &[&str], answer: &str) -> (Question, Presented) {
    let options: Vec<_> = options.iter().map(|&option| option.to_owned()).collect();
    let presented = Presented {
        options: options.clone(),
    };
    let question = Question {
        options,
        answer: answer.to_owned(),
        ..Question::default()
    };
    (question, presented)
}

fn checked(checker: Checker, answer: &str) -> Question {
    Question {
        checker: Some(checker),
        answer: answer.to_owned(),
        ..Question::default()
    }
}

#[test]
fn an_option_is_named_by_letter_or_text() {
    let (question, presented) = options(&["Paris", "A town", "Rome"], "Rome");
    for (text, wanted) in [
        ("Answer: C (80%)", Some("Rome")),
        ("It may be A. But then:\n**Answer: C**", Some("Rome")),
        ("**Answer:** (b) A town", Some("A town")),
        ("C", Some("Rome")),
        ("C) Rome", Some("Rome")),
        ("Rome, because it is", Some("Rome")),
        ("A town is it", None),
        ("Answer: A town", Some("A town")),
        ("The answer is C.", Some("Rome")),
        ("I do not know", None),
        ("Answer: Z", None),
        ("Answer:", None),
        ("", None),
        ("A lot of things", None),
        ("A (80%)", Some("Paris")),
        ("B - because", Some("A town")),
        ("Answer: option C", Some("Rome")),
        ("Answer: \\boxed{C}", Some("Rome")),
        ("Answer: $C$", Some("Rome")),
        (
            "Answer: C (80%)\n\nNote: this answer is a guess.",
            Some("Rome"),
        ),
        ("The answer is a matter of debate", None),
        ("Romeo and Juliet", None),
    ] {
        let found = read(&question, &presented, text);
        assert_eq!(found.answer.as_deref(), wanted, "{text}");
    }
    let (_, yes_or_no) = options(&["Yes", "No"], "Yes");
    let (_, true_or_false) = options(&["T", "F"], "T");
    for (presented, text) in [
        (&yes_or_no, "Now, think. The text is unclear."),
        (&true_or_false, "The claim cannot be settled here."),
        (&yes_or_no, "Answer: I do not know"),
    ] {
        assert_eq!(read(&question, presented, text).answer, None, "{text}");
    }
    assert_eq!(grade(&question, Some("Rome")), Grade::Right);
    assert_eq!(grade(&question, Some("Paris")), Grade::Wrong);
    assert_eq!(grade(&question, None), Grade::Unreadable);
}

#[test]
fn a_confidence_is_a_percentage_after_the_answer() {
    let (question, presented) = options(&["x", "y"], "x");
    let confidence = |text: &str| read(&question, &presented, text).confidence;
    assert_eq!(confidence("50% say no. Answer: A (80%)"), Some(0.8));
    assert_eq!(confidence("Answer: A, 100 % sure"), Some(1.0));
    assert_eq!(confidence("Answer: A (800%)"), None);
    assert_eq!(confidence("Answer: A"), None);
    assert_eq!(confidence("Answer: A (é%)"), None);
}

#[test]
fn numbers_and_texts_are_compared_by_value() {
    let none = Presented::default();
    let number = checked(Checker::Number { tolerance: 0.5 }, "1200");
    for (text, wanted) in [
        ("Answer: 1,200 (90%)", Grade::Right),
        ("Answer: about 1200.4 metres", Grade::Right),
        ("Answer: 1200% (80%)", Grade::Right),
        ("Answer: 1200%", Grade::Right),
        ("Answer: -1200", Grade::Wrong),
        ("Answer: many", Grade::Unreadable),
    ] {
        let found = read(&number, &none, text).answer;
        assert_eq!(grade(&number, found.as_deref()), wanted, "{text}");
    }
    let text = checked(Checker::Text, "The Blue  Room");
    for (given, wanted) in [
        ("Answer: the blue room.", Grade::Right),
        ("Answer: \"The blue room\" (70%)", Grade::Right),
        ("Answer: the red room", Grade::Wrong),
    ] {
        let found = read(&text, &none, given).answer;
        assert_eq!(grade(&text, found.as_deref()), wanted, "{given}");
    }
}

#[test]
fn an_expression_uses_each_number_once() {
    let none = Presented::default();
    let puzzle = checked(
        Checker::Expression {
            numbers: vec![3, 8, 3, 8],
        },
        "24",
    );
    for (text, wanted) in [
        ("Answer: 8 / (3 - 8 / 3) (95%)", Grade::Right),
        ("Answer: `8/(3-8/3)` = 24", Grade::Right),
        ("Answer: **8 / (3 - 8 / 3)** (95%)", Grade::Right),
        ("Answer: 3 * 8", Grade::Wrong),
        ("Answer: 8 + 8 + 3 + 3", Grade::Wrong),
        ("Answer: 8 / (3 - 3)", Grade::Unreadable),
        ("Answer: impossible", Grade::Unreadable),
    ] {
        let found = read(&puzzle, &none, text).answer;
        assert_eq!(grade(&puzzle, found.as_deref()), wanted, "{text}");
    }
    // Two votes for the same expression.
    let spaced = read(&puzzle, &none, "Answer: 8 ÷ (3 - 8 / 3) (90%)").answer;
    assert_eq!(spaced, read(&puzzle, &none, "Answer: 8/(3-8/3)").answer);
    let deep = format!("Answer: {}1", "(".repeat(100_000));
    assert_eq!(read(&puzzle, &none, &deep).answer, None);
}

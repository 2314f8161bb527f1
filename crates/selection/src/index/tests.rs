use proptest::prelude::*;

use super::*;
use crate::document::SkillField;
use crate::explanation::Sign;

fn document(name: &str, triggers: &[&str], description: &str, body: &str) -> SkillText {
    SkillText {
        name: name.to_owned(),
        description: description.to_owned(),
        triggers: triggers.iter().map(|it| (*it).to_owned()).collect(),
        body: body.to_owned(),
        ..SkillText::default()
    }
}

fn index() -> SkillIndex {
    SkillIndex::new(vec![
        document(
            "code-review",
            &["review this pr", "before merge"],
            "Look at a change in passes, with evidence for every finding.",
            "Run the tests, read the diff, name the place.",
        ),
        document(
            "root-cause",
            &["flaky test", "why does it fail"],
            "Find why something fails before anything is changed.",
            "Reproduce, divide, prove. Read the diff of the last good version.",
        ),
        document(
            "handoff",
            &["hand over", "pick this up"],
            "Hand work to another session so that nothing is lost.",
            "Say what is done, what is open, and what was tried.",
        ),
    ])
}

fn best(request: &str) -> Option<&'static str> {
    let index = index();
    let candidates = index.candidates(&index.scores(request));
    let best = candidates.first().map(|score| score.document);
    best.and_then(|at| ["code-review", "root-cause", "handoff"].get(at).copied())
}

#[test]
fn a_request_gets_the_skill_whose_words_and_phrases_it_has() {
    assert_eq!(best("Please review my PR."), Some("code-review"));
    assert_eq!(best("This flaky test makes me mad."), Some("root-cause"));
    assert_eq!(best("So that Priya can pick this up"), Some("handoff"));
}

#[test]
fn what_no_skill_is_about_gets_none() {
    assert_eq!(best("How late is it in Lisbon?"), None);
    assert_eq!(best(""), None);
    assert!(index().scores("Lisbon").is_empty());
    assert!(SkillIndex::new(Vec::new()).scores("review").is_empty());
}

#[test]
fn a_word_counts_more_in_a_field_that_says_more() {
    let alone = |field: SkillField| {
        let mut one = SkillText::default();
        let text = "kumquat".to_owned();
        match field {
            SkillField::Triggers => one.triggers = vec![format!("{text} pie")],
            SkillField::Name => one.name = text,
            SkillField::Description => one.description = text,
            SkillField::Headings => one.headings = vec![text],
            SkillField::Body => one.body = text,
        }
        let index = SkillIndex::new(vec![one, SkillText::default()]);
        index.scores("kumquat").first().unwrap().words
    };
    let all = SkillField::ALL.map(alone);
    assert!(all.is_sorted_by(|more, less| more > less), "{all:?}");
}

#[test]
fn a_counter_phrase_outweighs_a_phrase() {
    let mut one = document("prompts", &["write a prompt"], "", "");
    one.counter_phrases = vec!["shell prompt".to_owned()];
    let index = SkillIndex::new(vec![one]);
    let total = |request: &str| index.scores(request).first().unwrap().total;
    assert!(total("write a prompt") > index.weights().threshold);
    assert!(total("write a shell prompt") < 0.0);
}

#[test]
fn an_errand_has_to_say_more_than_one_phrase() {
    let index = index();
    let is_given = |request: &str| !index.candidates(&index.scores(request)).is_empty();
    assert!(is_given("flaky test in the nightly build"));
    assert!(!is_given("Rename the folder `flaky test` to `unstable`"));
    let more = "Change nothing: why does it fail, this flaky test, before anything is changed?";
    assert!(is_given(more));
}

#[test]
fn a_second_phrase_counts_half_and_a_third_nothing() {
    let index = SkillIndex::new(vec![document(
        "a",
        &["red ball", "blue cube", "old door"],
        "",
        "",
    )]);
    let value = |request: &str| index.scores(request).first().unwrap().phrases;
    let one = index.weights().phrase;
    assert_eq!(value("red ball"), one);
    assert_eq!(value("red ball, blue cube"), one * 1.5);
    assert_eq!(value("red ball, blue cube, old door"), one * 1.5);
}

#[test]
fn a_score_means_the_same_among_few_documents_and_among_many() {
    let total = |others: usize| {
        let one = document("a", &["red ball"], "Throw it far.", "");
        let others = (0..others).map(|at| document("b", &[], &format!("word{at} thing"), ""));
        let index = SkillIndex::new([one].into_iter().chain(others).collect());
        index.scores("the red ball").first().unwrap().total
    };
    let (few, many) = (total(24), total(2_000));
    assert!((few - many).abs() < few / 10.0, "{few} {many}");
}

#[test]
fn documents_are_alike_as_far_as_their_rare_words_are() {
    let index = SkillIndex::new(vec![
        document("a", &[], "red ball and blue cube", ""),
        document("a", &[], "red ball and blue cube", ""),
        document("a", &[], "red ball in an old house", ""),
        document("", &[], "", ""),
    ]);
    assert!((index.similarity(0, 1) - 1.0).abs() < 1e-9);
    let half = index.similarity(0, 2);
    assert!(half > 0.1 && half < 0.9, "{half}");
    assert_eq!(index.similarity(0, 3), 0.0);
    assert_eq!(index.similarity(0, 9), 0.0);
}

#[test]
fn a_section_is_worth_what_it_has_of_the_words_that_the_text_and_the_request_share() {
    let body = "Throw the ball.\nPaint the cube.";
    let index = SkillIndex::new(vec![document("a", &[], "", body), SkillText::default()]);
    let share = |part: &str| index.share("a ball and a cube, please", 0, part);
    assert_eq!(share(body), 1.0);
    assert!((share("Throw the ball.") - 0.5).abs() < 1e-9);
    assert_eq!(share("Nothing."), 0.0);
    assert_eq!(index.share("a ball", 1, "ball"), 0.0);
}

#[test]
fn an_explanation_names_each_word_with_its_field_and_what_is_unknown() {
    let index = index();
    let explained = index
        .explain(0, "rename: review this PR in Lisbon")
        .unwrap();
    let signs: Vec<_> = explained.parts.into_iter().map(|part| part.sign).collect();
    assert_eq!(
        signs,
        [
            Sign::Word("review".into(), SkillField::Triggers),
            Sign::Word("review".into(), SkillField::Name),
            Sign::Word("pr".into(), SkillField::Triggers),
            Sign::Coverage,
            Sign::Phrase("review this pr".into()),
            Sign::Errand,
        ]
    );
    assert_eq!(explained.unknown, ["renam", "lisbon"]);
    assert_eq!(index.explain(7, "review"), None);
}

/// [`index`], with example requests of two of its documents.
fn learned() -> SkillIndex {
    let mut documents = index().documents().to_vec();
    let examples: [&[&str]; 2] = [
        &[
            "Schau über meine Änderungen",
            "看一下我的改动",
            "review my branch",
        ],
        &[
            "Warum stürzt der Server ab",
            "服务器为什么崩溃",
            "find out why it crashes",
        ],
    ];
    for (document, examples) in documents.iter_mut().zip(examples) {
        document.examples = examples.iter().map(|it| (*it).to_owned()).collect();
    }
    SkillIndex::new(documents).learn(&["Benenne die Funktion um", "给表加一列", "add a column"])
}

#[test]
fn a_request_in_the_language_of_an_example_finds_its_document() {
    let index = learned();
    let best = |request: &str| {
        let candidates = index.candidates(&index.scores(request));
        candidates.first().map(|score| score.document)
    };
    assert_eq!(
        best("Warum ist der Server heute Nacht schon wieder abgestürzt?"),
        Some(1)
    );
    assert_eq!(best("请看一下我的改动"), Some(0));
    assert_eq!(best("Benenne die Variable um"), None);
    // The third document has no examples, and is found as before.
    assert_eq!(best("so that Priya can pick this up"), Some(2));
}

#[test]
fn a_phrase_that_a_request_begins_with_counts_in_full_beside_examples() {
    let index = learned();
    let phrases = |request: &str| {
        let scores = index.scores(request);
        scores
            .iter()
            .find(|score| score.document == 0)
            .unwrap()
            .phrases
    };
    let whole = index.weights().phrase;
    assert_eq!(phrases("review this PR: the new column"), whole);
    let left = phrases("could somebody review this PR with the new column");
    assert!(
        (left - whole * index.weights().beside_examples).abs() < 1e-9,
        "{left}"
    );
}

#[test]
fn nothing_is_learned_before_the_first_request() {
    let index = learned();
    let has_learned = || index.examples.as_ref().unwrap().model.get().is_some();
    assert_eq!(index.documents().len(), 3);
    assert!(!has_learned());
    index.scores("review");
    assert!(has_learned());
}

#[test]
fn a_name_of_one_word_is_called_by_itself_or_beside_the_word_skill() {
    let index = index();
    let is_named = |request: &str, document: usize| {
        let scores = index.scores(request);
        let mut scores = scores.iter().filter(|score| score.document == document);
        scores.any(|score| score.name > 0.0)
    };
    assert!(is_named("handoff", 2));
    assert!(is_named("use the skill handoff for this", 2));
    assert!(!is_named("add a handoff column", 2));
    assert!(is_named("use code-review here", 0));
    assert!(is_named("Please use code review here", 0));
    assert!(is_named("use Code Review here", 0));
    assert!(!is_named("the code of a review", 0));
    // By its stem `handoffs` is `handoff`, and `reviewing` is `review`.
    assert!(!is_named("handoffs", 2));
    assert!(!is_named("use code reviewing here", 0));
    assert!(!is_named("no handoff", 2));
    assert!(!is_named("do not use the skill handoff", 2));
    assert!(!is_named("what is a handoff", 2));
}

#[test]
fn a_skill_that_is_found_by_its_name_alone_has_a_score() {
    let weights = SignWeights {
        fields: [0.0; 5],
        ..SignWeights::default()
    };
    let index = SkillIndex::with_weights(vec![document("code-review", &[], "", "")], weights);
    let scores = index.scores("use code review here");
    assert_eq!(
        scores.first().map(|score| score.name),
        Some(index.weights().name)
    );
}

#[test]
fn a_request_that_is_a_phrase_is_no_errand_and_has_no_counter_phrase() {
    let mut one = document("plans", &["execute the plan", "add gates"], "", "");
    one.counter_phrases = vec!["execution plan".to_owned()];
    let index = SkillIndex::new(vec![one]);
    let score = |request: &str| index.scores(request).first().unwrap().clone();
    assert_eq!(score("please execute the plan").counter_phrase, 0.0);
    assert!(score("execution plan").counter_phrase > 0.0);
    assert_eq!(score("add gates").errand, 0.0);
    assert!(score("add a plan").errand > 0.0);
}

#[test]
fn a_skill_that_a_request_forbids_gets_nothing_from_examples() {
    let mut one = document("review", &[], "", "");
    one.examples = vec!["review the branch of the last week".to_owned()];
    let index = SkillIndex::new(vec![one]).learn(&["bake some bread"]);
    let examples = |request: &str| index.scores(request).first().unwrap().examples;
    assert!(examples("review the branch of the last week") > 0.0);
    assert!(examples("do not review the branch of the last week") <= 0.0);
}

proptest! {
    #[test]
    fn what_is_explained_adds_up_to_the_score(
        request in "(please |rename )?((review|this|pr|flaky|test|fail|the|diff|hand|over|moon|merge) ){0,9}",
        document in 0usize..3,
        has_examples in any::<bool>(),
    ) {
        let index = if has_examples { learned() } else { index() };
        let explained = index.explain(document, &request).unwrap();
        let sum: f64 = explained.parts.iter().map(|part| part.value).sum();
        prop_assert!((sum - explained.score.total).abs() < 1e-6, "{explained:?}");
    }

    #[test]
    fn scores_are_in_order_and_the_same_each_time(request in "\\PC{0,60}") {
        let (one, other) = (index().scores(&request), index().scores(&request));
        prop_assert!(one.is_sorted_by(|a, b| a.total >= b.total));
        prop_assert_eq!(one, other);
    }
}

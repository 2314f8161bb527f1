use super::*;

const OPENING: &str = "interview/1
proposer: SQLite
challenger: plain files

claim 1
Q: What is the main advantage of SQLite over plain files?
A: Sure.
Left out: it has too few words

claim 1
Q: What is the main advantage of SQLite over plain files?
A: SQLite finds a job by its state without reading every file of the store.
Names: proposer

claim 2
Q: What can SQLite do better than plain files?
A: SQLite writes all of a job or nothing.
";

fn turn(text: &str) -> TurnId {
    text.parse().unwrap()
}

fn with_answers(answers: &str) -> String {
    format!("interview/1\nproposer: SQLite\nchallenger: plain files\n{answers}")
}

#[test]
fn each_text_of_the_moves_is_an_answer_whole() {
    let parsed = read_moves(OPENING, MovesKind::Opening, turn("r1.pro")).unwrap();
    let argument = |title: &str, claim: &str| Argument {
        title: title.to_owned(),
        claim: claim.to_owned(),
        grounds: Vec::new(),
        warrant: String::new(),
        backing: None,
        qualifier: None,
    };
    let expected = Opening {
        stance: "SQLite".to_owned(),
        arguments: vec![
            argument(
                "SQLite finds a job by its state …",
                "SQLite finds a job by its state without reading every file of the store.",
            ),
            argument(
                "SQLite writes all of a job or …",
                "SQLite writes all of a job or nothing.",
            ),
        ],
    };
    assert_eq!(parsed, Moves::Opening(expected));
}

#[test]
fn the_side_that_the_judge_names_first_wins_by_the_point_that_was_weighed() {
    let judged = |side: &str| {
        let text = with_answers(&format!(
            "\nverdict pro_001a cha_001c\nQ: Which?\nA: It\nNames: {side}\n\nreason\nQ: Why?\nA: It is \
             faster.\n"
        ));
        let parsed = read_moves(&text, MovesKind::Verdict, turn("verdict.judge")).unwrap();
        let Moves::Verdict(ruling) = parsed else {
            panic!("no verdict")
        };
        (
            ruling.winner,
            ruling.answer,
            ruling.decisive[0].to_string(),
            ruling.why,
        )
    };
    let why = "It is faster.".to_owned();
    assert_eq!(
        judged("proposer"),
        (
            Side::Proposer,
            "SQLite".to_owned(),
            "pro_001a".to_owned(),
            why.clone()
        )
    );
    assert_eq!(
        judged("challenger"),
        (
            Side::Challenger,
            "plain files".to_owned(),
            "cha_001c".to_owned(),
            why
        )
    );
}

#[test]
fn objections_responses_and_rulings_keep_their_targets() {
    let parsed = |kind, at: &str, answers: &str| {
        let text = with_answers(answers);
        let moves = read_moves(&text, kind, turn(at)).unwrap();
        serde_json::to_value(moves).unwrap()
    };
    let challenge = parsed(
        MovesKind::Challenge,
        "r1.cha",
        "\nobjection 1 pro_001a\nQ: q\nA: It locks.\n\nalternative 1\nQ: q\nA: Files are plain.\n",
    );
    assert_eq!(challenge["objections"][0]["target"], "pro_001a");
    assert_eq!(challenge["objections"][0]["content"], "It locks.");
    assert_eq!(challenge["alternatives"][0]["claim"], "Files are plain.");
    let defense = parsed(
        MovesKind::Defense,
        "r2.pro",
        "\nresponse cha_001a\nQ: q\nA: It waits.\n",
    );
    assert_eq!(defense["responses"][0]["objection"], "cha_001a");
    assert_eq!(defense["position_now"], "SQLite");
    let follow_up = parsed(
        MovesKind::FollowUp,
        "r2.cha",
        "\nassessment pro_002a\nQ: q\nA: It waits long.\n",
    );
    assert_eq!(follow_up["assessments"][0]["response"], "pro_002a");
}

#[test]
fn what_takes_back_what_it_says_ends_there() {
    let text = with_answers("\nclaim 1\nQ: q\nA: SQLite keeps jobs in order, but it is slow.\n");
    let parsed = read_moves(&text, MovesKind::Opening, turn("r1.pro")).unwrap();
    let Moves::Opening(opening) = parsed else {
        panic!("no opening")
    };
    assert_eq!(opening.arguments[0].claim, "SQLite keeps jobs in order");
}

#[test]
fn a_side_without_a_usable_answer_says_so_and_the_debate_continues() {
    let argument = |claim: &str| super::argument(claim);
    let left_out = "\nclaim 1\nQ: q\nA: a\nLeft out: it has too few words\n";
    let opening = read_moves(&with_answers(left_out), MovesKind::Opening, turn("r1.pro"));
    let expected = Opening {
        stance: "SQLite".to_owned(),
        arguments: vec![argument("The model gave no usable reason.")],
    };
    assert_eq!(opening.unwrap(), Moves::Opening(expected));
    let left_out = left_out.replace("claim 1", "alternative 1");
    let challenge = read_moves(
        &with_answers(&left_out),
        MovesKind::Challenge,
        turn("r1.cha"),
    );
    let expected = Challenge {
        alternatives: vec![argument("The model gave no usable reason.")],
        ..Challenge::default()
    };
    assert_eq!(challenge.unwrap(), Moves::Challenge(expected));
}

#[test]
fn an_interview_without_an_answer_is_not_usable() {
    let error = |text: &str, kind| read_moves(text, kind, turn("r1.pro")).unwrap_err();
    let none = with_answers("");
    assert_eq!(error(&none, MovesKind::Opening), InterviewError::NoAnswer);
    let silent = with_answers("\nverdict pro_001a cha_001a\nQ: q\nA: Both are fine.\n");
    assert_eq!(error(&silent, MovesKind::Verdict), InterviewError::NoAnswer);
    let damaged = with_answers("\nclaim one\nQ: q\nA: a\n");
    assert_eq!(error(&damaged, MovesKind::Opening), InterviewError::Damaged);
}

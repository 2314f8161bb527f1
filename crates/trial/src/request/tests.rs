use std::collections::{BTreeMap, BTreeSet};

use super::*;

fn caller() -> Caller {
    Caller::new(BTreeMap::new(), "/nonexistent")
}

fn request(arms: &[Arm]) -> TrialRequest {
    let question = |id: usize| Question {
        id: format!("q{id}"),
        text: format!("Which one is {id}?"),
        options: vec!["x".to_owned(), "y".to_owned()],
        answer: "x".to_owned(),
        context: (id < 5).then(|| "It is x.".to_owned()),
        ..Question::default()
    };
    let seats = r#"{"sides": [{"tool": "claude"}, {"tool": "codex"}],
        "judges": {"tools": ["gemini"]}}"#;
    TrialRequest {
        questions: (0..20).map(question).collect(),
        arms: arms.to_vec(),
        base: StartRequest {
            seats: serde_json::from_str(seats).unwrap(),
            ..StartRequest::default()
        },
        ..TrialRequest::default()
    }
}

fn first_tools(rows: &[Row]) -> BTreeSet<&str> {
    let tools = rows
        .iter()
        .map(|row| row.request.seats.sides[0].tool.as_deref());
    tools.map(Option::unwrap).collect()
}

#[test]
fn every_arm_asks_every_question_and_a_vote_as_often_as_told() {
    let request = request(&Arm::ALL);
    let rows = request.rows(Some(6));
    let of = |arm: Arm| -> Vec<Row> {
        let is_of = |row: &&Row| arm_of(row).unwrap().0 == arm;
        rows.iter().filter(is_of).cloned().collect()
    };
    assert_eq!(of(Arm::One).len(), 20);
    assert_eq!(of(Arm::Vote).len(), 120);
    // Only some questions have a passage.
    assert_eq!(of(Arm::Evidence).len(), 5);
    assert!(
        of(Arm::Evidence)
            .iter()
            .all(|row| row.request.pasted.len() == 1)
    );
    assert!(of(Arm::Deep).iter().all(|row| row.request.deep));
    // Each side speaks first in some questions, and all tools are consulted.
    assert_eq!(first_tools(&of(Arm::Duel)), ["claude", "codex"].into());
    assert_eq!(
        first_tools(&of(Arm::Consult)),
        ["claude", "codex", "gemini"].into()
    );
    // The same side begins in every arm.
    for (one, duel) in of(Arm::One).iter().zip(of(Arm::Duel)) {
        assert_eq!(one.request.seats.sides, duel.request.seats.sides);
    }
    assert_eq!(request.rows(None).len(), 20 + 20 + 20 + 5);
}

#[test]
fn no_two_rows_are_the_same_request() {
    let mut trial = request(&Arm::ALL);
    let same = Question {
        id: "same".to_owned(),
        ..trial.questions[7].clone()
    };
    trial.questions.push(same);
    let rows = trial.rows(Some(7));
    let count = rows.len();
    let chosen = agon_batch::work::choose_requests(&caller(), &trial.batch(), rows).unwrap();
    let identities: BTreeSet<_> = chosen
        .iter()
        .map(|(_, _, identity)| identity.as_str())
        .collect();
    assert_eq!(identities.len(), count);
}

#[test]
fn a_request_is_completed_or_refused() {
    let complete = |request: TrialRequest| request.complete(&caller());
    let vote = complete(request(&[Arm::Vote])).unwrap();
    assert_eq!(vote.arms, [Arm::One, Arm::Vote]);
    let mut nobody = request(&[Arm::Duel]);
    nobody.base.seats.sides[1].tool = None;
    assert_eq!(complete(nobody).unwrap_err().code, Code::MissingParameter);
    let mut bare = request(&[Arm::Evidence]);
    bare.questions.retain(|question| question.context.is_none());
    assert_eq!(
        complete(bare).unwrap_err().parameter.as_deref(),
        Some("arms")
    );
    let mut empty = request(&[Arm::One]);
    empty.sample = Some(0);
    assert_eq!(
        complete(empty).unwrap_err().parameter.as_deref(),
        Some("sample")
    );
    let sampled = |count| {
        let mut request = request(&[Arm::One]);
        request.sample = Some(count);
        let ids = complete(request)
            .unwrap()
            .questions
            .into_iter()
            .map(|it| it.id);
        ids.collect::<BTreeSet<_>>()
    };
    assert_eq!(sampled(4).len(), 4);
    assert!(sampled(4).is_subset(&sampled(9)));
}

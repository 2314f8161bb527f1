use super::*;
use crate::report::tests::loaded;

#[test]
fn a_log_has_a_file_for_each_sample_and_no_name_of_others_as_a_path() {
    let mut loaded = loaded();
    let question = |id: &str| Question {
        id: id.to_owned(),
        text: "?".to_owned(),
        options: vec!["x".to_owned(), "y".to_owned()],
        answer: "y".to_owned(),
        fixed_order: true,
        ..Question::default()
    };
    loaded.questions = vec![question("q0"), question("../q1")];
    loaded.outcomes[2].question = "../q1".to_owned();
    let outcomes = [&loaded.outcomes[0], &loaded.outcomes[2]];
    let files = log_files(
        Path::new("/nonexistent"),
        &loaded,
        Arm::One,
        &outcomes,
        "now",
    );
    let files: BTreeMap<_, _> = files.unwrap().into_iter().collect();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let wanted = [
        "_journal/start.json",
        "_journal/summaries/1.json",
        "header.json",
        "samples/q..-q1_epoch_1.json",
        "samples/q0_epoch_1.json",
        "summaries.json",
    ];
    assert_eq!(names, wanted);
    let sample: Value = serde_json::from_slice(&files["samples/q0_epoch_1.json"]).unwrap();
    assert_eq!(
        (&sample["target"], &sample["choices"]),
        (&json!("B"), &json!(["x", "y"]))
    );
    assert_eq!(sample["scores"]["choice"]["answer"], "A");
    let header: Value = serde_json::from_slice(&files["header.json"]).unwrap();
    assert_eq!(header["results"]["total_samples"], 2);
    assert_eq!(header["status"], "success");
    let other: Value = serde_json::from_slice(&files["samples/q..-q1_epoch_1.json"]).unwrap();
    assert_eq!(other["id"], "q..-q1");
    assert_eq!(other["metadata"]["question"], "../q1");
    assert_eq!(
        header["eval"]["dataset"]["sample_ids"],
        json!(["q0", "q..-q1"])
    );
    // An arm that has not answered every question.
    let files = log_files(Path::new("/"), &loaded, Arm::One, &outcomes[..1], "now");
    let (_, header) = files.unwrap().pop().unwrap();
    let header: Value = serde_json::from_slice(&header).unwrap();
    assert_eq!(header["status"], "cancelled");
    let results = &header["results"];
    assert_eq!(
        (&results["total_samples"], &results["completed_samples"]),
        (&json!(2), &json!(1))
    );
}

#[test]
fn names_of_files_are_unique_and_no_paths() {
    let names = file_names(["a", "A", "a/b", "a b", "..", "a-b"].into_iter());
    assert_eq!(names, ["a", "A-2", "a-b", "a-b-2", "q..", "a-b-3"]);
}

#[test]
fn each_arm_has_a_log() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("logs");
    let written = write_logs(dir.path(), &loaded(), &to, 1_700_000_000_000).unwrap();
    let names: Vec<_> = written
        .iter()
        .map(|it| it.file_name().unwrap().to_owned())
        .collect();
    let names: Vec<_> = names.iter().map(|it| it.to_str().unwrap()).collect();
    assert!(
        names[0].starts_with("2023-11-14T22-13-20+00-00_one_"),
        "{names:?}"
    );
    assert!(
        names[1].starts_with("2023-11-14T22-13-20+00-00_duel_"),
        "{names:?}"
    );
    assert!(std::fs::read(&written[0]).unwrap().starts_with(b"PK"));
}

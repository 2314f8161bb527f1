//! A model examines a session: what it proposes is verified, kept and put into the document.

use agon_caller::{Code, Failure};
use agon_health::{
    Examination, Examiner, ExaminerAnswer, ExaminerName, SelfTest, SessionChoice, SessionRequest,
};
use agon_sessions::PartSize;
use serde_json::{Value, json};

use crate::place::Place;
use crate::record::{RULE, SICK, begun, sick};

/// Answers every prompt alike, and keeps the prompts.
struct Fake {
    answer: String,
    prompts: Vec<String>,
}

impl Fake {
    fn new(findings: &Value) -> Self {
        Self {
            answer: json!({"findings": findings}).to_string(),
            prompts: Vec::new(),
        }
    }
}

#[async_trait::async_trait(?Send)]
impl Examiner for Fake {
    async fn ask(
        &mut self,
        prompts: &[agon_wording::Wording],
        hear: &mut dyn FnMut(usize, Result<ExaminerAnswer, Failure>),
    ) {
        for (at, prompt) in prompts.iter().enumerate() {
            self.prompts.push(prompt.to_string());
            let answer = ExaminerAnswer {
                text: self.answer.clone(),
                tokens: 100,
            };
            hear(at, Ok(answer));
        }
    }
}

fn name() -> ExaminerName {
    ExaminerName {
        tool: "claude".to_owned(),
        model: Some("haiku".to_owned()),
    }
}

async fn examined(place: &Place, fake: &mut Fake) -> Value {
    let request = SessionRequest {
        choice: SessionChoice::Named(SICK.to_owned()),
        host: None,
    };
    let examination = Examination::open(&place.caller, &request).unwrap();
    let plan = examination
        .plan(&place.caller, name(), PartSize::default())
        .unwrap();
    let document = examination.run(plan, fake).await.unwrap();
    serde_json::to_value(&document.sessions[0]).unwrap()
}

/// The failed test and the claim, and a finding that nothing bears out.
fn findings() -> Value {
    let finding = |line: u32, quote: &str| {
        json!({"pattern": "poisoning", "subject": "cargo test", "why": "The test failed",
            "cure": "Run it again.", "evidence": [
                {"line": 5, "role": "failed", "quote": "1 failed"},
                {"line": line, "role": "claim", "quote": quote}]})
    };
    json!([
        finding(6, "All tests pass now"),
        finding(6, "Everything is perfect"),
        {"pattern": "gloom"}
    ])
}

#[tokio::test]
async fn what_is_verified_is_in_the_document_and_what_is_not_is_counted() {
    let place = Place::new();
    place.record(&sick(place.project()));
    let mut fake = Fake::new(&findings());
    let session = examined(&place, &mut fake).await;
    let found = &session["examined"];
    assert_eq!(
        (&found["model"], &found["proposed"], &found["count"]),
        (&json!("haiku"), &json!(3), &json!(1)),
        "{found}"
    );
    let reasons: Vec<_> = found["dropped"].as_array().unwrap().iter().collect();
    let reasons: Vec<_> = reasons.iter().map(|it| it["reason"].clone()).collect();
    assert_eq!(reasons, ["unreadable", "no_such_quote"]);
    let finding = &found["findings"][0];
    assert_eq!(finding["severity"], "amber");
    assert_eq!(finding["evidence"][1]["words"], "All tests pass now");
    let verified = finding["verified"].to_string();
    assert!(verified.contains("The call failed."), "{verified}");
    let prompt = &fake.prompts[0];
    assert!(
        prompt.contains(RULE) && prompt.contains("5 run (failed"),
        "{prompt}"
    );
}

#[tokio::test]
async fn a_finding_makes_a_session_amber_and_never_red() {
    let place = Place::new();
    place.record(&begun(place.project(), SICK));
    let rule = json!([{"pattern": "lost_in_the_middle", "subject": "src/parser.rs", "why": "w",
        "evidence": [{"line": 1, "role": "rule", "quote": RULE},
            {"line": 4, "role": "act", "quote": "src/parser.rs"}]}]);
    let session = examined(&place, &mut Fake::new(&rule)).await;
    assert_eq!(session["examined"]["count"], 1, "{session}");
    assert_eq!(session["state"], "amber");
}

#[tokio::test]
async fn a_second_look_asks_only_about_what_is_new() {
    let place = Place::new();
    let mut record = sick(place.project());
    place.record(&record);
    let mut fake = Fake::new(&findings());
    examined(&place, &mut fake).await;
    let again = examined(&place, &mut fake).await;
    assert_eq!(fake.prompts.len(), 1);
    assert_eq!(
        (
            &again["examined"]["asked"],
            &again["examined"]["from_before"]
        ),
        (&json!(0), &json!(1))
    );
    assert_eq!(again["examined"]["count"], 1);
    // What was found is verified again: a later pass comes after the claim and changes nothing.
    record.prompt("Go on.");
    place.record(&record);
    let grown = examined(&place, &mut fake).await;
    assert_eq!(fake.prompts.len(), 2);
    assert_eq!(grown["examined"]["count"], 1);
}

#[tokio::test]
async fn the_self_test_counts_what_was_planted_and_found() {
    let test = SelfTest::new(PartSize::default()).unwrap();
    assert_eq!(test.calls(), 24);
    let mut fake = Fake::new(&json!([
        {"pattern": "poisoning", "subject": "pytest", "evidence": [
            {"line": 4, "role": "failed", "quote": "1 failed"},
            {"line": 6, "role": "claim", "quote": "suite passes"}]}]));
    let tested = test.run(&name(), &mut fake).await.unwrap();
    assert_eq!((tested.planted, tested.healthy), (12, 12));
    assert_eq!((tested.found, tested.wrong, tested.alarms), (1, 0, 0));
    assert_eq!(tested.proposed, 24);
    assert_eq!(tested.dropped.iter().map(|it| it.count).sum::<usize>(), 23);
    assert_eq!(tested.precision.unwrap().share, 1.0);
    assert_eq!(tested.recall.share, 0.083);
}

/// Answers every second question in prose, and every third not at all.
struct Faltering;

#[async_trait::async_trait(?Send)]
impl Examiner for Faltering {
    async fn ask(
        &mut self,
        prompts: &[agon_wording::Wording],
        hear: &mut dyn FnMut(usize, Result<ExaminerAnswer, Failure>),
    ) {
        for at in 0..prompts.len() {
            let text = if at % 2 == 0 {
                "{\"findings\": []}"
            } else {
                "All is well."
            };
            let answer = match at % 3 {
                0 => Err(Failure::new(Code::Timeout, "claude: no answer in time")),
                _ => Ok(ExaminerAnswer {
                    text: text.to_owned(),
                    tokens: 100,
                }),
            };
            hear(at, answer);
        }
    }
}

#[tokio::test]
async fn the_self_test_says_why_parts_had_no_usable_answer() {
    let test = SelfTest::new(PartSize::default()).unwrap();
    let tested = test.run(&name(), &mut Faltering).await.unwrap();
    let failures: Vec<_> = tested
        .failures
        .iter()
        .map(|it| (it.count, &*it.why))
        .collect();
    let expected = [
        (8, "claude: no answer in time"),
        (8, "the examiner's answer has no list of findings"),
    ];
    assert_eq!(failures, expected);
    assert_eq!((tested.asked, tested.failed), (24, 16));
}

/// Each planted finding is one that the verifier keeps.
#[tokio::test]
async fn every_planted_finding_can_be_found() {
    let planted = [
        (
            "slug-claim",
            "poisoning",
            4,
            "failed",
            "1 failed",
            6,
            "claim",
            "suite passes",
            "pytest",
        ),
        (
            "image-claim",
            "poisoning",
            3,
            "failed",
            "denied",
            4,
            "claim",
            "pushed shop:7",
            "docker push",
        ),
        (
            "retry-count",
            "poisoning",
            2,
            "shown",
            "retries = 3",
            4,
            "claim",
            "retries to 8",
            "retries",
        ),
        (
            "no-new-packages",
            "lost_in_the_middle",
            1,
            "rule",
            "never run npm install",
            5,
            "act",
            "npm install dayjs",
            "npm install",
        ),
        (
            "leave-schema",
            "lost_in_the_middle",
            1,
            "rule",
            "Do not edit db/schema.sql",
            5,
            "act",
            "db/schema.sql",
            "db/schema.sql",
        ),
        (
            "no-push",
            "lost_in_the_middle",
            1,
            "rule",
            "Don't git push",
            5,
            "act",
            "git push origin tidy",
            "git push",
        ),
        (
            "timeout-clash",
            "clash",
            2,
            "one",
            "timeout of 30",
            3,
            "other",
            "timeout: 45",
            "timeout",
        ),
        (
            "node-clash",
            "clash",
            2,
            "one",
            "node 18.20.4",
            3,
            "other",
            "node:22.11.0",
            "node",
        ),
        (
            "export-called-off",
            "confusion",
            4,
            "request",
            "drop the CSV export",
            6,
            "act",
            "customers/csv_export.py",
            "csv_export",
        ),
        (
            "dark-mode",
            "confusion",
            1,
            "request",
            "leave the dark mode",
            4,
            "act",
            "body.dark-mode",
            "dark-mode",
        ),
        (
            "compile-log",
            "distraction",
            2,
            "load",
            "module linked",
            4,
            "answer",
            "button is teal",
            "logs/compile.txt",
        ),
        (
            "vendor-page",
            "distraction",
            2,
            "load",
            "table of units",
            4,
            "answer",
            "the MIT license",
            "vendor.example/handbook",
        ),
    ];
    let findings: Vec<Value> = planted
        .iter()
        .map(|it| {
            json!({"pattern": it.1, "subject": it.8, "evidence": [
                {"line": it.2, "role": it.3, "quote": it.4},
                {"line": it.5, "role": it.6, "quote": it.7}]})
        })
        .collect();
    let test = SelfTest::new(PartSize::default()).unwrap();
    let tested = test
        .run(&name(), &mut Fake::new(&json!(findings)))
        .await
        .unwrap();
    assert_eq!((tested.found, tested.wrong), (12, 0), "{tested:#?}");
}

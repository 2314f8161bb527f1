use std::fs;
use std::sync::Mutex;
use std::time::Duration;

use agon_proc::Unwatched;
use agon_record::interview::{AnswerField, InterviewQuestion, Transcript};
use agon_record::options::{Contrast, Options, SideOption};
use agon_record::spec::Effort;
use tempfile::TempDir;

use super::*;
use crate::ask::OutputListener;
use crate::profile::{LOCAL, Profiles};
use crate::toolbox::Toolbox;

/// A home whose configuration names a tiny model of the user's own.
struct Home {
    folder: TempDir,
    profiles: Profiles,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiny.gguf");
        agon_testkit::gguf::tiny_model(&path).unwrap();
        let own = format!(
            "[weights]\nmodel = \"tiny\"\n[weights.models.tiny]\npath = \"{}\"\nbudget = 4096\n",
            path.display()
        );
        let own = [(LOCAL.to_owned(), own.parse().unwrap())].into();
        Self {
            folder,
            profiles: Profiles::with_overrides(&own).unwrap(),
        }
    }

    async fn toolbox(&self, names: &[&str]) -> Toolbox {
        let names: Vec<ToolName> = names.iter().map(|name| name.parse().unwrap()).collect();
        let profiles = self.profiles.clone().with_local_models(&names);
        let here = Environment::new([("HOME", self.folder.path())]);
        Toolbox::detect_only(&profiles, &names, &here).await
    }

    async fn agent(&self) -> Arc<dyn Agent> {
        let toolbox = self.toolbox(&[LOCAL]).await;
        toolbox.agent(&LOCAL.parse().unwrap()).unwrap()
    }
}

#[derive(Debug, Default)]
struct Heard(Mutex<String>);

impl OutputListener for Heard {
    fn receive_chunk(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }
}

fn asked<'a>(interview: Option<&'a Interview>, hears: Option<&'a dyn OutputListener>) -> Ask<'a> {
    Ask {
        prompt: "Say something.",
        model: None,
        effort: Effort::Low,
        timeout: Duration::from_secs(120),
        reads: None,
        hears,
        schema: None,
        interview,
    }
}

/// An interview of so many questions.
fn interview(questions: u8) -> Interview {
    let option = |phrase: &str| SideOption {
        name: phrase.to_owned(),
        phrase: phrase.to_owned(),
    };
    let question = |nth| InterviewQuestion {
        field: AnswerField::Claim(nth),
        words: "What is {} good for?",
        fills: vec![format!("SQLite {nth}")],
        about: None,
        tone: None,
        choices: None,
        after: None,
    };
    Interview {
        options: Options {
            contrast: Contrast::Between,
            proposer: option("SQLite"),
            challenger: option("plain files"),
            setting: String::new(),
        },
        topic: "SQLite or plain files?".to_owned(),
        examples: &[["What is a boat good for?", "A boat is good for a lake."]],
        questions: (1..=questions).map(question).collect(),
        said_before: Vec::new(),
        again: 0,
    }
}

#[tokio::test]
async fn an_interview_comes_back_as_a_transcript_with_every_question_and_is_counted() {
    let home = Home::new();
    let agent = home.agent().await;
    assert_eq!(agent.token_budget(None), None);
    let heard = Heard::default();
    let mut session = agent.open(Arc::new(Unwatched));
    let never = CancellationToken::new();
    let asks = interview(2);
    let answer = session
        .ask(asked(Some(&asks), Some(&heard)), &never)
        .await
        .unwrap();
    let transcript: Transcript = answer.text.parse().unwrap();
    // A model of random weights says nothing that could be taken, so each is asked twice, and again.
    assert_eq!(transcript.usable_answers().count(), 0, "{}", answer.text);
    let fields: Vec<_> = transcript
        .answers
        .iter()
        .map(|it| it.field.to_string())
        .collect();
    let round = ["claim 1", "claim 1", "claim 2", "claim 2"];
    assert_eq!(fields, [round, round].concat());
    assert_ne!(transcript.answers[0].answer, transcript.answers[1].answer);
    assert_eq!(transcript.answers[0].question, "What is SQLite 1 good for?");
    assert!(heard.0.lock().unwrap().lines().count() >= 4);
    let (one, all) = (MAX_SENTENCE_TOKENS as u64, 8 * MAX_SENTENCE_TOKENS as u64);
    assert!(
        answer.usage.output > one && answer.usage.output <= all,
        "{:?}",
        answer.usage
    );
    assert!(answer.usage.cached > 0 && !answer.usage.estimated);
    assert_eq!(
        (answer.usage.cost_micros, answer.stop_reason.as_deref()),
        (Some(0), Some("stop"))
    );
}

#[tokio::test]
async fn anything_else_is_answered_with_a_text_that_has_an_end() {
    let home = Home::new();
    let agent = home.agent().await;
    let mut session = agent.open(Arc::new(Unwatched));
    let heard = Heard::default();
    let never = CancellationToken::new();
    let answer = session
        .ask(asked(None, Some(&heard)), &never)
        .await
        .unwrap();
    assert_eq!(answer.text, *heard.0.lock().unwrap());
    assert!(answer.usage.output > 0 && answer.usage.output <= MAX_TEXT_TOKENS as u64);
}

#[tokio::test]
async fn an_interview_is_cut_short_when_it_is_cancelled_or_out_of_time() {
    let home = Home::new();
    let agent = home.agent().await;
    let mut session = agent.open(Arc::new(Unwatched));
    let endless = interview(u8::MAX);
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let soon = async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        stop.cancel();
    };
    let begun = Instant::now();
    let (ended, ()) = tokio::join!(session.ask(asked(Some(&endless), None), &cancel), soon);
    assert_eq!(ended.unwrap_err().class(), Class::Cancelled);
    let ask = Ask {
        timeout: Duration::from_millis(300),
        ..asked(Some(&endless), None)
    };
    let ended = session
        .ask(ask, &CancellationToken::new())
        .await
        .unwrap_err();
    assert!(
        matches!(ended.failure, CallFailure::Timeout { .. }),
        "{ended}"
    );
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn without_its_file_it_is_said_how_to_have_it() {
    let home = Home::new();
    let name = "local:smollm2-135m";
    let toolbox = home.toolbox(&[name, "local:nobody"]).await;
    let seated = |name: &str| toolbox.agent(&name.parse().unwrap()).err().unwrap();
    let error = seated(name);
    assert_eq!(error.to_string(), "the model smollm2-135m is not here yet");
    assert_eq!(error.hint().typed(), "agon model pull smollm2-135m");
    assert_eq!(
        seated("local:nobody").to_string(),
        "no model is called `nobody`"
    );
    let agent = home.agent().await;
    let mut session = agent.open(Arc::new(Unwatched));
    let ask = Ask {
        model: Some("nobody"),
        ..asked(None, None)
    };
    let error = session
        .ask(ask, &CancellationToken::new())
        .await
        .unwrap_err();
    assert_eq!(
        (error.class(), error.cause().code),
        (Class::User, CauseCode::NoSuchModel)
    );
}

#[tokio::test]
async fn a_file_with_another_checksum_is_not_asked() {
    let home = Home::new();
    let folder = home.folder.path().join(".cache/agon/models");
    fs::create_dir_all(&folder).unwrap();
    let file = fs::File::create(folder.join("SmolLM2-135M-Instruct.Q4_1.gguf")).unwrap();
    file.set_len(98_362_432).unwrap();
    let agent = home.agent().await;
    let mut session = agent.open(Arc::new(Unwatched));
    let ask = Ask {
        model: Some("smollm2-135m"),
        ..asked(None, None)
    };
    let error = session
        .ask(ask, &CancellationToken::new())
        .await
        .unwrap_err();
    assert_eq!(error.class(), Class::User);
    let said = error.to_string();
    assert!(said.contains("its sha256 is"), "{said}");
    assert!(said.contains("agon model pull smollm2-135m"), "{said}");
}

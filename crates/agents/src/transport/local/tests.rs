use std::fs;
use std::sync::Mutex;
use std::time::Duration;

use agon_proc::Unwatched;
use agon_record::moves::MovesKind;
use agon_record::spec::Effort;
use agon_samples::duel::{job_store, key};
use tempfile::TempDir;

use super::*;
use crate::ask::OutputListener;
use crate::profile::{LOCAL, Profiles};
use crate::toolbox::Toolbox;

/// A home whose configuration contains a tiny user-defined model.
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

/// Cancels the call as soon as output arrives.
#[derive(Debug)]
struct CancelsAtFirstWord(CancellationToken);

impl OutputListener for CancelsAtFirstWord {
    fn receive_chunk(&self, _text: &str) {
        self.0.cancel();
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

/// The interview of the proposer: two arguments, each asked for in three ways.
fn opening() -> Interview {
    let turn = "r1.pro".parse().unwrap();
    let mut state = job_store(2, turn);
    for seating in state.seats.values_mut() {
        seating.transport = LOCAL.to_owned();
    }
    Interview::for_turn(&state, key(turn, 0), MovesKind::Opening).unwrap()
}

#[tokio::test]
async fn an_interview_comes_back_as_a_transcript_with_every_question_and_is_counted() {
    let home = Home::new();
    let agent = home.agent().await;
    assert_eq!(agent.token_budget(None), None);
    let heard = Heard::default();
    let mut session = agent.open(Arc::new(Unwatched));
    let never = CancellationToken::new();
    let asks = opening();
    let answer = session
        .ask(asked(Some(&asks), Some(&heard)), &never)
        .await
        .unwrap();
    // A model with random weights gives no usable answer, so each of three questions is asked with
    // four seeds.
    let lines = |begins: &str| {
        answer
            .text
            .lines()
            .filter(|it| it.starts_with(begins))
            .count()
    };
    assert_eq!(lines("Q: "), 12, "{}", answer.text);
    assert_eq!(lines("Left out: "), 12, "{}", answer.text);
    let mut said: Vec<_> = answer
        .text
        .lines()
        .filter(|it| it.starts_with("A: "))
        .collect();
    said.dedup();
    assert!(
        said.len() > 1,
        "another seed gives another answer: {}",
        answer.text
    );
    assert!(heard.0.lock().unwrap().lines().count() >= 4);
    let (one, all) = (MAX_ANSWER_TOKENS as u64, 12 * MAX_ANSWER_TOKENS as u64);
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
    let long = opening();
    let cancel = CancellationToken::new();
    let stop = CancelsAtFirstWord(cancel.clone());
    let ended = session.ask(asked(Some(&long), Some(&stop)), &cancel).await;
    assert_eq!(ended.unwrap_err().class(), Class::Cancelled);
    let ask = Ask {
        timeout: Duration::from_millis(1),
        ..asked(Some(&long), None)
    };
    let ended = session
        .ask(ask, &CancellationToken::new())
        .await
        .unwrap_err();
    assert!(
        matches!(ended.failure, CallFailure::Timeout { .. }),
        "{ended}"
    );
}

#[tokio::test]
async fn without_its_file_it_is_said_how_to_have_it() {
    let home = Home::new();
    let name = "local:smollm2-135m";
    let toolbox = home.toolbox(&[name, "local:nobody"]).await;
    let seated = |name: &str| toolbox.agent(&name.parse().unwrap()).err().unwrap();
    let error = seated(name);
    assert_eq!(
        error.to_string(),
        "the model smollm2-135m is not downloaded yet"
    );
    assert_eq!(error.hint().typed(), "agon model pull smollm2-135m");
    assert_eq!(seated("local:nobody").to_string(), "unknown model `nobody`");
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

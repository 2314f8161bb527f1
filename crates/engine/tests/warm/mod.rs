//! Debates whose tools keep a conversation open: their prompts, and how conversations end.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_agents::profile::ContextDegradation;
use agon_agents::scripted::{Act, Scripted, ScriptedAsk, Sessions};
use agon_engine::extend::resume_debate;
use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::{Listener, Observer, Unwatched};
use agon_engine::run::{RunEnd, run_debate};
use agon_engine::run_context::RunContext;
use agon_record::event::{CauseCode, Class, Event, Outcome};
use agon_record::id::{AskKey, TurnId};
use agon_record::state::State;
use agon_record::user::{Item, UserRequest};
use agon_redact::Redactor;
use agon_rules::plan::PersonQuestion;
use tokio_util::sync::CancellationToken;

use crate::scripted::{replies, spec};

/// A call of an agent: the turn, the conversation, the number of earlier calls in it, and the text.
#[derive(Clone, Debug, PartialEq)]
struct Heard {
    turn: String,
    session: usize,
    before: usize,
    prompt: String,
}

/// Three agents with memory, and their calls.
struct Warm {
    agents: [Scripted; 3],
    heard: Arc<Mutex<Vec<Heard>>>,
    table: RunContext,
}

/// Agents that answer from the hand-written duel, unless `act` does something else.
fn warm(act: impl Fn(&str, &ScriptedAsk) -> Option<Act> + Clone + Send + Sync + 'static) -> Warm {
    bearing(ContextDegradation::default(), act)
}

fn bearing(
    degrades: ContextDegradation,
    act: impl Fn(&str, &ScriptedAsk) -> Option<Act> + Clone + Send + Sync + 'static,
) -> Warm {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let replies = Arc::new(replies());
    let agents = ["one", "two", "three"].map(|name| {
        let (heard, replies, act) = (Arc::clone(&heard), Arc::clone(&replies), act.clone());
        let agent = Scripted::new(name.parse().unwrap(), move |asked| {
            let named = |line: &str| line.strip_prefix("Turn: ").map(str::to_owned);
            let turn = asked.prompt.lines().rev().find_map(named).unwrap();
            heard.lock().unwrap().push(Heard {
                turn: turn.clone(),
                session: asked.session,
                before: asked.before,
                prompt: asked.prompt.clone(),
            });
            let second = Duration::from_secs(1);
            act(&turn, asked).unwrap_or_else(|| Act::SayAfter(second, replies[&turn][0].clone()))
        });
        agent
            .with_retained_context()
            .with_context_degradation(degrades)
    });
    let all = agents.clone().map(|agent| Arc::new(agent) as _);
    let watch = Arc::new(agon_proc::Unwatched);
    Warm {
        table: RunContext::new(all, Arc::new(Redactor::new()), watch),
        agents,
        heard,
    }
}

impl Warm {
    /// Runs the debate of `host`, and checks that no conversation is left open.
    async fn run(&self, host: &mut MemoryHost) -> RunEnd {
        self.run_until(host, &CancellationToken::new()).await
    }

    async fn run_until(&self, host: &mut MemoryHost, cancel: &CancellationToken) -> RunEnd {
        let ended = run_debate(host, &self.table, &mut Unwatched, cancel).await;
        for agent in &self.agents {
            let Sessions {
                opened,
                closed,
                left,
                at_once,
            } = agent.sessions();
            assert_eq!((closed, left, at_once), (opened, 0, 0));
        }
        assert_eq!(&State::replay(host.events()).unwrap(), host.state());
        ended.unwrap()
    }

    /// Returns the calls for a turn in order: conversation and position in it.
    fn asked(&self, turn: &str) -> Vec<(usize, usize)> {
        let heard = self.heard.lock().unwrap();
        let of_turn = heard.iter().filter(|heard| heard.turn == turn);
        of_turn.map(|heard| (heard.session, heard.before)).collect()
    }

    /// Returns everything that was sent in one conversation about `turns`.
    fn told(&self, turn: &str) -> String {
        let heard = self.heard.lock().unwrap();
        let last = heard.iter().rfind(|heard| heard.turn == turn).unwrap();
        last.prompt.clone()
    }
}

/// Returns the recorded calls for `turn`: their conversation and the parts sent.
fn recorded(host: &MemoryHost, turn: &str) -> Vec<(Option<String>, Option<Vec<u32>>)> {
    let turn: TurnId = turn.parse().unwrap();
    let asked = host.events().iter().filter_map(|event| {
        let Event::Asked(asked) = event else {
            return None;
        };
        (asked.key.turn == turn).then_some(asked)
    });
    asked
        .map(|asked| (asked.session.clone(), asked.sent_parts.clone()))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_seat_speaks_in_one_conversation_and_a_judge_in_a_fresh_one() {
    let warm = warm(|_, _| None);
    let mut host = MemoryHost::open(spec());
    assert_eq!(warm.run(&mut host).await, RunEnd::Settled);
    assert_eq!(host.state().closed, Some(Outcome::Judged));
    for (before, stage) in ["r0", "r1", "r2"].into_iter().enumerate() {
        for seat in ["pro", "cha"] {
            let turn = format!("{stage}.{seat}");
            assert_eq!(warm.asked(&turn), [(1, before)], "{turn}");
            let (session, told) = recorded(&host, &turn).remove(0);
            assert_eq!(session, Some(format!("{seat}#1")));
            assert_eq!(told.is_none(), before == 0, "{turn}: {told:?}");
        }
    }
    // The judge is asked both ways round at the same time, in separate calls.
    let mut judges = [warm.asked("verdict.judge"), warm.asked("verdict.swap")].concat();
    judges.sort_unstable();
    assert_eq!(judges, [(1, 0), (2, 0)]);
    assert_eq!(recorded(&host, "verdict.judge"), [(None, None)]);
    assert_eq!(warm.agents[2].sessions().opened, 2);

    // A later turn is sent much less than without memory, whose complete prompt is recorded.
    let told = warm.told("r2.cha").len();
    let asks = &host.state().turns[&"r2.cha".parse().unwrap()].asks;
    let whole: u64 = asks[0]
        .asked
        .as_ref()
        .unwrap()
        .parts
        .iter()
        .map(|part| part.bytes)
        .sum();
    assert!((told as u64) * 10 < whole * 7, "{told} of {whole}");
    assert!(
        warm.told("r2.cha")
            .starts_with("Everything you were told before and everything you said is still valid")
    );
    assert!(!warm.told("r2.cha").contains("# Topic"));
}

#[tokio::test(start_paused = true)]
async fn what_is_sent_back_is_told_as_findings_and_contract() {
    let warm = warm(|turn, asked| {
        let back = turn == "r1.pro" && !asked.prompt.contains("Asked again: 1");
        back.then(|| Act::Say("I have no block.".to_owned()))
    });
    let mut host = MemoryHost::open(spec());
    warm.run(&mut host).await;
    assert_eq!(warm.asked("r1.pro"), [(1, 1), (1, 2)]);
    let again = warm.told("r1.pro");
    assert!(
        again.starts_with("# Sent back\n\nAsked again: 1"),
        "{again}"
    );
    assert!(!again.contains("I have no block."), "{again}");
    assert!(!again.contains("# Rules of the debate"), "{again}");
    assert_eq!(host.state().closed, Some(Outcome::Judged));
}

/// However a conversation is lost, the next call gets everything in a new one.
#[tokio::test(start_paused = true)]
async fn a_lost_conversation_is_opened_again_and_told_everything() {
    let retry = Class::Retry { after_ms: 500 };
    for way in ["dies", "hangs", "forgets"] {
        let warm = warm(move |turn, asked| match way {
            "forgets" => {
                let reply = || replies()[turn][0].clone();
                (turn == "r1.cha").then(|| Act::SayAndForget(reply()))
            }
            "dies" if turn == "r2.cha" && asked.session == 1 => {
                Some(Act::Fail(CauseCode::Failed, retry))
            }
            "hangs" if turn == "r2.cha" && asked.session == 1 => Some(Act::Hang),
            _ => None,
        });
        let mut host = MemoryHost::open(spec());
        warm.run(&mut host).await;
        assert_eq!(host.state().closed, Some(Outcome::Judged), "{way}");
        let again = warm.asked("r2.cha");
        assert_eq!(again.last(), Some(&(2, 0)), "{way}: {again:?}");
        let (session, told) = recorded(&host, "r2.cha").pop().unwrap();
        assert_eq!((session.as_deref(), told), (Some("cha#2"), None), "{way}");
        let told = warm.told("r2.cha");
        for whole in ["# Topic", "# Rules of the debate", "# Round 1: proposer"] {
            assert!(told.contains(whole), "{way}: {whole}");
        }
        // The other side's conversation continues.
        assert_eq!(warm.asked("r2.pro"), [(1, 2)], "{way}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_goes_on_begins_new_conversations() {
    let warm = warm(|_, _| None);
    let mut host = MemoryHost::open(spec());
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let stopping = async move {
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(warm.run_until(&mut host, &cancel), stopping);
    assert_eq!(ended, RunEnd::Stopped);
    let caps = host.state().caps;
    resume_debate(&mut host, caps, false).unwrap();
    assert_eq!(warm.run(&mut host).await, RunEnd::Settled);
    assert_eq!(warm.asked("r1.cha"), [(1, 1), (2, 0)]);
    assert_eq!(warm.asked("r2.pro"), [(2, 0)]);
    let sessions: Vec<_> = ["r1.cha", "r2.pro"]
        .map(|turn| recorded(&host, turn).pop().unwrap().0.unwrap())
        .into();
    assert_eq!(sessions, ["cha#2", "pro#2"]);
}

#[tokio::test(start_paused = true)]
async fn a_conversation_that_holds_too_much_is_replaced() {
    let degrades = ContextDegradation {
        onset: 1_000,
        severe: 3_500,
    };
    let warm = bearing(degrades, |_, _| None);
    let mut host = MemoryHost::open(spec());
    warm.run(&mut host).await;
    assert_eq!(host.state().closed, Some(Outcome::Judged));
    let session = |turn: &str| recorded(&host, turn).pop().unwrap();
    assert_eq!(session("r0.pro"), (Some("pro#1".to_owned()), None));
    assert_eq!(session("r2.cha").1, None, "it is told everything");
    assert_ne!(session("r2.cha").0.as_deref(), Some("cha#1"));
}

#[tokio::test(start_paused = true)]
async fn a_prompt_past_what_its_model_reads_well_is_asked_and_recorded_as_such() {
    let degrades = ContextDegradation {
        onset: 1_000,
        severe: 100_000,
    };
    let warm = bearing(degrades, |_, _| None);
    let mut host = MemoryHost::open(spec());
    warm.run(&mut host).await;
    let onset = |turn: &str| {
        let state = host.state();
        let asked = state.turns[&turn.parse().unwrap()].asks[0].asked.clone();
        asked.unwrap().past_onset
    };
    assert_eq!(onset("r0.pro"), None);
    assert_eq!(onset("verdict.judge"), Some(1_000));
    let cautions = agon_verdict::verdict::cautions(host.state());
    let told = "the judge's prompt was longer than 1000 tokens, so its model may have missed parts";
    assert!(cautions.iter().any(|said| said == told), "{cautions:?}");
}

#[tokio::test(start_paused = true)]
async fn what_the_user_says_between_turns_is_told() {
    let warm = warm(|_, _| None);
    let mut host = MemoryHost::open(spec());
    let cancel = CancellationToken::new();
    let mut front = Says(false);
    run_debate(&mut host, &warm.table, &mut front, &cancel)
        .await
        .unwrap();
    let later = ["r1.cha", "r2.pro"].map(|turn| warm.told(turn).contains("comes in August"));
    assert_eq!(later, [true, true]);
    assert!(
        !warm.told("r2.cha").contains("comes in August"),
        "it was told in r1.cha"
    );
}

/// Adds a note once the proposer was asked for its first turn.
struct Says(bool);

#[async_trait::async_trait]
impl Observer for Says {
    fn on_call_started(&mut self, _state: &State, key: AskKey) {
        self.0 |= key.to_string() == "r1.pro#0";
    }

    fn on_events_recorded(&mut self, _state: &State, _events: &[Event]) {}

    async fn next_request(&mut self) -> Item {
        if !std::mem::take(&mut self.0) {
            return std::future::pending().await;
        }
        Item {
            id: ulid::Ulid::from(7_u128),
            wish: UserRequest::Note {
                text: "a second one comes in August".to_owned(),
                redacted: 0,
            },
        }
    }

    async fn answer_yes_or_no(&mut self, _wanted: &PersonQuestion) -> bool {
        false
    }
}

/// Receives the words of the tools while they speak.
#[derive(Debug, Default)]
struct Hears(Arc<Lines>);

#[derive(Debug, Default)]
struct Lines(Mutex<Vec<String>>);

impl Listener for Lines {
    fn show_words(&self, words: &str) {
        self.0.lock().unwrap().push(words.to_owned());
    }
}

#[async_trait::async_trait]
impl Observer for Hears {
    fn on_call_started(&mut self, _state: &State, _key: AskKey) {}

    fn listener(&self, _key: AskKey) -> Option<Arc<dyn Listener>> {
        Some(Arc::clone(&self.0) as _)
    }

    fn on_events_recorded(&mut self, _state: &State, _events: &[Event]) {}

    async fn answer_yes_or_no(&mut self, _wanted: &PersonQuestion) -> bool {
        false
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_says_is_heard_while_it_says_it_without_secrets() {
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let secret = token.clone();
    let warm = warm(move |turn, _| {
        let reply = replies()[turn][0].clone();
        Some(Act::Say(format!("{secret} is the key. {reply}")))
    });
    let mut host = MemoryHost::open(spec());
    let mut front = Hears::default();
    run_debate(
        &mut host,
        &warm.table,
        &mut front,
        &CancellationToken::new(),
    )
    .await
    .unwrap();
    let heard = front.0.0.lock().unwrap();
    assert!(!heard.is_empty());
    for line in heard.iter() {
        assert!(!line.contains(&token[..12]), "{line}");
    }
}

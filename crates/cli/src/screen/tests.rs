use std::io;
use std::sync::Mutex;

use agon_record::event::{Asked, Cap, Cause, CauseCode, Class, Event, Given, Lost, Reply, Usage};
use agon_record::id::{AskKey, Seat};
use agon_record::spec::{Caps, DuelSpec, Effort, Kind, Seating, Spec};
use agon_report::screen::Detail;
use agon_rules::plan::{Plan, plan};
use agon_testkit::{Cue, Script};

use super::*;

fn seating(tool: &str) -> Seating {
    Seating {
        tool: tool.parse().unwrap(),
        vendor: tool.to_owned(),
        model: None,
        effort: Effort::Medium,
        transport: "cli".to_owned(),
        version: None,
        budget: None,
        unmeasured: false,
        class: None,
        refused_model: None,
        ignores_effort: false,
    }
}

fn state() -> State {
    let tools = [
        (Seat::Proposer, "claude"),
        (Seat::Challenger, "codex"),
        (Seat::JUDGE, "gemini"),
    ];
    let caps = Caps {
        calls: 11,
        tokens: 250_000,
        time_ms: 90_000,
        cost_micros: Some(500_000),
        reasks: 4,
    };
    State::open(Spec {
        ulid: 1.into(),
        seats: tools
            .into_iter()
            .map(|(seat, tool)| (seat, seating(tool)))
            .collect(),
        caps,
        ask_timeout_ms: 240_000,
        same_tool: false,
        kind: Kind::duel(DuelSpec {
            substitutes: vec![seating("copilot")],
            rounds: 1,
            blind: true,
            swap: true,
            ask_on_agreement: true,
            options: None,
        }),
        ..Spec::duel("job-store", "SQLite or plain files?")
    })
}

/// The output of a screen, including colors.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

fn screen(live: bool) -> (Screen, Sink) {
    let sink = Sink::default();
    let status = live.then(Status::on_stderr);
    let stderr = Box::new(sink.clone());
    (
        Screen {
            lines: LiveLines::new(110, Detail::Whole),
            status,
            keys: None,
            note: None,
            is_paused: false,
            word_count: 0,
            is_watched: false,
            follows_terminal: false,
            stderr,
        },
        sink,
    )
}

fn asked(state: &State, key: AskKey) -> Event {
    let seating = &state.seats[&key.turn.seat];
    Event::Asked(Asked {
        key,
        tool: seating.tool.clone(),
        model: None,
        effort: Effort::Medium,
        timeout_ms: 240_000,
        reserved: 1_000,
        parts: Vec::new(),
        prompt_version: 1,
        session: None,
        sent_parts: None,
        user_inputs: 0,
        past_onset: None,
        seat_findings: Vec::new(),
    })
}

/// Plays the debate to its end; `outcome` may give another one to a call.
fn play(screen: &mut Screen, outcome: &dyn Fn(&State, AskKey) -> Option<Event>) -> State {
    let script = Script::job_store();
    let mut state = state();
    let mut tell = |state: &mut State, events: &[Event]| {
        events.iter().for_each(|event| state.apply(event).unwrap());
        screen.on_events_recorded(state, events);
    };
    loop {
        let key = match plan(&state) {
            Plan::Decide(events) => {
                tell(&mut state, &events);
                continue;
            }
            Plan::Resolve(keys) => panic!("nothing is pinned: {keys:?}"),
            Plan::Wait(_) => {
                tell(&mut state, &[Event::Agreement { stop: false }]);
                continue;
            }
            Plan::Close => return state,
            Plan::Perform(effects) => effects[0].key,
        };
        let call = asked(&state, key);
        tell(&mut state, &[call]);
        let cue = Cue {
            turn: Some(key.turn.to_string()),
            again: usize::from(key.again),
        };
        let came = outcome(&state, key).unwrap_or_else(|| {
            Event::Given(Given {
                key,
                reply: Reply::Text(script.reply(&cue).into_owned()),
                usage: Usage::default(),
                took_ms: 41_000,
                clock_ms: 0,
                at_ms: None,
                stop_reason: None,
                model: None,
                redacted: 0,
            })
        });
        tell(&mut state, &[came]);
    }
}

fn lost(key: AskKey, class: Class, code: CauseCode) -> Event {
    let cause = Cause {
        code,
        detail: "HTTP \u{1b}[31m529".to_owned(),
    };
    Event::Lost(Lost {
        key,
        class,
        cause,
        usage: None,
        took_ms: 5_000,
        clock_ms: 0,
    })
}

/// Loses the first try of the opening, and every try of gemini's.
fn trouble(state: &State, key: AskKey) -> Option<Event> {
    let tool = state.seats[&key.turn.seat].tool.as_str();
    let first = state.turns[&key.turn].asks[0].losses.is_empty();
    match (key.turn.to_string().as_str(), tool) {
        ("r1.pro", _) if first => Some(lost(
            key,
            Class::Retry { after_ms: 2_000 },
            CauseCode::Unavailable,
        )),
        (_, "gemini") => Some(lost(key, Class::Retry { after_ms: 0 }, CauseCode::Timeout)),
        _ => None,
    }
}

#[test]
fn a_debate_with_trouble_is_told_line_by_line() {
    let (mut screen, sink) = screen(false);
    screen.print_header(&state(), "debates/job-store", None);
    let state = play(&mut screen, &trouble);
    assert_eq!(state.seats[&Seat::JUDGE].tool.as_str(), "copilot");
    insta::assert_snapshot!(anstream::adapter::strip_str(&sink.text()).to_string());
}

#[test]
fn a_terminal_is_told_the_same() {
    let ((mut plain, said), (mut live, shown)) = (screen(false), screen(true));
    play(&mut plain, &trouble);
    play(&mut live, &trouble);
    assert_eq!(shown.text(), said.text());
}

#[test]
fn what_is_told_later_is_told_again_when_it_goes_on() {
    let (mut first, said) = screen(false);
    let state = play(&mut first, &|_, _| None);
    let (mut second, again) = screen(false);
    second.print_header(&state, "debates/job-store", None);
    assert!(again.text().ends_with(&said.text()), "{}", again.text());
}

#[test]
fn bounds_and_secrets_are_told() {
    let (mut screen, sink) = screen(false);
    let state = state();
    let key: AskKey = "r1.cha#0".parse().unwrap();
    let given = Given {
        key,
        reply: Reply::Text(String::new()),
        usage: Usage::default(),
        took_ms: 0,
        clock_ms: 0,
        at_ms: None,
        stop_reason: None,
        model: None,
        redacted: 2,
    };
    let capped = [Cap::Calls, Cap::Tokens, Cap::Time, Cap::Cost].map(|cap| Event::Capped { cap });
    screen.on_events_recorded(&state, &capped);
    screen.on_events_recorded(&state, &[Event::Given(given), Event::Discarded { key }]);
    screen.on_events_recorded(&state, &[true, false].map(|stop| Event::Agreement { stop }));
    insta::assert_snapshot!(anstream::adapter::strip_str(&sink.text()).to_string());
}

#[test]
fn no_escape_of_a_model_reaches_the_terminal() {
    let (mut screen, sink) = screen(true);
    play(&mut screen, &trouble);
    assert!(sink.text().contains("HTTP 529"), "{}", sink.text());
    assert!(!sink.text().contains("\u{1b}[31m529"), "{:?}", sink.text());
}

//! A hand-written duel, event by event.

use std::collections::BTreeMap;

use agon_record::event::{
    Asked, Cause, CauseCode, Class, Event, Given, Lost, Outcome, Reply, Usage,
};
use agon_record::finding::{Finding, Severity};
use agon_record::ground::{GroundStamp, grounds_of_moves};
use agon_record::id::{AskKey, Seat, Stage, TurnId};
use agon_record::moves::{Citation, Moves};
use agon_record::point;
use agon_record::spec::{Caps, DuelSpec, Effort, Kind, Seating, Spec};
use agon_record::stamp::{Absent, Stamp, Stamped};
use agon_record::state::State;
use serde_json::Value;

const SCRIPT: &str = include_str!("../../testkit/scripts/job-store.json");

/// The turns in order, with the seconds that each takes.
const TURNS: [(&str, u64); 8] = [
    ("r0.pro", 38),
    ("r0.cha", 41),
    ("r1.pro", 92),
    ("r1.cha", 118),
    ("r2.pro", 70),
    ("r2.cha", 52),
    ("verdict.judge", 48),
    ("verdict.swap", 46),
];

/// A debate under construction.
pub struct Debate {
    /// The spec.
    pub spec: Spec,
    /// The events after the opening.
    pub events: Vec<Event>,
    clock_ms: u64,
}

/// Returns the complete debate, with both rulings.
pub fn job_store() -> Debate {
    let mut debate = Debate::open();
    debate.speak_until("verdict.swap");
    debate.close(Outcome::Judged);
    debate
}

/// Returns a seat held by `tool`.
pub fn seating(tool: &str, vendor: &str, model: Option<&str>) -> Seating {
    Seating {
        tool: tool.parse().unwrap(),
        vendor: vendor.to_owned(),
        model: model.map(str::to_owned),
        effort: Effort::Medium,
        transport: "cli".to_owned(),
        version: Some("1.2.3".to_owned()),
        budget: None,
        unmeasured: false,
        class: None,
        refused_model: None,
        ignores_effort: false,
    }
}

/// Parses the name of a turn.
pub fn turn(text: &str) -> TurnId {
    text.parse().unwrap()
}

/// Returns a finding in `r1.cha`.
pub fn finding(code: &str, severity: Severity, at: &str) -> Finding {
    Finding {
        code: code.to_owned(),
        severity,
        turn: turn("r1.cha"),
        at: at.to_owned(),
        path: None,
        span: None,
        message: "the objection has no ground".to_owned(),
        hint: "give a ground".to_owned(),
    }
}

/// Returns the scripted moves for `turn`.
pub fn scripted(at: TurnId) -> Moves {
    let script: Value = serde_json::from_str(SCRIPT).unwrap();
    let said = match at.stage {
        // In the debate's own names, it is the same ruling.
        Stage::Swap => "verdict.judge".to_owned(),
        Stage::Theses | Stage::Round(_) | Stage::Verdict => at.to_string(),
    };
    let reply = script["turns"][said][0].as_str().unwrap();
    let (_, block) = reply.rsplit_once("```json").unwrap();
    let mut moves: Value = serde_json::from_str(block.split("```").next().unwrap()).unwrap();
    let kind = match (at.stage, at.seat) {
        (Stage::Theses | Stage::Verdict | Stage::Swap, _) => "verdict",
        (Stage::Round(0), _) => "blind",
        (Stage::Round(1), Seat::Proposer) => "opening",
        (Stage::Round(1), _) => "challenge",
        (Stage::Round(_), Seat::Proposer) => "defense",
        (Stage::Round(_), _) => "follow_up",
    };
    moves["kind"] = kind.into();
    serde_json::from_value(moves).unwrap()
}

impl Debate {
    /// Returns the debate before its first turn.
    pub fn open() -> Self {
        let seats = [
            (Seat::Proposer, seating("claude", "anthropic", Some("opus"))),
            (
                Seat::Challenger,
                seating("codex", "openai", Some("gpt-5.5")),
            ),
            (Seat::JUDGE, seating("gemini", "google", None)),
        ];
        let spec = Spec {
            ulid: "01JTX3Q4Z5V6W7X8Y9ZABCDEFG".parse().unwrap(),
            seats: BTreeMap::from(seats),
            caps: Caps {
                calls: 12,
                tokens: 250_000,
                time_ms: 1_800_000,
                cost_micros: None,
                reasks: 4,
            },
            ask_timeout_ms: 240_000,
            same_tool: false,
            salt: "5a".repeat(32),
            agon: "agon 0.1.0".to_owned(),
            kind: Kind::duel(DuelSpec {
                substitutes: Vec::new(),
                rounds: 2,
                blind: true,
                swap: true,
                ask_on_agreement: true,
                options: None,
            }),
            ..Spec::duel("job-store", "SQLite or plain files for the job store?")
        };
        Self {
            spec,
            events: Vec::new(),
            clock_ms: 0,
        }
    }

    /// Returns the state after all events.
    pub fn state(&self) -> State {
        let opened = Event::Opened(Box::new(self.spec.clone()));
        State::replay([&opened].into_iter().chain(&self.events)).unwrap()
    }

    /// Adds every scripted turn up to and including `last`.
    pub fn speak_until(&mut self, last: &str) {
        for (at, _) in TURNS {
            self.speak(turn(at), scripted(turn(at)));
            if at == last {
                break;
            }
        }
    }

    /// Adds `moves` as the admitted reply of `at`.
    pub fn speak(&mut self, at: TurnId, moves: Moves) {
        let again = self.asks(at);
        let key = AskKey { turn: at, again };
        self.give(key);
        self.events.push(Event::Admitted {
            key,
            ids: point::point_ids(at, &moves),
            moves: Box::new(moves),
            findings: Vec::new(),
        });
    }

    /// Adds a reply to `at` that is sent back.
    pub fn send_back(&mut self, at: TurnId, findings: Vec<Finding>) {
        let again = self.asks(at);
        let key = AskKey { turn: at, again };
        self.give(key);
        self.events.push(Event::SentBack { key, findings });
    }

    /// Adds a call for `at` and its loss.
    pub fn lose(&mut self, at: TurnId, code: CauseCode) {
        let key = AskKey { turn: at, again: 0 };
        let cause = Cause {
            code,
            detail: "no reply within 240 s".to_owned(),
        };
        self.ask(key);
        self.clock_ms += 240_000;
        self.events.push(Event::Lost(Lost {
            key,
            class: Class::Tool,
            cause: cause.clone(),
            usage: None,
            took_ms: 240_000,
            clock_ms: self.clock_ms,
        }));
        self.events.push(Event::TurnLost {
            turn: at,
            cause,
            findings: Vec::new(),
        });
    }

    /// Closes the debate.
    pub fn close(&mut self, outcome: Outcome) {
        self.events.push(Event::Closed { outcome });
    }

    fn asks(&self, at: TurnId) -> u8 {
        let asked = |event: &&Event| matches!(event, Event::Asked(asked) if asked.key.turn == at);
        u8::try_from(self.events.iter().filter(asked).count()).unwrap()
    }

    fn ask(&mut self, key: AskKey) {
        let seating = &self.spec.seats[&key.turn.seat];
        self.events.push(Event::Asked(Asked {
            key,
            tool: seating.tool.clone(),
            model: seating.model.clone(),
            effort: seating.effort,
            timeout_ms: 240_000,
            reserved: 20_000,
            parts: Vec::new(),
            prompt_version: 5,
            session: None,
            sent_parts: None,
            user_inputs: 0,
            past_onset: None,
            seat_findings: Vec::new(),
        }));
    }

    fn give(&mut self, key: AskKey) {
        self.ask(key);
        let at = key.turn.to_string();
        let seconds = TURNS.iter().find(|(turn, _)| *turn == at);
        let took_ms = seconds.map_or(9_000, |(_, seconds)| seconds * 1_000);
        // Runs in parallel with a longer call.
        if at != "r0.pro" && at != "verdict.swap" {
            self.clock_ms += took_ms;
        }
        let priced = key.turn.seat == Seat::Proposer;
        self.events.push(Event::Given(Given {
            key,
            reply: Reply::Text("the reply as it came".to_owned()),
            usage: Usage {
                input: 14_000,
                cached: 6_000,
                output: took_ms / 20,
                cost_micros: priced.then_some(70_000),
                estimated: false,
            },
            took_ms,
            clock_ms: self.clock_ms,
            at_ms: None,
            stop_reason: None,
            model: None,
            redacted: 0,
        }));
    }
}

/// Stamps each ground of point `nth` of the turn `at` as missing: no such file.
pub fn cite_missing_places(state: &mut State, at: &str, nth: usize) {
    let at = turn(at);
    let admitted = state.admitted(at).unwrap();
    let grounds = grounds_of_moves(&admitted.moves).into_iter();
    let stamps = grounds.filter(|cited| cited.point == nth).map(|cited| {
        let stamp = Stamp::Missing {
            what: Absent::File,
            last_line: None,
            instead: Vec::new(),
        };
        let file = Some("src/gone.rs".to_owned());
        GroundStamp {
            point: cited.point,
            ground: cited.ground,
            stamped: Stamped {
                citation: Citation {
                    file,
                    ..Citation::default()
                },
                extracted: false,
                stamp,
            },
        }
    });
    let stamps: Vec<_> = stamps.collect();
    let again = usize::from(admitted.key.again);
    let asks = &mut state.turns.get_mut(&at).unwrap().asks;
    asks[again].stamps.get_or_insert_default().extend(stamps);
}

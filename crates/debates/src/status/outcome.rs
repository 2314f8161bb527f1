//! The outcome of a request to debate.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use agon_caller::Failure;
use agon_record::authority::Authority;
use agon_record::id::Seat;
use agon_record::precedent::Precedent;
use agon_record::spec::ReplacedDoc;
use agon_record::spec::{Caps, Seating, Spec};
use agon_record::state::State;
use agon_rules::expected::Expected;
use agon_rules::format::remaining_calls;
use agon_verdict::result::{ResultDoc, result_document};
use agon_verdict::status::{StartedDoc, started_document};
use agon_verdict::verdict::{Verdict, verdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::limits::expectation::Expectation;

/// The outcome of a request to debate.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A plan; nothing was run.
    Planned(Box<Planned>),
    /// The debate runs in the background.
    Started(Box<Started>),
    /// The debate is over for now.
    Ended(Box<Ended>),
}

impl Outcome {
    pub(crate) fn ended(ended: Ended) -> Self {
        Self::Ended(Box::new(ended))
    }
}

/// A debate that is over for now: it has a verdict, or waits for a person.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The debate.
    pub state: State,
    /// Its folder, as printed.
    pub folder: String,
    /// The authority of its verdict, if it has one; a formal debate has none.
    pub authority: Option<Authority>,
    /// Whether an earlier start is returned.
    pub is_reused: bool,
    /// The people it waits for, and what they have to do.
    pub waits: Vec<String>,
    /// Why there is no verdict, if the debate was not run now.
    pub failure: Option<Failure>,
    /// The verdict, computed when requested.
    pub(crate) verdict: OnceLock<Option<Arc<Verdict>>>,
}

impl Ended {
    /// Returns an ended debate without further information.
    pub(crate) fn new(state: State, folder: String) -> Self {
        Self {
            state,
            folder,
            authority: None,
            is_reused: false,
            waits: Vec::new(),
            failure: None,
            verdict: OnceLock::new(),
        }
    }

    /// Returns the verdict.
    pub fn verdict(&self) -> Option<&Verdict> {
        let find = || verdict(&self.state).map(Arc::new);
        self.verdict.get_or_init(find).as_deref()
    }

    /// Returns the document for a program that wanted to start it: it was started before, or need
    /// not be waited for.
    pub fn started_document(&self) -> StartedDoc {
        started_document(&self.state, &self.folder, false, self.is_reused)
    }

    /// Returns the machine-readable document.
    pub fn document(&self) -> ResultDoc {
        ResultDoc {
            reused: self.is_reused,
            ..result_document(&self.state, self.verdict(), &self.folder)
        }
    }
}

/// A debate that runs in the background, or was found when started again.
#[derive(Clone, Debug)]
pub struct Started {
    /// The debate.
    pub state: State,
    /// Its folder, as printed.
    pub folder: String,
    /// Whether a process is running it.
    pub is_live: bool,
    /// Whether an earlier start is returned.
    pub is_reused: bool,
    /// The expected time, tokens and cost.
    pub expected: Expectation,
}

impl Started {
    /// Returns the machine-readable document.
    pub fn document(&self) -> StartedDoc {
        let mut document =
            started_document(&self.state, &self.folder, self.is_live, self.is_reused);
        if let (true, Some(expected)) = (self.is_live, &self.expected.takes) {
            document.eta_s = expected.eta_seconds();
        }
        document
    }
}

/// The plan of a debate.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The debate as it would begin or continue.
    pub state: State,
    /// Its folder, as printed.
    pub folder: String,
    /// Whether it was already opened.
    pub is_open: bool,
    /// The expected time, tokens and cost.
    pub expected: Expectation,
}

impl Planned {
    /// Returns the machine-readable document.
    pub fn document(&self) -> impl Serialize + '_ {
        let Self { state, .. } = self;
        let spec = &state.spec;
        let expected = self.expected.takes.as_ref().map(ExpectedDoc::from_expected);
        let cost_usd = self.expected.cost.map(round_to_cents);
        match self.is_open {
            false => PlanDoc {
                expected,
                cost_usd,
                ..PlanDoc::from_spec(spec)
            },
            true => PlanDoc {
                seats: &state.seats,
                rounds: state.through.unwrap_or(state.planned_rounds()),
                calls: remaining_calls(state),
                caps: state.caps,
                expected,
                cost_usd,
                ..PlanDoc::from_spec(spec)
            },
        }
    }
}

/// The plan of a debate, for programs.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlanDoc<'a> {
    schema: &'static str,
    topic: &'a str,
    #[schemars(with = "BTreeMap<String, Seating>")]
    seats: &'a BTreeMap<Seat, Seating>,
    substitutes: &'a [Seating],
    /// The substitutes of each side, in order.
    #[schemars(with = "BTreeMap<String, Vec<Seating>>")]
    side_substitutes: &'a BTreeMap<Seat, Vec<Seating>>,
    /// The tools that substitutes replaced.
    replaced: Vec<ReplacedDoc>,
    rounds: u16,
    blind: bool,
    swap: bool,
    calls: u32,
    caps: Caps,
    /// Earlier verdicts given to every seat.
    precedents: &'a [Precedent],
    /// The expected time and tokens, from earlier calls here; null if too little is known.
    expected: Option<ExpectedDoc>,
    /// The cost of models behind API keys, in US dollars; null if there is no such model or a price
    /// is unknown.
    cost_usd: Option<f64>,
}

/// Rounds to cents, which is more precise than the estimate.
fn round_to_cents(dollars: f64) -> f64 {
    (dollars * 100.0).round() / 100.0
}

impl<'a> PlanDoc<'a> {
    fn from_spec(spec: &'a Spec) -> Self {
        Self {
            schema: "agon.plan/1",
            topic: &spec.topic,
            seats: &spec.seats,
            substitutes: spec.substitutes(),
            side_substitutes: &spec.standby.substitutes,
            replaced: spec
                .standby
                .replaced
                .iter()
                .map(ReplacedDoc::from)
                .collect(),
            rounds: spec.planned_rounds(),
            blind: spec.has_blind_round(),
            swap: spec.has_swap(),
            calls: spec.planned_calls(),
            caps: spec.caps,
            precedents: &spec.precedents,
            expected: None,
            cost_usd: None,
        }
    }
}

/// The expected time and tokens, for programs.
#[derive(Serialize, JsonSchema)]
struct ExpectedDoc {
    eta_s: u64,
    seconds: [u64; 2],
    tokens: [u64; 2],
}

impl ExpectedDoc {
    fn from_expected(expected: &Expected) -> Self {
        let (low, high) = (expected.low, expected.high);
        Self {
            eta_s: expected.eta_seconds(),
            seconds: [low.ms, high.ms].map(|ms| ms.div_ceil(1_000)),
            tokens: [low.tokens, high.tokens],
        }
    }
}

//! Replays a recorded debate: outside events come from the record, and everything that the program
//! did is repeated and compared.
//!
//! Prompts are rebuilt and compared part by part, and decisions are recomputed; differences are
//! listed. For a prompt of another version, only its inputs are compared. For decisions made with
//! older prompts, only the admitted moves are compared, since the limits and the order of judges
//! may have been different. Nothing is called or written.

use std::collections::BTreeMap;
use std::fmt;

use agon_prompt::{PROMPT_VERSION, differing_part_kinds};
use agon_record::event::{Asked, Cap, Cause, CauseCode, Event};
use agon_record::finding::Finding;
use agon_record::id::AskKey;
use agon_record::state::{ReplayError, State};
use agon_rules::plan::{Effect, Plan, plan};

use crate::call::prepare_ask;

mod bounds;

/// A recorded debate that is being replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    state: State,
    played: Played,
    versions: BTreeMap<u32, u64>,
    /// The version of the latest prompt.
    latest: u32,
    differences: Vec<Difference>,
    not_compared: Vec<Difference>,
}

/// The number of replayed items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Prompts that were rebuilt.
    pub prompts: u64,
    /// Decisions that were recomputed.
    pub decisions: u64,
    /// Outcomes that were taken from the record.
    pub outcomes: u64,
}

/// A difference from the recorded debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The debate would not make this call now.
    Unplanned {
        /// The ask.
        key: AskKey,
    },
    /// The call would now use another tool or other settings.
    Ask {
        /// The ask.
        key: AskKey,
        /// The difference, such as `model`.
        what: Vec<&'static str>,
    },
    /// The prompt would be different now.
    Prompt {
        /// The ask.
        key: AskKey,
        /// The kinds of the parts that differ, such as `rules`.
        parts: Vec<String>,
        /// The version of the recorded prompt.
        then: u32,
        /// The current version.
        now: u32,
    },
    /// The decision would be different now.
    Decision {
        /// The recorded decision.
        then: String,
        /// The decision now; `None` if there would be none.
        now: Option<String>,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unplanned { key } => write!(f, "{key}: would not be called now"),
            Self::Ask { key, what } => {
                write!(f, "{key}: would be called with another {}", what.join(", "))
            }
            Self::Prompt {
                key,
                parts,
                then,
                now,
            } => {
                let (s, parts) = (if parts.len() == 1 { "" } else { "s" }, parts.join(", "));
                write!(f, "{key}: the prompt differs in its part{s} {parts}")?;
                if then != now {
                    write!(f, " (recorded with prompt version {then}, now {now})")?;
                }
                Ok(())
            }
            Self::Decision { then, now } => {
                let now = now.as_deref().unwrap_or("nothing");
                write!(f, "then: {then}; now: {now}")
            }
        }
    }
}

impl Replay {
    /// Begins with the event that opened the debate.
    ///
    /// # Errors
    ///
    /// If that event does not open a debate.
    pub fn open(first: &Event) -> Result<Self, ReplayError> {
        Ok(Self {
            state: State::replay(std::slice::from_ref(first))?,
            played: Played::default(),
            versions: BTreeMap::new(),
            latest: PROMPT_VERSION,
            differences: Vec::new(),
            not_compared: Vec::new(),
        })
    }

    /// Plays the next event of the record.
    ///
    /// # Errors
    ///
    /// If it does not follow.
    pub fn play(&mut self, event: &Event) -> Result<(), ReplayError> {
        let ours = || describe_decision(event).filter(|_| !self.is_outside_decision(event));
        if let Event::Asked(was) = event {
            self.compare_ask(was);
        } else if let Some(then) = ours() {
            self.compare_decision(event, then);
        } else {
            self.played.outcomes += 1;
        }
        self.state.apply(event)
    }

    /// Returns the current state of the debate.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns what was replayed so far.
    pub fn played(&self) -> Played {
        self.played
    }

    /// Returns the prompt versions in the record, each with its number of prompts.
    ///
    /// The text of versions other than [`PROMPT_VERSION`] is not compared, nor what those prompts
    /// left out.
    pub fn prompt_versions(&self) -> &BTreeMap<u32, u64> {
        &self.versions
    }

    /// Returns the differences.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Returns the differences that follow from limits, an order of judges or a judge's attempts of
    /// an older version. They do not count as errors.
    pub fn excused_differences(&self) -> &[Difference] {
        &self.not_compared
    }

    fn compare_ask(&mut self, was: &Asked) {
        self.played.prompts += 1;
        self.latest = was.prompt_version;
        let older = was.prompt_version < PROMPT_VERSION;
        *self.versions.entry(was.prompt_version).or_default() += 1;
        let planned = match plan(&self.state) {
            Plan::Perform(effects) => effects.into_iter().find(|effect| effect.key == was.key),
            Plan::Resolve(_) | Plan::Decide(_) | Plan::Wait(_) | Plan::Close => None,
        };
        let unplanned = Effect {
            key: was.key,
            after_ms: 0,
            reserve: was.reserved,
        };
        let effect = planned.unwrap_or(unplanned);
        if planned.is_none() {
            self.difference_list(older || self.is_judge_out_of_time(was.key))
                .push(Difference::Unplanned { key: was.key });
        }
        let Some((now, _)) = prepare_ask(&self.state, &effect, None, was.user_inputs) else {
            return;
        };
        let pairs = [
            ("tool", was.tool == now.tool),
            ("model", was.model == now.model),
            ("effort", was.effort == now.effort),
            // The reserve is estimated from the prompt, so it differs for an older prompt version.
            ("reserve", older || was.reserved == now.reserved),
        ];
        let others = pairs.into_iter().filter(|(_, same)| !same);
        let what: Vec<_> = others.map(|(what, _)| what).collect();
        if !what.is_empty() {
            self.differences
                .push(Difference::Ask { key: was.key, what });
        }
        let parts = differing_part_kinds(&self.state, was, &now);
        if !parts.is_empty() {
            self.differences.push(Difference::Prompt {
                key: was.key,
                parts,
                then: was.prompt_version,
                now: PROMPT_VERSION,
            });
        }
    }

    fn compare_decision(&mut self, was: &Event, then: String) {
        self.played.decisions += 1;
        let now = match plan(&self.state) {
            Plan::Decide(events) => events,
            Plan::Perform(_) | Plan::Resolve(_) | Plan::Wait(_) | Plan::Close => Vec::new(),
        };
        let of_older_prompt = self.latest < PROMPT_VERSION;
        let same = |one: &Event| one == was || of_older_prompt && differ_only_in_wording(one, was);
        if !now.iter().any(same) {
            let older = of_older_prompt && bounds::can_differ_by_bounds(was, &now);
            self.difference_list(older).push(Difference::Decision {
                then,
                now: now.first().and_then(describe_decision),
            });
        }
    }

    /// Returns whether a judge's last call for `key` timed out. Older versions called the judge
    /// again although a substitute could rule.
    fn is_judge_out_of_time(&self, key: AskKey) -> bool {
        let last = self.state.ask(key).and_then(|ask| ask.losses.last());
        key.turn.seat.is_judge() && last.is_some_and(|(_, cause)| cause.code == CauseCode::Timeout)
    }

    /// Returns the list that a difference belongs to: the excused ones if `older_bounds` is set,
    /// else the errors.
    fn difference_list(&mut self, older_bounds: bool) -> &mut Vec<Difference> {
        match older_bounds {
            true => &mut self.not_compared,
            false => &mut self.differences,
        }
    }

    /// Returns whether another party made this decision, although the program could make it too.
    fn is_outside_decision(&self, event: &Event) -> bool {
        let timed = matches!(event, Event::Capped { cap: Cap::Time });
        let agreed =
            matches!(event, Event::Agreement { .. }) && self.state.spec.asks_on_agreement();
        // A debate that makes no calls itself gets its moves and scores from outside.
        let open = self.state.closed.is_none() && self.state.halted.is_none();
        let by_hand = matches!(event, Event::Admitted { .. } | Event::Scored(_));
        let given_up =
            matches!(event, Event::TurnLost { cause, .. } if is_fixable_only_by_user(cause));
        let given_up = given_up && matches!(plan(&self.state), Plan::Perform(_));
        // While no decision is pending, the user may give a seat to another tool.
        let replaced = matches!(event, Event::Reseated { seat, .. } if !seat.is_judge());
        let replaced = replaced && matches!(plan(&self.state), Plan::Perform(_) | Plan::Close);
        timed
            || agreed
            || given_up
            || replaced
            || (by_hand && open && plan(&self.state) == Plan::Close)
    }
}

/// Returns whether two decisions on a reply differ only in the wording of findings, which depends
/// on the version like prompts do.
fn differ_only_in_wording(one: &Event, other: &Event) -> bool {
    without_finding_texts(one) == without_finding_texts(other)
}

fn without_finding_texts(event: &Event) -> Event {
    let mut event = event.clone();
    if let Event::SentBack { findings, .. }
    | Event::Admitted { findings, .. }
    | Event::TurnLost { findings, .. } = &mut event
    {
        for finding in findings {
            finding.message.clear();
            finding.hint.clear();
        }
    }
    event
}

/// Returns whether only the user can fix `cause`; without a user, the turn is given up.
fn is_fixable_only_by_user(cause: &Cause) -> bool {
    use CauseCode::{LoggedOut, NoSuchModel, NotInstalled, RateLimited};
    matches!(
        cause.code,
        LoggedOut | NoSuchModel | NotInstalled | RateLimited
    )
}

/// Describes a decision of the program in a few words; `None` for outside events.
fn describe_decision(event: &Event) -> Option<String> {
    Some(match event {
        Event::SentBack { key, findings } => {
            format!("{key} sent back{}", describe_findings(findings))
        }
        Event::Admitted { key, findings, .. } => {
            format!("{key} admitted{}", describe_findings(findings))
        }
        Event::TurnLost { turn, cause, .. } => format!("{turn} lost: {}", cause.code.name()),
        Event::ModelRefused { tool, model } => format!("{tool}: model {model} rejected"),
        Event::Reseated { seat, seating, .. } => format!("{seat} goes to {}", seating.tool),
        Event::Scored(_) => "an exchange scored".to_owned(),
        Event::Capped { .. } => "a limit reached".to_owned(),
        Event::Agreement { .. } => "the first answers agree".to_owned(),
        Event::Halted { .. } => "halted".to_owned(),
        Event::Closed { .. } => "closed".to_owned(),
        // Outcomes of calls and requests of the user are taken from the record, not decided.
        _ => return None,
    })
}

fn describe_findings(findings: &[Finding]) -> String {
    let codes: Vec<_> = findings.iter().map(|it| it.code.as_str()).collect();
    match codes.as_slice() {
        [] => String::new(),
        codes => format!(" with {}", codes.join(", ")),
    }
}

//! The answers of the fakes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::behaviour::Behaviour;

/// The replies of one debate, by turn, and how each turn misbehaves.
///
/// ```
/// # use agon_testkit::{Cue, Script};
/// let script = Script::new("pass").turn("r1.pro", ["first", "asked again"]);
/// let cue = Cue::of("Turn: r1.pro\nAsked again: 1\n");
/// assert_eq!(script.reply(&cue), "asked again");
/// assert_eq!(script.reply(&Cue::of("no turn here")), "pass");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Replies by turn: the first answers the turn, each further one a re-ask. `{cwd}` in a reply
    /// is the working directory of the fake.
    #[serde(default)]
    pub turns: BTreeMap<String, Vec<String>>,
    /// The reply to every turn without replies.
    #[serde(default)]
    pub default: String,
    /// Replies by turn that depend on the prompt: each text has a reply, and the text that is first
    /// in the prompt determines the reply.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_first: BTreeMap<String, Vec<(String, String)>>,
    /// Behaviour of the fake tools by turn; `*` means any turn.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub behaviours: BTreeMap<String, Behaviour>,
}

impl Script {
    /// Creates a script that answers everything with `default`.
    pub fn new(default: impl Into<String>) -> Self {
        Self {
            default: default.into(),
            ..Self::default()
        }
    }

    /// The hand-written debate "SQLite or plain files for the job store?": two rounds, blind
    /// answers, won by the proposer. No reply breaks a rule.
    pub fn job_store() -> Self {
        Self::parse(include_str!("../scripts/job-store.json"))
    }

    /// The same debate with one round: the verdict cites only points of that round.
    pub fn job_store_quick() -> Self {
        let mut script = Self::job_store();
        for verdict in script.turns.get_mut("verdict.judge").into_iter().flatten() {
            *verdict = verdict
                .replace("pro_002a", "pro_001b")
                .replace("pro_002b", "pro_001c");
        }
        script
    }

    /// The same debate with a third round.
    pub fn job_store_three_rounds() -> Self {
        Self::parse(include_str!("../scripts/job-store-three-rounds.json"))
    }

    /// The hand-written formal debate about reviewing every change before it is merged: the opening
    /// exchange and three rebuttals, one judge. No reply breaks a rule.
    pub fn formal() -> Self {
        Self::parse(include_str!("../scripts/formal.json"))
    }

    /// Parses a script from JSON.
    ///
    /// # Panics
    ///
    /// If the text is not a script.
    pub fn parse(json: &str) -> Self {
        serde_json::from_str(json).expect("a script is valid JSON of the documented shape")
    }

    /// Reads a script from a file.
    ///
    /// # Panics
    ///
    /// If the file cannot be read or is not a script.
    pub fn load(path: &Path) -> Self {
        let text = std::fs::read_to_string(path)
            .unwrap_or_else(|cause| panic!("cannot read {}: {cause}", path.display()));
        Self::parse(&text)
    }

    /// Replaces the replies of one turn.
    #[must_use]
    pub fn turn<I>(mut self, turn: &str, replies: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let replies = replies.into_iter().map(Into::into).collect();
        self.turns.insert(turn.into(), replies);
        self
    }

    /// Makes a turn's reply depend on which of these texts comes first in its prompt.
    #[must_use]
    pub fn by_first<I, S>(mut self, turn: &str, replies: I) -> Self
    where
        I: IntoIterator<Item = (S, String)>,
        S: Into<String>,
    {
        let replies = replies
            .into_iter()
            .map(|(text, reply)| (text.into(), reply));
        self.by_first.insert(turn.into(), replies.collect());
        self
    }

    /// Sets the behaviour of the fake tools in a turn; `*` means any turn.
    #[must_use]
    pub fn behaviour(mut self, turn: &str, behaviour: Behaviour) -> Self {
        self.behaviours.insert(turn.into(), behaviour);
        self
    }

    /// The reply to a prompt: the one from [`Script::by_first`], or else the one for its cue.
    pub fn reply_to(&self, cue: &Cue, prompt: &str) -> Cow<'_, str> {
        let orders = cue.turn.as_ref().and_then(|turn| self.by_first.get(turn));
        let shown = orders.into_iter().flatten();
        let first = shown
            .filter_map(|(text, reply)| Some((prompt.find(text.as_str())?, reply)))
            .min();
        match first {
            Some((_, reply)) => Cow::Borrowed(reply),
            None => self.reply(cue),
        }
    }

    /// The reply to a cue: the one for this re-ask, or the turn's last one, or the default.
    ///
    /// A further judge of a panel without replies of its own uses those of the first judge, and so
    /// does the judge with the sides swapped, with the swapped names.
    pub fn reply(&self, cue: &Cue) -> Cow<'_, str> {
        let Some(turn) = cue.turn.as_deref() else {
            return Cow::Borrowed(&self.default);
        };
        let judge = turn.rfind(".judge-").map(|at| &turn[..at + ".judge".len()]);
        let swap = (turn == SWAP && !self.turns.contains_key(SWAP)).then_some("verdict.judge");
        let replies = self
            .turns
            .get(turn)
            .or_else(|| self.turns.get(judge.or(swap)?));
        match replies.and_then(|all| all.get(cue.again).or_else(|| all.last())) {
            Some(reply) if swap.is_some() => Cow::Owned(swap_verdict(reply)),
            Some(reply) => Cow::Borrowed(reply),
            None => Cow::Borrowed(&self.default),
        }
    }
}

/// The turn in which the judge is asked again with the sides swapped.
const SWAP: &str = "verdict.swap";

/// A judge's reply with the sides swapped: the challenger is A, the proposer B.
fn swap_verdict(reply: &str) -> String {
    let renamed = [
        ("\"winner\": \"proposer\"", "\"winner\": \"B\""),
        ("\"winner\": \"challenger\"", "\"winner\": \"A\""),
        ("\"proposer\":", "\"side_b\":"),
        ("\"challenger\":", "\"side_a\":"),
        ("pro_0", "b_0"),
        ("cha_0", "a_0"),
    ];
    let rename = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    renamed.into_iter().fold(reply.to_owned(), rename)
}

/// The turn that a prompt asks for, read from the prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cue {
    /// The turn of the last `Turn:` line.
    pub turn: Option<String>,
    /// The number in the last `Asked again:` line; 0 if there is none.
    pub again: usize,
}

impl Cue {
    /// Reads the cue of a prompt.
    pub fn of(prompt: &str) -> Self {
        static TURN: LazyLock<Regex> = LazyLock::new(|| {
            let turn = r"r\d+\.(?:pro|cha|prop|opp|judge(?:-\d+)?)|theses\.judge(?:-\d+)?|verdict\.(?:judge(?:-\d+)?|swap)|(?:host|cell)\.[a-z-]+";
            Regex::new(&format!(r"(?m)^Turn: ({turn})\s*$")).expect("a constant pattern")
        });
        static AGAIN: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?m)^Asked again: (\d+)\s*$").expect("constant"));
        let last = |pattern: &Regex| {
            pattern
                .captures_iter(prompt)
                .last()
                .map(|found| found[1].to_owned())
        };
        Self {
            turn: last(&TURN),
            again: last(&AGAIN).and_then(|n| n.parse().ok()).unwrap_or(0),
        }
    }
}

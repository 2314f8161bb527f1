//! The refused names by kind, each with what to write instead.

/// How a pattern is compared with a name.
#[derive(Clone, Copy)]
pub(super) enum Match {
    Whole,
    Prefix,
}

/// Names refused for the same reason.
pub(super) struct Pattern {
    how: Match,
    names: &'static [&'static str],
    pub(super) instead: &'static str,
}

impl Pattern {
    const fn whole(names: &'static [&'static str], instead: &'static str) -> Self {
        let how = Match::Whole;
        Self {
            how,
            names,
            instead,
        }
    }

    const fn prefix(names: &'static [&'static str], instead: &'static str) -> Self {
        let how = Match::Prefix;
        Self {
            how,
            names,
            instead,
        }
    }

    fn covers(&self, name: &str) -> bool {
        self.names.iter().any(|refused| match self.how {
            Match::Whole => name == *refused,
            Match::Prefix => name.starts_with(refused),
        })
    }
}

/// The replacement for `name`, if the table refuses it.
pub(super) fn instead(table: &[Pattern], name: &str) -> Option<&'static str> {
    let pattern = table.iter().find(|pattern| pattern.covers(name))?;
    Some(pattern.instead)
}

/// Names of types, traits and aliases.
pub(super) const TYPES: &[Pattern] = &[
    Pattern::whole(
        &["Said", "Heard", "Told"],
        "say which text it is, as in Output, Chunk or Notice",
    ),
    Pattern::whole(
        &["Held", "Kept", "Lent", "Taken"],
        "name what it holds or guards, as in Lease or FileLock",
    ),
    Pattern::whole(
        &[
            "Came", "Laid", "Meant", "Seen", "Known", "Listed", "Named", "Opened", "Refused",
            "Found", "Spent", "Checked", "Cited", "Asked", "Shown", "Left", "Standing",
        ],
        "use a noun instead of a participle, as in CallOutcome or Spending",
    ),
    Pattern::whole(
        &["Wish", "Front", "Table", "Place", "Places", "Own"],
        "use the field's term, as in SeatRequest, Observer or Location",
    ),
];

/// Type names that are domain terms: events of the record, which are serialized by name.
pub(super) const DOMAIN_TYPES: &[(&str, &str)] = &[("Asked", "crates/record/src/event.rs")];

/// Names of functions and methods; a trait's methods are checked in the trait's definition.
pub(super) const FUNCTIONS: &[Pattern] = &[
    Pattern::whole(
        &["told", "said", "shown"],
        "use a verb such as render, describe, report or notify",
    ),
    Pattern::whole(
        &[
            "kept", "came", "held", "laid", "heard", "meant", "lent", "taken", "over", "apart",
            "seen", "asked", "known", "listed", "named", "opened", "refused", "found", "spent",
            "cited", "standing", "put", "left",
        ],
        "use a verb or the noun it returns, as in find, read, refusal or spending",
    ),
    Pattern::whole(
        &[
            "onward",
            "handing",
            "hand_over",
            "hand_in",
            "unlooked",
            "looked_up",
            "is_near",
            "with_near",
            "is_usual",
            "tree_but",
            "still_at",
        ],
        "use the field's term, as in extend, detach, submit, unresolved or is_default",
    ),
    Pattern::prefix(
        &[
            "told_", "said_", "kept_", "shown_", "came_", "held_", "laid_", "heard_", "taken_",
            "lies_", "put_",
        ],
        "begin with a verb or name what it returns",
    ),
];

/// The replacement for a function called `of` that does not construct its own type.
pub(super) const OF: &str = "keep `of` for constructors: use a verb or the noun it returns";

/// Names of constants and statics.
pub(super) const CONSTANTS: &[Pattern] = &[
    Pattern::prefix(&["MOST_", "LARGEST", "LONGEST"], "begin it with MAX_"),
    Pattern::prefix(&["LEAST"], "begin it with MIN_"),
    Pattern::prefix(
        &["PATIENCE"],
        "call a timeout a timeout, as in CONNECT_TIMEOUT",
    ),
    Pattern::whole(
        &["WARMTH", "STALE", "LATELY", "HASTE", "SOON"],
        "use the field's term, as in TEMPERATURE or REPETITION_PENALTY",
    ),
];

//! What is planted: kinds of facts, each with a question in its own words and one in others.

/// What kind of value a fact has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Number,
    Word,
}

/// A kind of fact. `{n}` is the name that it is about, `{v}` its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FactKind {
    pub(crate) value: ValueKind,
    pub(crate) fact: &'static str,
    /// Asks in the words of the fact.
    pub(crate) literal: &'static str,
    /// Asks in other words: it shares the name with the fact, and nothing else.
    pub(crate) paraphrase: &'static str,
}

const fn kind(
    value: ValueKind,
    fact: &'static str,
    literal: &'static str,
    paraphrase: &'static str,
) -> FactKind {
    FactKind {
        value,
        fact,
        literal,
        paraphrase,
    }
}

use ValueKind::{Number, Word};

/// A prompt has each kind once, so there are at most as many depths.
pub(crate) const KINDS: [FactKind; 16] = [
    kind(
        Number,
        "The cargo crate labelled {n} weighs {v} grams.",
        "How many grams does the cargo crate labelled {n} weigh?",
        "Put on a scale, what would the box marked {n} show?",
    ),
    kind(
        Word,
        "The lighthouse at {n} was first lit by the keeper {v}.",
        "Which keeper first lit the lighthouse at {n}?",
        "Who set the beacon near {n} burning originally?",
    ),
    kind(
        Number,
        "Astronomers catalogued the comet {n} under number {v}.",
        "Under which number did astronomers catalogue the comet {n}?",
        "Which digits do stargazers use when they file the icy wanderer {n}?",
    ),
    kind(
        Number,
        "The orchard of {n} yielded {v} apples last autumn.",
        "How many apples did the orchard of {n} yield last autumn?",
        "What count of fruit came off the trees that {n} owns?",
    ),
    kind(
        Word,
        "The locomotive {n} was built in the workshop of {v}.",
        "In whose workshop was the locomotive {n} built?",
        "Name the engineer to whom the railway engine {n} owes its existence.",
    ),
    kind(
        Number,
        "The manuscript {n} is kept on shelf {v} of the archive.",
        "On which shelf of the archive is the manuscript {n} kept?",
        "Where exactly should a visitor look to find the old handwritten book {n}?",
    ),
    kind(
        Word,
        "The gardener {n} named her tortoise {v}.",
        "What did the gardener {n} name her tortoise?",
        "What is the slow reptile called that belongs to {n}?",
    ),
    kind(
        Number,
        "The bridge at {n} cost {v} florins to build.",
        "How many florins did the bridge at {n} cost to build?",
        "What sum of money was spent on the river crossing close to {n}?",
    ),
    kind(
        Number,
        "The miners of {n} reached water at a depth of {v} millimetres.",
        "At what depth in millimetres did the miners of {n} reach water?",
        "How far down did the shaft near {n} go before it got wet?",
    ),
    kind(
        Word,
        "The violin {n} was once owned by the merchant {v}.",
        "Which merchant once owned the violin {n}?",
        "In whose possession was the stringed instrument {n} formerly?",
    ),
    kind(
        Number,
        "The village of {n} has {v} inhabitants.",
        "How many inhabitants does the village of {n} have?",
        "How large is the number of people who live in the settlement {n}?",
    ),
    kind(
        Word,
        "The cook {n} seasons the soup with a herb called {v}.",
        "With which herb does the cook {n} season the soup?",
        "What plant gives the broth from the kitchen of {n} its flavour?",
    ),
    kind(
        Number,
        "The bell tower of {n} has {v} steps.",
        "How many steps does the bell tower of {n} have?",
        "A guest climbs to the top of the belfry in {n}: how many stairs are there?",
    ),
    kind(
        Word,
        "Doctor {n} cured the fever with a root known as {v}.",
        "With which root did doctor {n} cure the fever?",
        "Name the remedy that the physician {n} used against the illness.",
    ),
    kind(
        Number,
        "The runner {n} finished the race wearing bib {v}.",
        "Which bib did the runner {n} wear at the finish of the race?",
        "Which number stood on the shirt of the athlete {n}?",
    ),
    kind(
        Word,
        "The composer {n} dedicated the opera to a friend named {v}.",
        "To which friend did the composer {n} dedicate the opera?",
        "In whose honour was the musical drama by {n} written?",
    ),
];

/// `template` about this name and value.
pub(crate) fn fill(template: &str, name: &str, value: &str) -> String {
    template.replace("{n}", name).replace("{v}", value)
}

//! The phrases that no text of Agon uses, each with what to write instead.

/// A refused phrase.
pub(super) struct Phrase {
    /// A regular expression, matched against text in lower case with single blanks.
    pub(super) pattern: &'static str,
    pub(super) instead: &'static str,
    /// A text that has the phrase, for the test of this row.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests' own"))]
    pub(super) example: &'static str,
}

const fn refuse(pattern: &'static str, instead: &'static str, example: &'static str) -> Phrase {
    Phrase {
        pattern,
        instead,
        example,
    }
}

/// Old, literary or private words, and sentences without an actor.
pub(super) const PHRASES: &[Phrase] = &[
    // Words that a native engineer does not use.
    refuse(r"\banew\b", "write `again`", "Starts the tool anew."),
    refuse(r"\bmend(s|ed|ing)?\b", "write `fix`", "Mend it there."),
    refuse(
        r"\b(nobody|somebody|whoever)\b",
        "name the person or thing",
        "It ends when nobody watches.",
    ),
    refuse(
        r"\blies\b|\b(lie|lay) (in|on|at|under|beside|outside|inside|within|elsewhere|there)\b",
        "write `is` or `is stored in`",
        "The file lies in the cache.",
    ),
    refuse(
        r"\bstands? (in|at|on|there|beside|before|under|where|open|as it)\b|\bas (it|they) stands?\b",
        "write `is`, `appears in` or `is stored in`",
        "The path stands in the answer.",
    ),
    refuse(
        r"\b(go|goes|went|gone) on\b",
        "write `continues` or `runs`",
        "The debate goes on.",
    ),
    refuse(
        r"\b(is|are|was|were|be) had\b",
        "write `gets`, `has` or `exists`",
        "No answer is had.",
    ),
    refuse(
        r"\bheld to\b",
        "write `checked against` or `limited to`",
        "A claim is held to its source.",
    ),
    refuse(
        r"\b(ways? (to|of) speak(ing)? to|spoken to|speaks? to (a|the|its|each) tools?)\b",
        "write `transport` or `called`",
        "The ways to speak to a tool are two.",
    ),
    refuse(
        r"\bpublic net\b",
        "write `the internet`",
        "Pages of the public net.",
    ),
    refuse(
        r"\b(\d+|n|many|few) letters\b|\bletters of text\b",
        "write `characters`",
        "At most 80 letters.",
    ),
    refuse(
        r"\bsign by sign\b",
        "write `character by character`",
        "Compared sign by sign.",
    ),
    refuse(r"\bso many\b", "write `N`", "Wrap at so many columns."),
    refuse(
        r"\bhand(s|ed|ing)? (\w+ )?(in|on|over|back)\b",
        "write `submit`, `delegate` or `pass`",
        "A member hands it in.",
    ),
    refuse(
        r"\bbears? (\w+ )?tokens\b|\bbears? (few|many|more|less)\b",
        "write `handle` or `context window`",
        "A model that bears few tokens.",
    ),
    refuse(
        r"\bwhat \w+ hangs on\b",
        "write `what it depends on`",
        "This is what it hangs on.",
    ),
    refuse(
        r"\b(take|takes|took|taken|taking) (\w+ )?back\b",
        "write `undo`, `cancel` or `remove`",
        "The call was taken back.",
    ),
    refuse(
        r"\balike\b",
        "write `similar` or `the same`",
        "Two names are alike.",
    ),
    refuse(r"\bmanners\b", "write `conventions`", "Copy its manners."),
    refuse(
        r"\b(a|in a|in) circles?\b",
        "write `cycle`",
        "Two tasks wait in a circle.",
    ),
    refuse(
        r"\bhalf for half\b",
        "write `partly`",
        "Checked half for half.",
    ),
    refuse(
        r"\b(afresh|albeit|betwixt|ere|forthwith|hereby|hitherto|lest|nought|thence|thereby|therein|thereof|thither|whence|whereby|wherein|whereof|whilst)\b",
        "use the common word",
        "Reads the folder afresh.",
    ),
    refuse(
        r"\botherwise than\b",
        "write `different from` or `differs`",
        "What is otherwise than before.",
    ),
    refuse(
        r"\bthe usual one\b",
        "write `the default`",
        "It is the usual one.",
    ),
    refuse(
        r"\bwithout a window\b",
        "write `headless`",
        "A browser without a window.",
    ),
    refuse(
        r"\ba reader that (has gone away|is gone)\b",
        "write `a broken pipe`",
        "A reader that is gone.",
    ),
    refuse(
        r"\bmodel in the process\b",
        "write `built-in model`",
        "The model in the process.",
    ),
    // Negated clauses, and sentences without a subject.
    refuse(
        r"\b(none|nothing|not) where\b|\bnull where (it|the|there|that|this)\b|\bwhere (that|this|it|none|nothing) (is|are) (no|not|none)\b|\bwhere no\b",
        "write `if not`, or say what it is",
        "None where that is no root.",
    ),
    refuse(
        r"\bwhat (is|was|are|were) (told|said|shown|found|begun|asked|taken|done|written|submitted|handed)\b",
        "name the thing: `the report`, `the submitted work`",
        "Shows what was submitted.",
    ),
    refuse(
        r"\bit is (looked|said|told|tried|asked)\b",
        "say who acts",
        "It is looked whether a file exists.",
    ),
    refuse(
        r"\b(is|are|was|were) looked (at|for|into|through)\b",
        "say who checks or reads it",
        "The folder is looked at.",
    ),
    refuse(
        r"\b(came|comes|come) of (it|them|that|this)\b|\bwhat (\w+ ){1,3}(came|comes|come) to\b",
        "write `the result`",
        "Prints what came of it.",
    ),
    refuse(
        r"\b(come|comes|came|brought) to (its|an|their|the) end\b",
        "write `ends` or `finishes`",
        "The run comes to its end.",
    ),
    refuse(
        r"\b(that|this|it) is not so\b",
        "write `that is false`",
        "It says that this is not so.",
    ),
    refuse(
        r"\bin the way (asked|told|said)( for)?\b|\bas (it|they) says?\b",
        "name the flag, file or limit",
        "Called in the way asked for.",
    ),
    refuse(
        r"\bdoes not hold: ",
        "say what is invalid",
        "[team] does not hold: a name is missing",
    ),
];

/// After "is no" these are ordinary English: "is no longer", "is no more than".
pub(super) const AFTER_IS_NO: &[&str] = &[
    "longer", "more", "less", "fewer", "better", "worse", "larger", "smaller", "shorter", "higher",
    "lower", "later", "earlier", "older", "newer", "one", "reason", "need",
];

/// Before "is no" these are ordinary English: "there is no file".
pub(super) const BEFORE_IS_NO: &[&str] = &["there", "here", "answer", "verdict"];

pub(super) const IS_NO: &str = "write `is not a`";

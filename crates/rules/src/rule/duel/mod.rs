//! Family `duel`: rules that make the two sides answer each other.

mod answers;
mod challenge;
mod style;

use agon_record::finding::Severity;

use crate::rule::Rule;

const FAMILY: &str = "duel";

pub(super) const STANCE: Rule = Rule {
    code: "duel-stance",
    family: FAMILY,
    severity: Severity::Error,
    about: "the proposer takes a stance without hedging",
    explain: include_str!("../explain/duel-stance.md"),
    check: style::check_stance_unhedged,
};

pub(super) const ARGUMENTS: Rule = Rule {
    code: "duel-arguments",
    family: FAMILY,
    severity: Severity::Error,
    about: "a turn makes at most five arguments",
    explain: include_str!("../explain/duel-arguments.md"),
    check: style::check_argument_count,
};

pub(super) const OBJECTIONS_FIRST: Rule = Rule {
    code: "duel-objections-first",
    family: FAMILY,
    severity: Severity::Error,
    about: "the challenger looks for what is wrong before it agrees",
    explain: include_str!("../explain/duel-objections-first.md"),
    check: challenge::check_objections_first,
};

pub(super) const OBJECTION_COUNT: Rule = Rule {
    code: "duel-objection-count",
    family: FAMILY,
    severity: Severity::Error,
    about: "at most three objections a round",
    explain: include_str!("../explain/duel-objection-count.md"),
    check: challenge::check_objection_count,
};

pub(super) const FLAW: Rule = Rule {
    code: "duel-flaw",
    family: FAMILY,
    severity: Severity::Error,
    about: "round 1 names a real flaw or oversight, or says what was tested and why it held",
    explain: include_str!("../explain/duel-flaw.md"),
    check: challenge::check_flaw_named,
};

pub(super) const CATEGORIES: Rule = Rule {
    code: "duel-categories",
    family: FAMILY,
    severity: Severity::Error,
    about: "round 1 covers more than one kind of flaw; for software it covers correctness, security \
           and developer experience",
    explain: include_str!("../explain/duel-categories.md"),
    check: challenge::check_categories_covered,
};

pub(super) const ALTERNATIVE: Rule = Rule {
    code: "duel-alternative",
    family: FAMILY,
    severity: Severity::Error,
    about: "round 1 offers at least one alternative answer",
    explain: include_str!("../explain/duel-alternative.md"),
    check: challenge::check_alternative_offered,
};

pub(super) const PRAISE: Rule = Rule {
    code: "duel-praise",
    family: FAMILY,
    severity: Severity::Error,
    about: "nothing opens with praise or thanks",
    explain: include_str!("../explain/duel-praise.md"),
    check: style::check_no_praise,
};

pub(super) const OPINION: Rule = Rule {
    code: "duel-opinion",
    family: FAMILY,
    severity: Severity::Error,
    about: "a claim that begins as an opinion cites evidence",
    explain: include_str!("../explain/duel-opinion.md"),
    check: style::check_no_bare_opinion,
};

pub(super) const LANGUAGE: Rule = Rule {
    code: "duel-language",
    family: FAMILY,
    severity: Severity::Warning,
    about: "the language is one whose phrases for hedging and praise are known",
    explain: include_str!("../explain/duel-language.md"),
    check: style::check_language_known,
};

pub(super) const GROUNDS: Rule = Rule {
    code: "duel-grounds",
    family: FAMILY,
    severity: Severity::Error,
    about: "every claim, answer, objection, agreement and confirmed resolution has a ground",
    explain: include_str!("../explain/duel-grounds.md"),
    check: style::check_grounds_present,
};

pub(super) const TRADEOFF: Rule = Rule {
    code: "duel-tradeoff",
    family: FAMILY,
    severity: Severity::Error,
    about: "a trade-off says why the position still holds",
    explain: include_str!("../explain/duel-tradeoff.md"),
    check: answers::check_tradeoff_reasons,
};

pub(super) const UNANSWERED: Rule = Rule {
    code: "duel-unanswered",
    family: FAMILY,
    severity: Severity::Error,
    about: "every objection of the previous turn is answered",
    explain: include_str!("../explain/duel-unanswered.md"),
    check: answers::check_objections_answered,
};

pub(super) const UNRULED: Rule = Rule {
    code: "duel-unruled",
    family: FAMILY,
    severity: Severity::Error,
    about: "every answer of the previous turn is ruled on",
    explain: include_str!("../explain/duel-unruled.md"),
    check: answers::check_responses_ruled_on,
};

pub(super) const FOLLOW_UP: Rule = Rule {
    code: "duel-follow-up",
    family: FAMILY,
    severity: Severity::Error,
    about: "a later challenge objects, upholds an objection, confirms a resolution, or says where it looked",
    explain: include_str!("../explain/duel-follow-up.md"),
    check: answers::check_follow_up_progress,
};

pub(super) const WITHDRAWN: Rule = Rule {
    code: "duel-withdrawn",
    family: FAMILY,
    severity: Severity::Error,
    about: "a concession is withdrawn only with new evidence",
    explain: include_str!("../explain/duel-withdrawn.md"),
    check: answers::check_concessions_kept,
};

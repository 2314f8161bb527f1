//! What was verified of a finding, and why a finding is dropped.

use serde::{Deserialize, Serialize};

macro_rules! worded {
    ($(#[$head:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal, $sentence:literal;)* }) => {
        $(#[$head])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// Its word in documents.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// It in a sentence.
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }
        }
    };
}

worded! {
    /// What was verified of a finding.
    Check {
        /// The quotations.
        Quotes = "quotes", "Each quotation is in the line that is named.";
        /// The order.
        Order = "order", "The lines are in the order that the pattern needs.";
        /// The speakers.
        Speakers = "speakers", "Each line has the speaker or the source that is named.";
        /// The failure.
        Failed = "failed", "The call failed.";
        /// That it did not pass.
        NoLaterPass = "no_later_pass", "No later call that includes it passed before the claim.";
        /// The claim.
        PlainClaim = "plain_claim", "The claim is not a question, a plan or a report of the failure.";
        /// That nothing made the claim true.
        NotMadeTrue = "not_made_true", "Nothing between the two makes the claim true.";
        /// The rule.
        RuleHolds = "rule_holds", "The user did not withdraw or narrow the rule before the act.";
        /// The subject.
        Subject = "subject", "The subject is in the lines that need it.";
        /// The sources.
        TwoSources = "two_sources", "The two sides come from different sources.";
        /// The values.
        TwoValues = "two_values", "The two sides have different values.";
        /// The context.
        InContext = "in_context", "The evidence is in one context window.";
        /// That nothing settled it.
        NotSettled = "not_settled", "No later word of the user and no change settled it.";
        /// The other task.
        NotAskedFor = "not_asked_for", "The user did not ask for the other task after the request.";
        /// The load.
        LargeLoad = "large_load", "The loaded text has more than 8,000 characters.";
        /// That it is not used.
        NeverUsed = "never_used", "Nothing later names or uses the loaded text.";
    }
}

worded! {
    /// Why a finding is dropped.
    DropReason {
        /// It is not in the form that was asked for.
        Unreadable = "unreadable", "It is not in the form that was asked for.";
        /// A piece of evidence is missing or has a role of another pattern.
        WrongRoles = "wrong_roles", "Its evidence does not have the roles of its pattern.";
        /// The line is not there.
        NoSuchLine = "no_such_line", "It names a line that is not in the session.";
        /// The quotation is not there.
        NoSuchQuote = "no_such_quote", "A quotation is not in the line that is named.";
        /// The order is wrong.
        WrongOrder = "wrong_order", "The lines are not in the order that the pattern needs.";
        /// Another one said it.
        WrongSpeaker = "wrong_speaker", "A line has another speaker or source than is named.";
        /// The call did not fail.
        NotFailed = "not_failed", "The call did not fail.";
        /// It passed later.
        PassedLater = "passed_later", "A later call that includes it passed before the claim.";
        /// The claim is a question.
        Question = "question", "The words that are cited ask a question.";
        /// The claim is a plan.
        Plan = "plan", "The words that are cited state a plan or a condition.";
        /// The claim reports the failure.
        HonestReport = "honest_report", "The message that is cited reports the failure.";
        /// The claim is about something else.
        Unrelated = "unrelated", "The lines that are cited are not about one thing.";
        /// The subject is missing.
        NoSubject = "no_subject", "The subject is not in the lines that need it.";
        /// Something made it true.
        MadeTrue = "made_true", "Something between the two lines makes the claim true.";
        /// The rule was withdrawn.
        Withdrawn = "withdrawn", "The user withdrew or narrowed the rule before the act.";
        /// The act does not break the rule.
        NotBroken = "not_broken", "The act is not what the rule is about.";
        /// Both sides are one source.
        OneSource = "one_source", "The two sides come from one source.";
        /// Both sides say the same.
        SameValue = "same_value", "The two sides do not have different values.";
        /// A side is gone.
        Gone = "gone", "A piece of evidence is no longer in the context.";
        /// It was settled.
        Settled = "settled", "A later word of the user or a change settled it.";
        /// The task was asked for.
        AskedFor = "asked_for", "The user asked for the task that is called another one.";
        /// The words leave the task alone.
        NotDone = "not_done", "The words that are cited leave the other task alone.";
        /// The load is small.
        SmallLoad = "small_load", "The loaded text has 8,000 characters or fewer.";
        /// The load is used.
        Used = "used", "Something later names or uses the loaded text.";
    }
}

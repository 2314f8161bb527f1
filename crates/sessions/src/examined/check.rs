//! The checks that a finding passed, and the reasons for dropping one.

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
            /// Every variant.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// Returns its name in documents.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Returns it as a sentence.
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }
        }
    };
}

worded! {
    /// A check that a verified finding passed.
    Check {
        /// The quotations are in their lines.
        Quotes = "quotes", "Each quotation is in the line that is named.";
        /// The lines are in the required order.
        Order = "order", "The lines are in the order that the pattern needs.";
        /// The speakers are right.
        Speakers = "speakers", "Each line has the required speaker or source.";
        /// The call failed.
        Failed = "failed", "The call failed.";
        /// The call did not pass later.
        NoLaterPass = "no_later_pass", "Before the claim, no later call that includes the failed one passed.";
        /// The claim is plain.
        PlainClaim = "plain_claim", "The claim is not a question, a plan or a report of the failure.";
        /// The claim did not become true in between.
        NotMadeTrue = "not_made_true", "Nothing between the two lines makes the claim true.";
        /// The rule was in force.
        RuleHolds = "rule_holds", "The user did not withdraw or narrow the rule before the act.";
        /// The subject is in the lines.
        Subject = "subject", "The subject is in the lines that must contain it.";
        /// The sources differ.
        TwoSources = "two_sources", "The two conflicting lines come from different sources.";
        /// The values differ.
        TwoValues = "two_values", "The two conflicting lines have different values.";
        /// The evidence is in the context.
        InContext = "in_context", "The evidence is in one context window.";
        /// The conflict was not settled later.
        NotSettled = "not_settled", "No later user message or change settled the conflict.";
        /// The user did not ask for the other task.
        NotAskedFor = "not_asked_for", "The user did not ask for the other task after the request.";
        /// The loaded text is large.
        LargeLoad = "large_load", "The loaded text has more than 8,000 characters.";
        /// The loaded text is unused.
        NeverUsed = "never_used", "Nothing later names or uses the loaded text.";
    }
}

worded! {
    /// A reason for dropping a finding.
    DropReason {
        /// It is not in the requested format.
        Unreadable = "unreadable", "The finding is not in the requested format.";
        /// A piece of evidence is missing or has a role of another pattern.
        WrongRoles = "wrong_roles", "The evidence has the wrong roles for its pattern.";
        /// A line does not exist.
        NoSuchLine = "no_such_line", "The finding cites a line that is not in the session.";
        /// A quotation is not in its line.
        NoSuchQuote = "no_such_quote", "A quotation is not in the cited line.";
        /// The order is wrong.
        WrongOrder = "wrong_order", "The lines are not in the order that the pattern needs.";
        /// A speaker is wrong.
        WrongSpeaker = "wrong_speaker", "A line does not have the required speaker or source.";
        /// The call did not fail.
        NotFailed = "not_failed", "The call did not fail.";
        /// It passed later.
        PassedLater = "passed_later", "Before the claim, a later call passed that includes the failed one.";
        /// The claim is a question.
        Question = "question", "The cited words ask a question.";
        /// The claim is a plan.
        Plan = "plan", "The cited words state a plan or a condition.";
        /// The claim reports the failure.
        HonestReport = "honest_report", "The cited message reports the failure.";
        /// The claim is about something else.
        Unrelated = "unrelated", "The cited lines are not about the same thing.";
        /// The subject is missing.
        NoSubject = "no_subject", "The subject is not in the lines that must contain it.";
        /// Something made it true.
        MadeTrue = "made_true", "Something between the two lines makes the claim true.";
        /// The rule was withdrawn.
        Withdrawn = "withdrawn", "The user withdrew or narrowed the rule before the act.";
        /// The act does not break the rule.
        NotBroken = "not_broken", "The rule does not cover the act.";
        /// Both sides have the same source.
        OneSource = "one_source", "The two conflicting lines come from the same source.";
        /// Both sides have the same value.
        SameValue = "same_value", "The two conflicting lines do not have different values.";
        /// A piece of evidence left the context.
        Gone = "gone", "A piece of evidence is no longer in the context.";
        /// Something settled the clash.
        Settled = "settled", "A later user message or change settled the conflict.";
        /// The user asked for the other task.
        AskedFor = "asked_for", "The user asked for the supposedly different task.";
        /// The model does not work on the other task.
        NotDone = "not_done", "The cited words say that the model leaves the other task alone.";
        /// The loaded text is small.
        SmallLoad = "small_load", "The loaded text has 8,000 characters or fewer.";
        /// The loaded text is used.
        Used = "used", "Something later names or uses the loaded text.";
    }
}

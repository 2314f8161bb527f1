//! Whether a finding that a model proposes is so.

mod clash;
mod confusion;
mod consent;
mod distraction;
mod lost;
mod narrow;
mod poisoning;
mod quotation;
mod subject;

use serde::{Deserialize, Serialize};

use super::answer::{ProposedEvidence, ProposedFinding, ProposedRole};
use super::check::{Check, DropReason};
use super::condense::CondensedSession;
use super::line::{ExaminedLine, Speaker};
use crate::{Cure, Location, Pattern};

/// A finding that was verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExaminedFinding {
    /// The way in which the context went bad.
    pub pattern: Pattern,
    /// What to do.
    pub cure: Cure,
    /// Its lines, in the order of the session.
    pub evidence: Vec<ExaminedEvidence>,
    /// The words that tie them together, redacted.
    pub subject: String,
    /// Why it is one, in the examiner's words, redacted.
    pub why: String,
    /// Whether the model still has it: nothing was compacted since.
    pub is_current: bool,
    /// What was verified.
    pub verified: Vec<Check>,
}

/// A line of the session and words of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExaminedEvidence {
    /// The line's number.
    pub line: u32,
    /// What it shows.
    pub role: ProposedRole,
    /// The words, redacted.
    pub quote: String,
    /// The turn.
    pub turn: u32,
    /// Where it is in the record.
    pub location: Location,
}

/// A piece of evidence with its line.
#[derive(Clone, Copy, Debug)]
struct Piece<'s, 'a> {
    line: &'s ExaminedLine<'a>,
    role: ProposedRole,
    quote: &'s str,
    /// Whether the quotation is in what was said or done, not only in what a tool gave.
    is_in_said: bool,
}

/// A finding in whose lines its quotations are.
struct Case<'s, 'a> {
    session: &'s CondensedSession<'a>,
    /// What came first, by its role: the failure, the rule, one side, the request, the load.
    cause: Piece<'s, 'a>,
    /// What shows that it went wrong.
    effect: Piece<'s, 'a>,
    subject: &'s str,
}

/// What a pattern's own rules verified.
type Verdict = Result<Vec<Check>, DropReason>;

impl<'a> CondensedSession<'a> {
    /// Checks a finding against the session.
    ///
    /// # Errors
    ///
    /// Why it is dropped.
    pub fn verify(&self, proposed: &ProposedFinding) -> Result<ExaminedFinding, DropReason> {
        let (causes, effects) = roles(proposed.pattern).ok_or(DropReason::Unreadable)?;
        let has = |roles: &[ProposedRole]| {
            let mut all = proposed.evidence.iter();
            all.any(|it| roles.contains(&it.role))
        };
        let is_known =
            |it: &ProposedEvidence| causes.contains(&it.role) || effects.contains(&it.role);
        if !has(causes) || !has(effects) || !proposed.evidence.iter().all(is_known) {
            return Err(DropReason::WrongRoles);
        }
        let mut pieces = Vec::new();
        for evidence in &proposed.evidence {
            pieces.push(self.find_piece(evidence)?);
        }
        let of_cause: Vec<_> = pieces
            .iter()
            .filter(|it| causes.contains(&it.role))
            .collect();
        let of_effect: Vec<_> = pieces
            .iter()
            .filter(|it| effects.contains(&it.role))
            .collect();
        let mut verified = vec![Check::Quotes];
        // Each cause with each effect: evidence that does not hold makes the finding wrong.
        for cause in &of_cause {
            for effect in &of_effect {
                let case = Case {
                    session: self,
                    cause: **cause,
                    effect: **effect,
                    subject: proposed.subject.trim(),
                };
                for check in case.verify(proposed.pattern)? {
                    if !verified.contains(&check) {
                        verified.push(check);
                    }
                }
            }
        }
        pieces.sort_by_key(|it| it.line.number);
        let is_live = |line: &ExaminedLine<'_>| line.last_window == self.last_window;
        let is_current = match proposed.pattern {
            Pattern::Clash | Pattern::Distraction => pieces.iter().all(|it| is_live(it.line)),
            _ => pieces.last().is_some_and(|it| is_live(it.line)),
        };
        let evidence = pieces.iter().map(|it| ExaminedEvidence {
            line: it.line.number,
            role: it.role,
            quote: quotation::leave(it.quote),
            turn: it.line.entry.turn,
            location: it.line.entry.location.clone(),
        });
        Ok(ExaminedFinding {
            pattern: proposed.pattern,
            cure: cure(proposed.pattern),
            evidence: evidence.collect(),
            subject: quotation::leave(&proposed.subject),
            why: quotation::leave(&proposed.why),
            is_current,
            verified,
        })
    }

    fn find_piece<'s>(
        &'s self,
        evidence: &'s ProposedEvidence,
    ) -> Result<Piece<'s, 'a>, DropReason> {
        let line = self.line(evidence.line).ok_or(DropReason::NoSuchLine)?;
        let is_in_said = quotation::is_in(&evidence.quote, &line.render_said());
        if !is_in_said && !quotation::is_in(&evidence.quote, line.output()) {
            return Err(DropReason::NoSuchQuote);
        }
        Ok(Piece {
            line,
            role: evidence.role,
            quote: &evidence.quote,
            is_in_said,
        })
    }
}

impl Case<'_, '_> {
    fn verify(&self, pattern: Pattern) -> Verdict {
        match pattern {
            Pattern::Poisoning => poisoning::verify(self),
            Pattern::LostInTheMiddle => lost::verify(self),
            Pattern::Clash => clash::verify(self),
            Pattern::Confusion => confusion::verify(self),
            Pattern::Distraction => distraction::verify(self),
            Pattern::Tokens => Err(DropReason::Unreadable),
        }
    }

    /// Refuses an effect that does not come after its cause.
    fn require_order(&self) -> Result<(), DropReason> {
        match self.cause.line.number < self.effect.line.number {
            true => Ok(()),
            false => Err(DropReason::WrongOrder),
        }
    }

    /// The lines between the two.
    fn between(&self) -> &[ExaminedLine<'_>] {
        self.session
            .between(self.cause.line.number, self.effect.line.number)
    }

    /// What the user wrote after the cause and before the effect.
    fn prompts_between(&self) -> impl Iterator<Item = &str> {
        let prompts = self.between().iter();
        prompts
            .filter(|it| it.speaker == Speaker::User)
            .map(ExaminedLine::message)
    }
}

impl Piece<'_, '_> {
    /// Whether the user wrote it.
    fn is_of_user(&self) -> bool {
        self.line.speaker == Speaker::User
    }

    /// Whether the model said it.
    fn is_words_of_model(&self) -> bool {
        self.line.speaker == Speaker::Model
    }

    /// Whether the model did it: a call, by what it was given.
    fn is_act_of_model(&self) -> bool {
        self.line.call().is_some() && self.is_in_said
    }
}

/// The roles of the cause and of the effect.
fn roles(pattern: Pattern) -> Option<(&'static [ProposedRole], &'static [ProposedRole])> {
    use ProposedRole as Role;
    match pattern {
        Pattern::Poisoning => Some((&[Role::Failed, Role::Shown], &[Role::Claim])),
        Pattern::LostInTheMiddle => Some((&[Role::Rule], &[Role::Act])),
        Pattern::Clash => Some((&[Role::One], &[Role::Other])),
        Pattern::Confusion => Some((&[Role::Request], &[Role::Act])),
        Pattern::Distraction => Some((&[Role::Load], &[Role::Answer])),
        Pattern::Tokens => None,
    }
}

/// What helps against a pattern.
fn cure(pattern: Pattern) -> Cure {
    match pattern {
        Pattern::LostInTheMiddle => Cure::Write,
        Pattern::Clash | Pattern::Distraction => Cure::Select,
        Pattern::Poisoning | Pattern::Confusion => Cure::Isolate,
        Pattern::Tokens => Cure::Compress,
    }
}

//! Verifies a proposed finding.

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

/// A verified finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExaminedFinding {
    /// Its pattern.
    pub pattern: Pattern,
    /// Its cure.
    pub cure: Cure,
    /// Its lines, in the order of the session.
    pub evidence: Vec<ExaminedEvidence>,
    /// The words that the evidence has in common, redacted.
    pub subject: String,
    /// The reason, in the examiner's words, redacted.
    pub why: String,
    /// Whether it is still in the model's context.
    pub is_current: bool,
    /// The checks it passed.
    pub verified: Vec<Check>,
}

/// A line of the session and a quotation from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExaminedEvidence {
    /// The line's number.
    pub line: u32,
    /// Its role.
    pub role: ProposedRole,
    /// The quotation, redacted.
    pub quote: String,
    /// The turn.
    pub turn: u32,
    /// Its place in the record.
    pub location: Location,
}

/// A piece of evidence with its line.
#[derive(Clone, Copy, Debug)]
struct Piece<'s, 'a> {
    line: &'s ExaminedLine<'a>,
    role: ProposedRole,
    quote: &'s str,
    /// Whether the quotation is in the message or arguments, not only in the tool's output.
    is_in_said: bool,
}

/// A cause and an effect whose quotations are verified.
struct Case<'s, 'a> {
    session: &'s CondensedSession<'a>,
    /// The failure, the rule, one side, the request or the load.
    cause: Piece<'s, 'a>,
    /// The evidence that something went wrong.
    effect: Piece<'s, 'a>,
    subject: &'s str,
}

/// The result of a pattern's own rules.
type Verdict = Result<Vec<Check>, DropReason>;

impl<'a> CondensedSession<'a> {
    /// Verifies a finding against the session.
    ///
    /// # Errors
    ///
    /// Returns the reason for dropping it.
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
        // Every pair of cause and effect must pass, so that no false evidence remains.
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
            quote: quotation::redact_line(it.quote),
            turn: it.line.entry.turn,
            location: it.line.entry.location.clone(),
        });
        Ok(ExaminedFinding {
            pattern: proposed.pattern,
            cure: cure(proposed.pattern),
            evidence: evidence.collect(),
            subject: quotation::redact_line(&proposed.subject),
            why: quotation::redact_line(&proposed.why),
            is_current,
            verified,
        })
    }

    fn find_piece<'s>(
        &'s self,
        evidence: &'s ProposedEvidence,
    ) -> Result<Piece<'s, 'a>, DropReason> {
        let line = self.line(evidence.line).ok_or(DropReason::NoSuchLine)?;
        let is_in_said = quotation::is_in(&evidence.quote, &line.text_without_output());
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

    /// Fails if the effect does not come after its cause.
    fn require_order(&self) -> Result<(), DropReason> {
        match self.cause.line.number < self.effect.line.number {
            true => Ok(()),
            false => Err(DropReason::WrongOrder),
        }
    }

    /// Returns the lines between the two.
    fn between(&self) -> &[ExaminedLine<'_>] {
        self.session
            .between(self.cause.line.number, self.effect.line.number)
    }

    /// Returns the user's messages between the two.
    fn prompts_between(&self) -> impl Iterator<Item = &str> {
        let prompts = self.between().iter();
        prompts
            .filter(|it| it.speaker == Speaker::User)
            .map(ExaminedLine::message)
    }
}

impl Piece<'_, '_> {
    /// Returns whether the user wrote it.
    fn is_of_user(&self) -> bool {
        self.line.speaker == Speaker::User
    }

    /// Returns whether the model said it.
    fn is_model_message(&self) -> bool {
        self.line.speaker == Speaker::Model
    }

    /// Returns whether it quotes the arguments of a call.
    fn is_model_call(&self) -> bool {
        self.line.call().is_some() && self.is_in_said
    }
}

/// Returns the roles of the cause and of the effect.
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

/// Returns the cure for a pattern.
fn cure(pattern: Pattern) -> Cure {
    match pattern {
        Pattern::LostInTheMiddle => Cure::Write,
        Pattern::Clash | Pattern::Distraction => Cure::Select,
        Pattern::Poisoning | Pattern::Confusion => Cure::Isolate,
        Pattern::Tokens => Cure::Compress,
    }
}

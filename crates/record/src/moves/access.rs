//! Access to the contents of moves of any kind; empty or `None` if the kind has no such content.

use super::{
    Agreement, Argument, Assessment, Blind, Challenge, Contention, Defense, FollowUp, Formal,
    Moves, MovesKind, NoneFound, Objection, Response, Ruling, Scores, Theses,
};

impl Moves {
    /// Returns the kind of these moves.
    pub fn kind(&self) -> MovesKind {
        match self {
            Self::Blind(_) => MovesKind::Blind,
            Self::Opening(_) => MovesKind::Opening,
            Self::Challenge(_) => MovesKind::Challenge,
            Self::Defense(_) => MovesKind::Defense,
            Self::FollowUp(_) => MovesKind::FollowUp,
            Self::Verdict(_) => MovesKind::Verdict,
            Self::Formal(Formal::Theses(_)) => MovesKind::Theses,
            Self::Formal(Formal::Case(_)) => MovesKind::Case,
            Self::Formal(Formal::Rebuttal(_)) => MovesKind::Rebuttal,
            Self::Formal(Formal::Scores(_)) => MovesKind::Scores,
        }
    }

    /// Returns the arguments of a formal debate in these moves.
    pub fn contentions(&self) -> &[Contention] {
        match self.formal() {
            Some(Formal::Case(case)) => &case.arguments,
            Some(Formal::Rebuttal(one)) => std::slice::from_ref(one),
            Some(Formal::Theses(_) | Formal::Scores(_)) | None => &[],
        }
    }

    /// Returns the side's first answer, if these moves are one.
    pub fn blind(&self) -> Option<&Blind> {
        if let Self::Blind(blind) = self {
            return Some(blind);
        }
        None
    }

    /// Returns the challenger's first reply, if these moves are one.
    pub fn challenge(&self) -> Option<&Challenge> {
        if let Self::Challenge(challenge) = self {
            return Some(challenge);
        }
        None
    }

    /// Returns the proposer's answers, if these moves are a defense.
    pub fn defense(&self) -> Option<&Defense> {
        if let Self::Defense(defense) = self {
            return Some(defense);
        }
        None
    }

    /// Returns the challenger's rulings, if these moves are a follow-up.
    pub fn follow_up(&self) -> Option<&FollowUp> {
        if let Self::FollowUp(follow_up) = self {
            return Some(follow_up);
        }
        None
    }

    /// Returns the moves of a formal debate, if these are of one.
    pub fn formal(&self) -> Option<&Formal> {
        if let Self::Formal(formal) = self {
            return Some(formal);
        }
        None
    }

    /// Returns the verdict on a duel, if these moves are one.
    pub fn ruling(&self) -> Option<&Ruling> {
        if let Self::Verdict(ruling) = self {
            return Some(ruling);
        }
        None
    }

    /// Returns the judge's scores, if these moves are scores.
    pub fn scores(&self) -> Option<&Scores> {
        if let Some(Formal::Scores(scores)) = self.formal() {
            return Some(scores);
        }
        None
    }

    /// Returns the theses of a formal debate, if these moves state them.
    pub fn theses(&self) -> Option<&Theses> {
        if let Some(Formal::Theses(theses)) = self.formal() {
            return Some(theses);
        }
        None
    }

    /// Returns the proposer's position in one sentence, if these moves state it.
    pub fn stance(&self) -> Option<&str> {
        if let Self::Opening(opening) = self {
            return Some(&opening.stance);
        }
        Some(&self.defense()?.position_now)
    }

    /// Returns the objections in these moves.
    pub fn objections(&self) -> &[Objection] {
        let first = self.challenge().map(|challenge| &challenge.objections);
        let later = || self.follow_up().map(|follow_up| &follow_up.objections);
        first.or_else(later).map_or(&[], Vec::as_slice)
    }

    /// Returns the categories in which nothing was found, with the places searched.
    pub fn cleared_categories(&self) -> &[NoneFound] {
        let first = self.challenge().map(|challenge| &challenge.none_found);
        let later = || self.follow_up().map(|follow_up| &follow_up.none_found);
        first.or_else(later).map_or(&[], Vec::as_slice)
    }

    /// Returns the agreements with points of the other side in these moves.
    pub fn agreements(&self) -> &[Agreement] {
        let first = self.challenge().map(|challenge| &challenge.agreements);
        let later = || self.follow_up().map(|follow_up| &follow_up.agreements);
        first.or_else(later).map_or(&[], Vec::as_slice)
    }

    /// Returns the alternatives to the answer in these moves.
    pub fn alternatives(&self) -> &[Argument] {
        let first = self.challenge().map(|challenge| &challenge.alternatives);
        let later = || self.follow_up().map(|follow_up| &follow_up.alternatives);
        first.or_else(later).map_or(&[], Vec::as_slice)
    }

    /// Returns the answers to objections in these moves.
    pub fn responses(&self) -> &[Response] {
        self.defense().map_or(&[], |defense| &defense.responses)
    }

    /// Returns the rulings on answers in these moves.
    pub fn assessments(&self) -> &[Assessment] {
        self.follow_up()
            .map_or(&[], |follow_up| &follow_up.assessments)
    }

    /// Returns the arguments for the seat's own position in a duel.
    pub fn arguments(&self) -> &[Argument] {
        if let Self::Opening(opening) = self {
            return &opening.arguments;
        }
        self.defense().map_or(&[], |defense| &defense.arguments)
    }
}

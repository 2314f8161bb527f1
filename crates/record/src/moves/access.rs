//! What moves have, whatever their kind: empty or none where a kind has no such thing.

use super::{
    Agreement, Argument, Assessment, Blind, Challenge, Contention, Defense, FollowUp, Formal,
    Moves, MovesKind, NoneFound, Objection, Response, Ruling, Scores, Theses,
};

impl Moves {
    /// The kind of these moves.
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

    /// The arguments of a formal debate among these moves.
    pub fn contentions(&self) -> &[Contention] {
        match self.formal() {
            Some(Formal::Case(case)) => &case.arguments,
            Some(Formal::Rebuttal(one)) => std::slice::from_ref(one),
            Some(Formal::Theses(_) | Formal::Scores(_)) | None => &[],
        }
    }

    /// What a side answered before it heard the other, if these moves say it.
    pub fn blind(&self) -> Option<&Blind> {
        if let Self::Blind(blind) = self {
            return Some(blind);
        }
        None
    }

    /// The challenger's first reply, if these moves are one.
    pub fn challenge(&self) -> Option<&Challenge> {
        if let Self::Challenge(challenge) = self {
            return Some(challenge);
        }
        None
    }

    /// The proposer's answers, if these moves are such.
    pub fn defense(&self) -> Option<&Defense> {
        if let Self::Defense(defense) = self {
            return Some(defense);
        }
        None
    }

    /// The challenger's rulings, if these moves are such.
    pub fn follow_up(&self) -> Option<&FollowUp> {
        if let Self::FollowUp(follow_up) = self {
            return Some(follow_up);
        }
        None
    }

    /// What a turn of a formal debate says, if these moves are of one.
    pub fn formal(&self) -> Option<&Formal> {
        if let Self::Formal(formal) = self {
            return Some(formal);
        }
        None
    }

    /// A judge's verdict on a duel, if these moves are one.
    pub fn ruling(&self) -> Option<&Ruling> {
        if let Self::Verdict(ruling) = self {
            return Some(ruling);
        }
        None
    }

    /// A judge's scores, if these moves are scores.
    pub fn scores(&self) -> Option<&Scores> {
        if let Some(Formal::Scores(scores)) = self.formal() {
            return Some(scores);
        }
        None
    }

    /// What each side of a formal debate defends, if these moves say it.
    pub fn theses(&self) -> Option<&Theses> {
        if let Some(Formal::Theses(theses)) = self.formal() {
            return Some(theses);
        }
        None
    }

    /// The proposer's position in a sentence, if these moves state it.
    pub fn stance(&self) -> Option<&str> {
        if let Self::Opening(opening) = self {
            return Some(&opening.stance);
        }
        Some(&self.defense()?.position_now)
    }

    /// The objections among these moves.
    pub fn objections(&self) -> &[Objection] {
        let first = self.challenge().map(|challenge| &challenge.objections);
        let later = || self.follow_up().map(|follow_up| &follow_up.objections);
        first.or_else(later).map_or(&[], Vec::as_slice)
    }

    /// The categories in which nothing was found, with where it was looked for.
    pub fn cleared_categories(&self) -> &[NoneFound] {
        let first = self.challenge().map(|challenge| &challenge.none_found);
        let later = || self.follow_up().map(|follow_up| &follow_up.none_found);
        first.or_else(later).map_or(&[], Vec::as_slice)
    }

    /// The points of the other side that these moves accept.
    pub fn agreements(&self) -> &[Agreement] {
        let first = self.challenge().map(|challenge| &challenge.agreements);
        let later = || self.follow_up().map(|follow_up| &follow_up.agreements);
        first.or_else(later).map_or(&[], Vec::as_slice)
    }

    /// Other answers to the topic among these moves.
    pub fn alternatives(&self) -> &[Argument] {
        let first = self.challenge().map(|challenge| &challenge.alternatives);
        let later = || self.follow_up().map(|follow_up| &follow_up.alternatives);
        first.or_else(later).map_or(&[], Vec::as_slice)
    }

    /// The answers to objections among these moves.
    pub fn responses(&self) -> &[Response] {
        self.defense().map_or(&[], |defense| &defense.responses)
    }

    /// The rulings on answers among these moves.
    pub fn assessments(&self) -> &[Assessment] {
        self.follow_up()
            .map_or(&[], |follow_up| &follow_up.assessments)
    }

    /// The arguments for the seat's own position in a duel.
    pub fn arguments(&self) -> &[Argument] {
        if let Self::Opening(opening) = self {
            return &opening.arguments;
        }
        self.defense().map_or(&[], |defense| &defense.arguments)
    }
}

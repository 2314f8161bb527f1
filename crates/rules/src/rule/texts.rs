//! Every text in a turn's moves, with its place and what is asked of it.

use agon_record::moves::{
    Agreement, Argument, Challenge, Contention, FollowUp, Formal, Ground, Moves, NoneFound,
    Objection, Scores,
};

use crate::rule::Scene;
use crate::rule::scene::under;

/// A text in the moves.
pub(super) struct Text<'a> {
    /// Its place, such as `objections[1].content`.
    pub(super) at: String,
    /// The text.
    pub(super) text: &'a str,
    /// The fewest and the most words it may have.
    pub(super) words: Option<(usize, usize)>,
}

const TITLE: (usize, usize) = (5, 7);
const CLAIM: (usize, usize) = (0, 25);
const GROUND_CONTENT: (usize, usize) = (0, 100);
const GROUND_RELEVANCE: (usize, usize) = (0, 30);
const ANCHOR: (usize, usize) = (0, 12);
const WARRANT: (usize, usize) = (0, 50);
const BACKING: (usize, usize) = (0, 50);
const QUALIFIER: (usize, usize) = (0, 10);
const ANSWER: (usize, usize) = (0, 5);
const POINT: (usize, usize) = (0, 75);
const REASONING: (usize, usize) = (0, 75);
const THESIS: (usize, usize) = (0, 30);

/// Every text of the scene's moves that may not be empty, in their order.
pub(super) fn texts<'a>(scene: &Scene<'a>) -> Vec<Text<'a>> {
    let mut list = Texts(Vec::new());
    match scene.moves {
        Moves::Blind(blind) => {
            list.limited("answer", &blind.answer, ANSWER);
            list.free("position", &blind.position);
            list.each("because", &blind.because);
        }
        Moves::Opening(opening) => {
            list.free("stance", &opening.stance);
        }
        Moves::Challenge(Challenge {
            objections,
            none_found,
            agreements,
            ..
        }) => list.challenging(objections, none_found, agreements),
        Moves::Defense(defense) => {
            list.free("position_now", &defense.position_now);
            for (at, response) in defense.responses.iter().enumerate() {
                let at = format!("responses[{at}]");
                list.limited(format!("{at}.content"), &response.content, POINT);
                if let Some(because) = &response.still_favours_because {
                    list.free(format!("{at}.still_favours_because"), because);
                }
            }
        }
        Moves::FollowUp(FollowUp {
            assessments,
            objections,
            none_found,
            agreements,
            ..
        }) => {
            for (at, assessment) in assessments.iter().enumerate() {
                let at = format!("assessments[{at}].content");
                list.limited(at, &assessment.content, POINT);
            }
            list.challenging(objections, none_found, agreements);
        }
        Moves::Verdict(ruling) => {
            list.free("answer", &ruling.answer);
            list.limited("why", &ruling.why, REASONING);
            list.free("do_next", &ruling.do_next);
            list.each("assumed_by_both", &ruling.assumed_by_both);
            for (at, open) in ruling.open.iter().enumerate() {
                list.free(format!("open[{at}].question"), &open.question);
                list.free(format!("open[{at}].to_settle"), &open.to_settle);
            }
            for (at, agreed) in ruling.agreements.iter().enumerate() {
                list.free(format!("agreements[{at}].point"), &agreed.point);
            }
            for (at, differ) in ruling.disagreements.iter().enumerate() {
                list.free(format!("disagreements[{at}].point"), &differ.point);
                list.free(format!("disagreements[{at}].proposer"), &differ.proposer);
                list.free(
                    format!("disagreements[{at}].challenger"),
                    &differ.challenger,
                );
            }
        }
        Moves::Formal(Formal::Theses(theses)) => {
            list.limited("proposition", &theses.proposition, THESIS);
            list.limited("opposition", &theses.opposition, THESIS);
        }
        Moves::Formal(Formal::Case(_) | Formal::Rebuttal(_)) => {
            for (at, contention) in scene.contentions() {
                list.contention(&at, contention);
            }
        }
        Moves::Formal(Formal::Scores(scores)) => list.reasoning(scores),
    }
    for (at, argument) in scene.arguments() {
        list.argument(&at, argument);
    }
    for (at, grounds) in scene.grounds() {
        list.grounds(&at, grounds);
    }
    list.0
}

struct Texts<'a>(Vec<Text<'a>>);

impl<'a> Texts<'a> {
    fn free(&mut self, at: impl Into<String>, text: &'a str) {
        self.0.push(Text {
            at: at.into(),
            text,
            words: None,
        });
    }

    fn limited(&mut self, at: impl Into<String>, text: &'a str, words: (usize, usize)) {
        self.0.push(Text {
            at: at.into(),
            text,
            words: Some(words),
        });
    }

    fn each(&mut self, name: &str, texts: &'a [String]) {
        for (at, text) in texts.iter().enumerate() {
            self.free(format!("{name}[{at}]"), text);
        }
    }

    fn challenging(
        &mut self,
        objections: &'a [Objection],
        none_found: &'a [NoneFound],
        agreements: &'a [Agreement],
    ) {
        for (at, objection) in objections.iter().enumerate() {
            self.limited(
                format!("objections[{at}].content"),
                &objection.content,
                POINT,
            );
        }
        for (at, none) in none_found.iter().enumerate() {
            self.each(&format!("none_found[{at}].looked_at"), &none.looked_at);
        }
        for (at, agreement) in agreements.iter().enumerate() {
            self.free(
                format!("agreements[{at}].remaining_risk"),
                &agreement.remaining_risk,
            );
        }
    }

    fn argument(&mut self, at: &str, argument: &'a Argument) {
        self.limited(under(at, "title"), &argument.title, TITLE);
        self.limited(under(at, "claim"), &argument.claim, CLAIM);
        self.limited(under(at, "warrant"), &argument.warrant, WARRANT);
        if let Some(backing) = &argument.backing {
            self.limited(under(at, "backing"), backing, BACKING);
        }
        if let Some(qualifier) = &argument.qualifier {
            self.limited(under(at, "qualifier"), qualifier, QUALIFIER);
        }
    }

    fn contention(&mut self, at: &str, contention: &'a Contention) {
        self.argument(at, &contention.argument);
        self.grounds(at, &contention.argument.grounds);
        for (nth, attack) in contention.attacks.iter().enumerate() {
            let at = under(at, &format!("attacks[{nth}].content"));
            self.limited(at, &attack.content, POINT);
        }
        for (nth, defend) in contention.defends.iter().enumerate() {
            let at = under(at, &format!("defends[{nth}].content"));
            self.limited(at, &defend.content, POINT);
        }
    }

    fn reasoning(&mut self, scores: &'a Scores) {
        for (nth, scoring) in scores.scores.iter().enumerate() {
            let at = format!("scores[{nth}].reasoning");
            self.limited(at, &scoring.reasoning, REASONING);
        }
        for (nth, rescoring) in scores.rescores.iter().enumerate() {
            let at = format!("rescores[{nth}].reasoning");
            self.limited(at, &rescoring.reasoning, REASONING);
        }
    }

    fn grounds(&mut self, at: &str, grounds: &'a [Ground]) {
        for (nth, ground) in grounds.iter().enumerate() {
            let at = under(at, &format!("grounds[{nth}]"));
            self.free(format!("{at}.source"), &ground.source);
            self.limited(format!("{at}.content"), &ground.content, GROUND_CONTENT);
            self.limited(
                format!("{at}.relevance"),
                &ground.relevance,
                GROUND_RELEVANCE,
            );
            let anchor = ground
                .citation
                .as_ref()
                .and_then(|place| place.anchor.as_ref());
            if let Some(anchor) = anchor {
                self.limited(format!("{at}.citation.anchor"), anchor, ANCHOR);
            }
        }
    }
}

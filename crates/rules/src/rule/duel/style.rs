//! Rules on style: no hedging, no flattery, no bare opinions.

use std::sync::LazyLock;

use agon_record::finding::Finding;
use agon_record::moves::RulingKind;
use agon_record::point::points;
use agon_record::support::{Support, needs_evidence};
use agon_record::words;
use regex::Regex;

use crate::rule::Scene;
use crate::rule::phrases::{find_leading_phrase, find_phrase, is_script_known};
use crate::rule::scene::join_path;

/// Returns the proposer's position with its key.
fn position_with_key<'a>(scene: &Scene<'a>) -> Option<(&'static str, &'a str)> {
    let key = match scene.defense() {
        Some(_) => "position_now",
        None => "stance",
    };
    Some((key, scene.moves.stance()?))
}

pub(super) fn check_stance_unhedged(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some((at, text)) = position_with_key(scene) else {
        return;
    };
    let hedge = find_phrase(text, |table| table.hedges)
        .or_else(|| find_leading_phrase(text, |table| table.hedged_starts));
    if let Some(hedge) = hedge {
        found.push(scene.breach(
            at,
            format!("\"{hedge}\" leaves the stance open"),
            "say what should be done; put a condition in a qualifier",
        ));
    }
}

pub(super) fn check_argument_count(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let arguments = scene.arguments_with_paths();
    if let Some((at, _)) = arguments.get(5) {
        let list = at.split('[').next().unwrap_or_default();
        found.push(scene.breach(
            list,
            format!("{} arguments, but at most 5 are allowed", arguments.len()),
            "keep the five strongest",
        ));
    }
}

/// Matches praise and thanks at the beginning of a text in plain form.
static PRAISE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let lead = r"(?:(?:this|that|it) is |thats |its |what |you (?:make|raise|have|give) |the (?:proposer|challenger|opponent|other side) (?:makes|raises|has|gives) )?";
    let kind = r"(?:great|good|excellent|fair|valid|strong|nice|insightful|thoughtful|brilliant|impressive|compelling|solid|wonderful|fantastic|outstanding|interesting|important)";
    let what = r"(?:points?|questions?|arguments?|catch|objections?|answers?|responses?|observations?|work|job|case|analysis|insights?|defense|defence|rebuttals?|challenges?|ideas?)";
    let thanks = r"(?:thanks|thank you|well said|well argued|well put|well done|kudos|bravo|congratulations|i (?:really |truly |greatly |do )?(?:appreciate|admire|applaud))";
    let praise = format!(
        r"^ (?:{lead}(?:an? |some |many )?(?:very |really |truly |quite )?{kind} {what}|{thanks}) "
    );
    Regex::new(&praise).ok()
});

pub(super) fn check_no_praise(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for (at, text) in opening_texts(scene) {
        let english = PRAISE
            .as_ref()
            .is_some_and(|praise| praise.is_match(&words::normalize_words(text)));
        if english || find_leading_phrase(text, |table| table.praise_starts).is_some() {
            found.push(scene.breach(
                at,
                "this opens with praise or thanks",
                "begin with the point itself",
            ));
        }
    }
}

/// Reports claims that are worded as an opinion or a generality without citing evidence.
pub(super) fn check_no_bare_opinion(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let said = points(scene.moves).into_iter().enumerate();
    for ((nth, point), at) in said.zip(scene.point_paths()) {
        if point.contention().is_some() || !needs_evidence(&point) {
            continue;
        }
        let stamps = scene.stamps.iter().filter(|stamp| stamp.point == nth);
        let text = point.main_text();
        let start = find_leading_phrase(text, |table| table.opinion_starts);
        if let Some(start) = start
            && !Support::from_point(&point, stamps).is_evidence()
        {
            let key = point.toulmin_argument().map_or("content", |_| "claim");
            found.push(scene.breach(
                join_path(&at, key),
                format!("\"{start}\" without a citation: this is an opinion"),
                "state a fact and cite evidence for it: a file, a measurement, a document",
            ));
        }
    }
}

/// Warns about a stance in a script without known phrases.
pub(super) fn check_language_known(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let Some((at, text)) = position_with_key(scene) else {
        return;
    };
    if scene.challenge().is_none() && !is_script_known(text) {
        found.push(scene.warning_breach(
            at,
            "hedging and praise were not checked: no phrases are known for this script",
            "no change is needed; check the turn yourself",
        ));
    }
}

/// Returns the texts whose beginnings must not praise.
fn opening_texts<'a>(scene: &Scene<'a>) -> Vec<(String, &'a str)> {
    let mut texts: Vec<(String, &'a str)> = Vec::new();
    texts.extend(position_with_key(scene).map(|(at, text)| (at.to_owned(), text)));
    let named = |name: &'static str| move |at: usize| format!("{name}[{at}].content");
    let responses = scene.responses().iter().map(|r| r.content.as_str());
    texts.extend(
        responses
            .enumerate()
            .map(|(at, t)| (named("responses")(at), t)),
    );
    let rulings = scene.assessments().iter().map(|a| a.content.as_str());
    texts.extend(
        rulings
            .enumerate()
            .map(|(at, t)| (named("assessments")(at), t)),
    );
    let objections = scene.objections().iter().map(|o| o.content.as_str());
    texts.extend(
        objections
            .enumerate()
            .map(|(at, t)| (named("objections")(at), t)),
    );
    texts
}

pub(super) fn check_grounds_present(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let resolves = |at: &str| {
        let nth = scene.assessments().iter().enumerate();
        nth.filter(|(_, assessment)| assessment.ruling == RulingKind::Resolved)
            .any(|(place, _)| at == format!("assessments[{place}]"))
    };
    for (at, grounds) in scene.duel_grounds_with_paths() {
        if !grounds.is_empty() || (at.starts_with("assessments") && !resolves(&at)) {
            continue;
        }
        found.push(scene.breach(
            format!("{at}.grounds"),
            "this has no ground",
            "give one to three grounds: the source, what it says, and why it matters here",
        ));
    }
}

//! Family `repeat`: a side does not repeat its own arguments.

use agon_record::finding::{Finding, Severity};
use agon_record::moves::Argument;
use agon_record::similarity::Pieces;
use agon_record::words;

use crate::rule::points::Claim;
use crate::rule::scene::join_path;
use crate::rule::{Rule, Scene};

pub(super) const ARGUMENT: Rule = Rule {
    code: "repeat-argument",
    family: "repeat",
    severity: Severity::Warning,
    about: "an argument is new: its own side has not made it before",
    explain: include_str!("explain/repeat-argument.md"),
    check: check_restated_arguments,
};

/// The share of common pieces, in percent, from which a claim counts as a restatement.
///
/// In real debates, different claims of one side share 15 to 56 % of their pieces. A reworded claim
/// with a different order, endings or small words keeps 75 % or more.
const RESTATES: usize = 70;
// In a claim with much fewer pieces, a single word would decide. The 26 claims of two real debates
// have 96 to 169.
/// The fewest pieces of a claim that can be compared.
const SHORT: usize = 30;

impl Claim<'_> {
    fn restates(&self, earlier: &Self) -> bool {
        let short = self.pieces.count().min(earlier.pieces.count()) < SHORT;
        let same = || words::normalize_words(self.text) == words::normalize_words(earlier.text);
        match short {
            true => words::has_alphanumeric(self.text) && same(),
            false => self.pieces.shares_at_least(earlier.pieces, RESTATES),
        }
    }
}

fn check_restated_arguments(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let new = new_arguments_with_paths(scene);
    if new.is_empty() {
        return;
    }
    let pieces = new.iter().map(|(_, one)| Pieces::from_text(&one.claim));
    let pieces: Vec<_> = pieces.collect();
    let claims = new.iter().zip(&pieces);
    let claims: Vec<_> = claims
        .map(|((_, one), pieces)| Claim {
            text: &one.claim,
            pieces,
        })
        .collect();
    for (nth, ((at, _), claim)) in new.iter().zip(&claims).enumerate() {
        let said = scene
            .own_claims()
            .find(|(_, before)| claim.restates(before))
            .map(|(id, _)| id.to_string());
        let in_turn = || {
            let before = new.iter().zip(&claims).take(nth);
            let mut alike = before.filter(|(_, before)| claim.restates(before));
            alike.next().map(|((at, _), _)| format!("`{at}`"))
        };
        if let Some(said) = said.or_else(in_turn) {
            found.push(scene.breach(
                join_path(at, "claim"),
                format!("this restates {said}"),
                "give a new reason, or defend the earlier argument against the attack",
            ));
        }
    }
}

/// Returns the arguments of this turn with their places.
fn new_arguments_with_paths<'a>(scene: &Scene<'a>) -> Vec<(String, &'a Argument)> {
    let formal = scene.contentions_with_paths().into_iter();
    let formal = formal.map(|(at, contention)| (at, &contention.argument));
    scene
        .arguments_with_paths()
        .into_iter()
        .chain(formal)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restates(one: &str, earlier: &str) -> bool {
        let pieces = [one, earlier].map(Pieces::from_text);
        let claim = |text, pieces| Claim { text, pieces };
        claim(one, &pieces[0]).restates(&claim(earlier, &pieces[1]))
    }

    #[test]
    fn a_claim_in_another_order_or_with_other_endings_is_no_new_one() {
        for (one, earlier) in [
            (
                "Start-up is slow because every job ever written is walked",
                "Because start-up walks every job that was ever written, it is slow",
            ),
            (
                "Binding enforcement is multiplying across the three largest markets",
                "Across three of the largest markets, binding enforcement multiplies",
            ),
            (
                "私たちは作業の保存に組み込みデータベースを使うべきであり、ファイルの名前変更だけでは二重の取得を防げない",
                "ファイルの名前変更だけでは二重の取得を防げないので、私たちは作業の保存に組み込みデータベースを使うべきである",
            ),
        ] {
            assert!(restates(one, earlier), "{one}");
            assert!(restates(earlier, one), "{one}");
        }
    }

    #[test]
    fn another_claim_on_the_same_matter_is_a_new_one() {
        for (one, earlier) in [
            (
                "Start-up is slow because every job ever written is walked",
                "Start-up loses a job when two writers claim the same one",
            ),
            (
                "SQLite makes a claim atomic across processes without a lock file",
                "SQLite makes a backup one file that can be copied while jobs run",
            ),
            ("Start-up takes 4 seconds", "Start-up takes 5 seconds"),
        ] {
            assert!(!restates(one, earlier), "{one}");
        }
    }
}

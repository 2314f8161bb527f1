//! Family `opening`: three opening arguments without attacks.

use agon_record::finding::{Finding, Severity};
use agon_record::moves::Formal;

use crate::rule::scene::join_path;
use crate::rule::{Rule, Scene};

const FAMILY: &str = "opening";

// Other tools' formal debates also open with three, so folders are compatible both ways.
/// The number of opening arguments of a side.
const OPENING: usize = 3;

pub(super) const COUNT: Rule = Rule {
    code: "opening-count",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "a side opens with exactly three arguments and gives one in each later exchange",
    explain: include_str!("explain/opening-count.md"),
    check: check_argument_count,
};

pub(super) const ATTACKS: Rule = Rule {
    code: "opening-attacks",
    family: FAMILY,
    severity: Severity::Fatal,
    about: "an opening argument attacks and defends nothing, since there is nothing yet",
    explain: include_str!("explain/opening-attacks.md"),
    check: check_no_attacks_in_opening,
};

fn check_argument_count(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let (at, count) = match scene.formal() {
        Some(Formal::Case(case)) => ("arguments", case.arguments.len()),
        Some(Formal::Rebuttal(_)) => ("", 1),
        Some(Formal::Theses(_) | Formal::Scores(_)) | None => return,
    };
    let (wanted, hint) = match scene.exchange() {
        Some(0) => (
            OPENING,
            "give exactly three arguments, none resting on another",
        ),
        Some(_) => (1, "give exactly one argument"),
        None => return,
    };
    if count != wanted {
        let noun = if count == 1 { "argument" } else { "arguments" };
        let message = format!("{count} {noun} instead of exactly {wanted}");
        found.push(scene.breach(at, message, hint));
    }
}

fn check_no_attacks_in_opening(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scene.exchange() != Some(0) {
        return;
    }
    for (at, contention) in scene.contentions_with_paths() {
        let lists = [
            ("attacks", contention.attacks.is_empty(), "attack"),
            ("defends", contention.defends.is_empty(), "defend"),
        ];
        for (name, empty, what) in lists {
            if !empty {
                found.push(scene.breach(
                    join_path(&at, name),
                    format!("there is nothing to {what} in the opening exchange"),
                    format!("leave `{name}` out until exchange 1"),
                ));
            }
        }
    }
}

//! What is given of the skills that were chosen.

use agon_hosts::choice::{ChoiceRequest, LeftOutReason, SkillSet, tokens_with_margin};
use agon_tokens::count_tokens;

use agon_selection::{Asker, PortionForm};

use super::measure::{labelled, skills};

const DEGRADED: &str = "The session keeps forgetting our rules: lost in the middle? Which of the four ways to take, \
                        write, select, compress or isolate?";

fn request(text: &str, budget: u64) -> ChoiceRequest<'_> {
    ChoiceRequest {
        request: text,
        budget,
        ..ChoiceRequest::default()
    }
}

#[test]
fn a_skill_is_given_whole_where_it_fits_else_a_section_else_a_pointer_and_else_nothing() {
    let set = SkillSet::new(skills());
    let whole = set.choose(&request(DEGRADED, 2_000));
    let given = &whole.given[0];
    let skill = set.find("context-degradation").unwrap();
    assert_eq!(
        (given.name.as_str(), given.form),
        ("context-degradation", PortionForm::Whole)
    );
    assert!(given.text.contains(skill.body()));

    let part = set.choose(&request(DEGRADED, 400));
    let given = &part.given[0];
    assert_eq!(given.section.as_deref(), Some("Four ways to make room"));
    let section = skill
        .sections()
        .into_iter()
        .find(|it| it.heading == "Four ways to make room");
    assert!(given.text.contains(&section.unwrap().text));
    assert!(
        given.text.contains("section 6 of 7")
            && given.text.contains("agon skills show context-degradation")
    );

    let pointer = set.choose(&request(DEGRADED, 60));
    let given = &pointer.given[0];
    assert_eq!(given.form, PortionForm::Pointer);
    assert!(
        given.text.contains("agon skills show context-degradation"),
        "{}",
        given.text
    );
    assert_eq!(given.text.lines().count(), 1);

    let none = set.choose(&request(DEGRADED, 0));
    assert!(none.given.is_empty());
    let left = &none.left_out[0];
    assert_eq!(
        (left.name.as_str(), left.reason),
        ("context-degradation", LeftOutReason::NoRoom)
    );
}

#[test]
fn what_is_given_never_takes_more_than_the_budget_even_with_the_margin() {
    let set = SkillSet::new(skills());
    let pinned = ["handoff-protocols".to_owned(), "debate".to_owned()];
    for labelled in labelled("dev").iter().step_by(9) {
        for budget in [0, 30, 100, 500, 1_000, 3_000] {
            let choice = set.choose(&ChoiceRequest {
                request: &labelled.request,
                pinned: &pinned,
                budget,
                ..ChoiceRequest::default()
            });
            let counted: u64 = choice
                .given
                .iter()
                .map(|it| tokens_with_margin(count_tokens(&it.text)))
                .sum();
            assert!(
                counted <= choice.tokens && choice.tokens <= budget,
                "{counted} {budget}"
            );
            // Each skill is either given or left out with a reason.
            assert_eq!(
                choice.given.len() + choice.left_out.len(),
                set.skills().len()
            );
        }
    }
}

#[test]
fn what_is_pinned_goes_before_what_is_chosen_whatever_the_request_is() {
    let set = SkillSet::new(skills());
    let pinned = ["evaluation".to_owned()];
    let choose = |budget| {
        let request = ChoiceRequest {
            request: "Break this project down into tasks.",
            pinned: &pinned,
            budget,
            ..ChoiceRequest::default()
        };
        let given = set.choose(&request).given.into_iter();
        given
            .map(|it| (it.name, it.is_pinned, it.form))
            .collect::<Vec<_>>()
    };
    let pin = ("evaluation".to_owned(), true, PortionForm::Whole);
    let chosen = |form| ("task-decomposition".to_owned(), false, form);
    assert_eq!(choose(2_000), [pin.clone(), chosen(PortionForm::Whole)]);
    assert_eq!(choose(700), [pin, chosen(PortionForm::Pointer)]);
}

#[test]
fn a_role_is_given_no_skill_that_is_for_others() {
    let set = SkillSet::new(skills());
    let choose = |role| {
        set.choose(&ChoiceRequest {
            request: "Break this project down into tasks.",
            asker: Asker { role, host: None },
            pinned: &[],
            budget: 2_000,
        })
    };
    assert_eq!(choose(Some("lead")).given[0].name, "task-decomposition");
    let other = choose(Some("scribe"));
    assert!(other.given.iter().all(|it| it.name != "task-decomposition"));
    let left = other
        .left_out
        .iter()
        .find(|it| it.name == "task-decomposition");
    assert_eq!(left.unwrap().reason, LeftOutReason::Role);
}

#[test]
fn a_skill_is_found_by_the_names_that_it_has_elsewhere() {
    let set = SkillSet::new(skills());
    let name = |name: &str| set.find(name).map(|skill| skill.name.as_str());
    assert_eq!(name("cek-context-engineering"), Some("context-engineering"));
    assert_eq!(name("sadd-judge-with-debate"), Some("judge-with-debate"));
    assert_eq!(name("debate"), Some("debate"));
    assert_eq!(name("cek"), None);
}

use proptest::prelude::*;

use super::*;

fn offer(value: f64, portions: &[(PortionForm, u64, f64)]) -> SkillOffer {
    let portions = portions.iter().map(|(form, tokens, share)| Portion {
        form: *form,
        tokens: *tokens,
        share: *share,
    });
    SkillOffer {
        value,
        portions: portions.collect(),
    }
}

fn forms(packed: &Packed) -> Vec<Option<PortionForm>> {
    let portions = packed.portions.iter();
    portions.map(|it| it.map(|portion| portion.form)).collect()
}

const WHOLE: PortionForm = PortionForm::Whole;
const POINTER: PortionForm = PortionForm::Pointer;

#[test]
fn what_fits_is_given_whole_and_the_rest_as_a_section_or_a_pointer() {
    let section = PortionForm::Section(1);
    let offers = [
        offer(3.0, &[(WHOLE, 500, 1.0), (POINTER, 20, 0.1)]),
        offer(
            2.0,
            &[(WHOLE, 700, 1.0), (section, 150, 0.5), (POINTER, 20, 0.1)],
        ),
    ];
    let given = |budget| forms(&pack(&offers, &|_, _| 0.0, budget));
    assert_eq!(given(2_000), [Some(WHOLE), Some(WHOLE)]);
    assert_eq!(given(1_000), [Some(WHOLE), Some(section)]);
    assert_eq!(given(530), [Some(WHOLE), Some(POINTER)]);
    assert_eq!(given(40), [Some(POINTER), Some(POINTER)]);
    assert_eq!(given(19), [None, None]);
}

#[test]
fn two_that_fit_together_go_before_a_better_one_that_fills_the_room() {
    let offers = [
        offer(3.0, &[(WHOLE, 1_000, 1.0)]),
        offer(2.0, &[(WHOLE, 500, 1.0)]),
        offer(2.0, &[(WHOLE, 500, 1.0)]),
    ];
    let packed = pack(&offers, &|_, _| 0.0, 1_000);
    assert_eq!(forms(&packed), [None, Some(WHOLE), Some(WHOLE)]);
    assert_eq!((packed.tokens, packed.value), (1_000, 4.0));
}

#[test]
fn of_two_that_say_the_same_one_leaves_its_room_to_another() {
    let offers = [
        offer(3.0, &[(WHOLE, 500, 1.0)]),
        offer(2.0, &[(WHOLE, 500, 1.0)]),
        offer(1.8, &[(WHOLE, 500, 1.0)]),
    ];
    let alike = |one, other| if (one, other) == (0, 1) { 1.0 } else { 0.0 };
    assert_eq!(
        forms(&pack(&offers, &alike, 1_000)),
        [Some(WHOLE), None, Some(WHOLE)]
    );
}

/// The most that any choice is worth, by trying all of them.
fn brute_force(
    offers: &[SkillOffer],
    similarity: &dyn Fn(usize, usize) -> f64,
    budget: u64,
) -> f64 {
    let mut best = 0.0_f64;
    let mut choices = vec![Vec::new()];
    for offer in offers {
        let options: Vec<Option<Portion>> = offer
            .portions
            .iter()
            .copied()
            .map(Some)
            .chain([None])
            .collect();
        choices = choices
            .into_iter()
            .flat_map(|choice: Vec<Option<Portion>>| {
                options
                    .iter()
                    .map(move |option| [choice.clone(), vec![*option]].concat())
            })
            .collect();
    }
    for choice in choices {
        let given: Vec<(usize, Portion)> = choice
            .into_iter()
            .enumerate()
            .filter_map(|(at, it)| Some((at, it?)))
            .collect();
        if given.iter().map(|(_, portion)| portion.tokens).sum::<u64>() > budget {
            continue;
        }
        let worth = |(at, portion): &(usize, Portion)| offers[*at].value * portion.share;
        let mut value: f64 = given.iter().map(worth).sum();
        for (place, one) in given.iter().enumerate() {
            for other in &given[place + 1..] {
                if one.1.form != POINTER && other.1.form != POINTER {
                    value -= REDUNDANCY * similarity(one.0, other.0) * worth(one).min(worth(other));
                }
            }
        }
        best = best.max(value);
    }
    best
}

proptest! {
    #[test]
    fn no_other_choice_within_the_budget_is_worth_more(
        offers in prop::collection::vec((1u32..40, 50u64..900, 20u64..400, 1u32..10), 0..6),
        budget in 0u64..2_500,
        alike in 0u32..=10,
    ) {
        let offers: Vec<SkillOffer> = offers.into_iter().map(|(value, whole, section, share)| offer(
            f64::from(value) / 10.0,
            &[(WHOLE, whole, 1.0), (PortionForm::Section(0), section, f64::from(share) / 16.0), (POINTER, 25, 0.1)],
        )).collect();
        let similarity = |one: usize, other: usize| f64::from(alike) / 10.0 / (1 + one + other) as f64;
        let packed = pack(&offers, &similarity, budget);
        let given = packed.portions.iter().flatten();
        prop_assert_eq!(packed.tokens, given.map(|portion| portion.tokens).sum::<u64>());
        prop_assert!(packed.tokens <= budget);
        prop_assert_eq!(packed.portions.len(), offers.len());
        let best = brute_force(&offers, &similarity, budget);
        prop_assert!((packed.value - best).abs() < 1e-9, "{} < {best}", packed.value);
    }
}

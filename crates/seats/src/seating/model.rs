//! Chooses the model of a seat.

use agon_agents::profile::explicit_model;
use agon_record::spec::ModelClass;

use super::{Candidate, SeatWish};

/// The model of a seat, and how it was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ModelChoice {
    /// The model; `None` leaves the choice to the tool.
    pub model: Option<String>,
    /// The class that it was chosen for; `None` if the user named it or left it to the tool.
    pub class: Option<ModelClass>,
    /// A model that the tool rejected before.
    pub refused: Option<String>,
}

/// Chooses the model: the named model, otherwise the previous model at the same effort, otherwise
/// the model of the requested class, otherwise the model for the effort.
pub(super) fn choose_model(candidate: &Candidate, wish: &SeatWish) -> ModelChoice {
    if wish.model.is_some() {
        return ModelChoice {
            model: explicit_model(wish.model.as_deref()).map(str::to_owned),
            ..ModelChoice::default()
        };
    }
    let before = wish.before.as_ref();
    if let Some(before) = before.filter(|before| before.tool == candidate.tool)
        && (before.class.is_none() && before.refused_model.is_none()
            || before.effort == wish.effort)
    {
        return ModelChoice {
            model: before.model.clone(),
            class: before.class,
            refused: before.refused_model.clone(),
        };
    }
    let classes = candidate.classes.as_ref();
    let chosen = classes.and_then(|classes| match wish.class {
        Some(class) => Some((class, classes.model(class))),
        None => classes.model_for_effort(wish.effort),
    });
    match chosen {
        Some((class, model)) => ModelChoice {
            model: Some(model.to_owned()),
            class: Some(class),
            refused: None,
        },
        None => ModelChoice::default(),
    }
}

#[cfg(test)]
mod tests {
    use agon_agents::profile::Profiles;
    use agon_record::spec::Effort;

    use super::*;
    use crate::seating::{candidate, seating_for};

    fn claude() -> Candidate {
        let profiles = Profiles::builtin().unwrap();
        let profile = profiles
            .iter()
            .find(|profile| profile.name.as_str() == "claude");
        Candidate {
            classes: profile.unwrap().classes.clone(),
            ..candidate("claude", "anthropic")
        }
    }

    fn model(wish: &SeatWish) -> (Option<String>, Option<ModelClass>) {
        let choice = choose_model(&claude(), wish);
        (choice.model, choice.class)
    }

    #[test]
    fn a_named_model_stands_and_omit_leaves_it_to_the_tool() {
        let named = |name: &str| SeatWish {
            model: Some(name.to_owned()),
            effort: Effort::Max,
            ..SeatWish::default()
        };
        assert_eq!(model(&named("opus-4-5")), (Some("opus-4-5".into()), None));
        for none in ["omit", "auto", ""] {
            assert_eq!(model(&named(none)), (None, None), "{none}");
        }
    }

    #[test]
    fn a_class_that_is_asked_for_comes_before_that_of_the_effort() {
        let mut wish = SeatWish {
            effort: Effort::Low,
            ..SeatWish::default()
        };
        assert_eq!(model(&wish), (Some("haiku".into()), Some(ModelClass::Fast)));
        wish.class = Some(ModelClass::Strong);
        assert_eq!(
            model(&wish),
            (Some("opus".into()), Some(ModelClass::Strong))
        );
    }

    #[test]
    fn who_sat_there_keeps_the_model_until_another_effort_is_asked_for() {
        let medium = SeatWish::default();
        let before = seating_for(&claude(), &medium);
        let again = |before: &_, effort| SeatWish {
            effort,
            before: Some(Clone::clone(before)),
            ..SeatWish::default()
        };
        assert_eq!(
            model(&again(&before, Effort::Medium)),
            (Some("sonnet".into()), Some(ModelClass::Standard))
        );
        assert_eq!(
            model(&again(&before, Effort::High)),
            (Some("opus".into()), Some(ModelClass::Strong))
        );
        let mut refused = before.clone();
        refused.drop_refused_model(&before.tool, "sonnet");
        let kept = choose_model(&claude(), &again(&refused, Effort::Medium));
        assert_eq!(
            (kept.model, kept.refused.as_deref()),
            (None, Some("sonnet"))
        );
        // The tool chose before, and chooses again.
        let unnamed = agon_record::spec::Seating {
            model: None,
            class: None,
            ..before
        };
        assert_eq!(model(&again(&unnamed, Effort::High)), (None, None));
    }
}

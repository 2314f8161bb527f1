//! Compiles a policy to a host's format and reports the outcome of each rule.

use super::form::{PermissionForm, PowerRules};
use super::glob::Glob;
use super::order::{Ordered, PathRule, RuleRef};
use super::{PermissionEffect, PermissionRules, PermissionScope};
use crate::content::agent::Power;
use crate::field::FieldOutcome;

/// Outcome of a rule for one permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleOutcome {
    /// The rule.
    pub rule: RuleRef,
    /// Its effect.
    pub effect: PermissionEffect,
    /// The permission it is about.
    pub power: Power,
    /// The paths it is about, if any.
    pub glob: Option<String>,
    /// Its outcome.
    pub outcome: FieldOutcome,
}

impl RuleOutcome {
    /// Returns whether the host enforces it.
    pub const fn is_enforced(&self) -> bool {
        matches!(
            self.outcome,
            FieldOutcome::Kept | FieldOutcome::Translated(_)
        )
    }
}

/// A policy in the format of one host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledPermissions {
    /// The text to write; `None` if the host can enforce nothing.
    pub text: Option<String>,
    /// The outcome of every rule that denies or asks.
    pub outcomes: Vec<RuleOutcome>,
}

const ASKED_LATER: &str = "a person is asked before the change is merged";

const TWO_EXCEPTIONS: &str = "two files make exceptions, and the host cannot combine them";

const MAY_LOOSEN: &str = "skipped: it would override a stricter rule of yours";

impl PermissionForm {
    /// Compiles the rules of several files; the strictest wins.
    pub fn compile(
        &self,
        files: &[PermissionRules],
        scope: &PermissionScope<'_>,
    ) -> CompiledPermissions {
        let mut outcomes = Vec::new();
        let mut all = Vec::new();
        for power in Power::ALL {
            let ordered = Ordered::of(files, power, scope.is_member());
            let held = self.enforceable_rules(&ordered, scope, &mut outcomes);
            if held.base.is_some() || !held.steps.is_empty() {
                all.push(held);
            }
        }
        CompiledPermissions {
            text: (!all.is_empty()).then(|| (self.write)(&all, scope)),
            outcomes,
        }
    }

    /// Returns the rules that the host can enforce for one permission, and adds the outcomes.
    fn enforceable_rules(
        &self,
        ordered: &Ordered,
        scope: &PermissionScope<'_>,
        outcomes: &mut Vec<RuleOutcome>,
    ) -> PowerRules {
        let able = self.abilities.of(scope).of(ordered.power);
        let mut exceptions = ordered
            .steps
            .iter()
            .filter(|step| step.effect < ordered.base);
        let is_asked_later = |effect| {
            let is_ask = effect == PermissionEffect::Ask;
            is_ask && scope.is_member() && ordered.power == Power::Edit
        };
        // A rule that allows or asks could loosen the user's own rules, which are unknown here.
        let may_loosen =
            |effect| self.may_loosen && !scope.is_member() && effect < PermissionEffect::Deny;
        let is_lax = may_loosen(ordered.base)
            || ordered.has_exceptions() && may_loosen(PermissionEffect::Allow);
        let base_outcome = match ordered.has_exceptions() {
            _ if is_asked_later(ordered.base) => FieldOutcome::NotEnforced(ASKED_LATER),
            _ if ordered.has_two_exceptions => FieldOutcome::NotEnforced(TWO_EXCEPTIONS),
            _ if is_lax && !matches!(able.whole, FieldOutcome::NotEnforced(_)) => {
                FieldOutcome::NotEnforced(MAY_LOOSEN)
            }
            false => able.whole,
            true => exceptions
                .find_map(|step| self.exceptions(step, able.exceptions, scope).err())
                .unwrap_or(able.exceptions),
        };
        let is_held = !matches!(base_outcome, FieldOutcome::NotEnforced(_));
        if ordered.base > PermissionEffect::Allow {
            let rules = ordered.base_rules.iter();
            outcomes.extend(rules.map(|rule| RuleOutcome {
                rule: *rule,
                effect: ordered.base,
                power: ordered.power,
                glob: None,
                outcome: base_outcome,
            }));
        }
        outcomes.extend(ordered.inexpressible.iter().map(|it| RuleOutcome {
            rule: it.rule,
            effect: it.effect,
            power: ordered.power,
            glob: it.glob.clone(),
            outcome: match is_asked_later(it.effect) {
                true => FieldOutcome::NotEnforced(ASKED_LATER),
                false => FieldOutcome::NotEnforced(TWO_EXCEPTIONS),
            },
        }));
        let is_base_written = is_held && ordered.base > PermissionEffect::Allow;
        let mut held = PowerRules {
            power: ordered.power,
            base: is_base_written.then_some(ordered.base),
            steps: Vec::new(),
        };
        for step in &ordered.steps {
            let is_exception = step.effect < ordered.base;
            if is_base_written && is_exception {
                let globs = self
                    .exceptions(step, able.exceptions, scope)
                    .unwrap_or_default();
                let effect = match is_asked_later(step.effect) {
                    true => PermissionEffect::Allow,
                    false => step.effect,
                };
                held.steps
                    .extend(globs.into_iter().map(|glob| (effect, glob)));
            }
            // An allowing exception is reported with the rule that it belongs to, so skip it.
            if step.effect == PermissionEffect::Allow {
                continue;
            }
            let outcome = match self.globs(step, able.paths, scope) {
                _ if is_asked_later(step.effect) => FieldOutcome::NotEnforced(ASKED_LATER),
                _ if is_base_written && is_exception => able.exceptions,
                Ok(_) if may_loosen(step.effect) => FieldOutcome::NotEnforced(MAY_LOOSEN),
                Ok(globs) => {
                    let steps = globs.into_iter().map(|glob| (step.effect, glob));
                    held.steps.extend(steps);
                    able.paths
                }
                Err(outcome) => outcome,
            };
            outcomes.push(RuleOutcome {
                rule: step.rule,
                effect: step.effect,
                power: ordered.power,
                glob: Some(step.glob.clone()),
                outcome,
            });
        }
        held
    }

    /// Returns the globs of a step that is an exception, if the host supports such exceptions.
    fn exceptions(
        &self,
        step: &PathRule,
        able: FieldOutcome,
        scope: &PermissionScope<'_>,
    ) -> Result<Vec<Glob>, FieldOutcome> {
        let globs = self.globs(step, able, scope)?;
        if let Some(can_except) = self.can_except {
            for glob in &globs {
                can_except(glob, scope).map_err(|fault| FieldOutcome::NotEnforced(fault.0))?;
            }
        }
        Ok(globs)
    }

    /// Returns the globs of a step, if the host can express and enforce them.
    fn globs(
        &self,
        step: &PathRule,
        able: FieldOutcome,
        scope: &PermissionScope<'_>,
    ) -> Result<Vec<Glob>, FieldOutcome> {
        if let FieldOutcome::NotEnforced(_) = able {
            return Err(able);
        }
        let globs = Glob::expand_all(&step.glob);
        let globs = globs.map_err(|fault| FieldOutcome::NotEnforced(fault.0))?;
        for glob in &globs {
            (self.can_say)(glob, scope).map_err(|fault| FieldOutcome::NotEnforced(fault.0))?;
        }
        Ok(globs)
    }
}

//! Rules in an order in which the last that matches wins: what is strictest comes last.

use super::{OF_PATHS, PermissionEffect, PermissionRules};
use crate::content::agent::Power;

/// What a rule is found by: its file, and its number there; none for the default of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleRef {
    /// Which of the files, from 0.
    pub file: usize,
    /// Its number there, from 1.
    pub rule: Option<usize>,
}

/// What holds of the acts of one power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ordered {
    pub(super) power: Power,
    /// Of an act on no path that a step is about.
    pub(super) base: PermissionEffect,
    /// The rules that say so.
    pub(super) base_rules: Vec<RuleRef>,
    /// Of acts on certain paths, the strictest last.
    pub(super) steps: Vec<PathRule>,
    /// Whether two files make exceptions: what both let through is in no step.
    pub(super) has_two_exceptions: bool,
    /// The rules that have no form then: what the files ask about where they make exceptions.
    pub(super) formless: Vec<FormlessRule>,
}

/// A rule that decides on some paths, and that no order of steps can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormlessRule {
    pub(super) effect: PermissionEffect,
    /// The rule that says so.
    pub(super) rule: RuleRef,
    /// On what; none for all that no rule about paths covers.
    pub(super) glob: Option<String>,
}

/// What holds of acts on what a glob covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathRule {
    pub(super) effect: PermissionEffect,
    /// The rule that says so.
    pub(super) rule: RuleRef,
    pub(super) glob: String,
}

impl Ordered {
    /// That of `power` by several files, of which the stricter wins. No person answers a member: to ask
    /// is to deny there, but of edits.
    pub(super) fn of(files: &[PermissionRules], power: Power, is_member: bool) -> Self {
        let each = files.iter().enumerate();
        let each = each.map(|(file, rules)| Self::of_file(file, rules, power, is_member));
        each.reduce(Self::stricter).unwrap_or(Self {
            power,
            base: PermissionEffect::Allow,
            base_rules: Vec::new(),
            steps: Vec::new(),
            has_two_exceptions: false,
            formless: Vec::new(),
        })
    }

    fn of_file(file: usize, rules: &PermissionRules, power: Power, is_member: bool) -> Self {
        // What it edits is its own until it is merged: a person can be asked then.
        let is_settled_at_once = is_member && power != Power::Edit;
        let strict = |effect: PermissionEffect| match is_settled_at_once
            && effect == PermissionEffect::Ask
        {
            true => PermissionEffect::Deny,
            false => effect,
        };
        let own = rules.rules.iter();
        let own = own.filter(|rule| rule.powers.contains(&power));
        let (of_paths, of_all): (Vec<_>, Vec<_>) = own.partition(|rule| !rule.paths.is_empty());
        let settled = of_all.iter().map(|rule| strict(rule.effect)).max();
        let base = settled.unwrap_or(strict(rules.default));
        let found = |rule| RuleRef { file, rule };
        let deciding = of_all.iter();
        let deciding = deciding.filter(|rule| Some(strict(rule.effect)) == settled);
        let mut base_rules: Vec<RuleRef> = deciding.map(|rule| found(Some(rule.number))).collect();
        if base_rules.is_empty() {
            base_rules.push(found(None));
        }
        let is_of_paths = OF_PATHS.contains(&power);
        let of_paths = of_paths.into_iter().filter(|_| is_of_paths);
        let mut steps: Vec<PathRule> = of_paths
            .flat_map(|rule| {
                rule.paths.iter().map(|glob| PathRule {
                    effect: strict(rule.effect),
                    rule: found(Some(rule.number)),
                    glob: glob.clone(),
                })
            })
            .collect();
        if settled.is_some() {
            steps.retain(|step| step.effect > base);
        }
        Self {
            power,
            base,
            base_rules,
            steps,
            has_two_exceptions: false,
            formless: Vec::new(),
        }
        .sorted()
    }

    /// Both at once: the stricter of what they say.
    fn stricter(self, other: Self) -> Self {
        let (mut strict, mut lax) = match other.base > self.base {
            true => (other, self),
            false => (self, other),
        };
        let floor = lax.base;
        let base = strict.base;
        let makes_exceptions = strict.has_exceptions();
        // What one file lets through is let through by both only where the other does so too.
        let lets_through = (makes_exceptions || strict.has_two_exceptions)
            && (floor < base || lax.has_exceptions() || lax.has_two_exceptions);
        // Between what both say there is more than one order can tell.
        let is_between = |step: &PathRule| step.effect > floor && step.effect < base;
        let has_two_exceptions = lets_through
            && (strict.has_two_exceptions
                || lax.has_two_exceptions
                || lax.has_exceptions()
                || lax.steps.iter().any(is_between));
        let mut formless = Vec::new();
        if has_two_exceptions {
            // How far the one lets through an exception of the other is not known for a whole glob.
            formless.append(&mut strict.take_exceptions());
            formless.append(&mut lax.take_exceptions());
            if floor > PermissionEffect::Allow && floor < base {
                formless.extend(lax.base_rules.iter().map(|rule| FormlessRule {
                    effect: floor,
                    rule: *rule,
                    glob: None,
                }));
            }
        }
        // An exception of the one is an exception as far as the other lets it be.
        for step in &mut strict.steps {
            step.effect = step.effect.max(floor);
        }
        if lax.base == strict.base {
            strict.base_rules.extend(lax.base_rules);
        }
        let lax_steps = lax.steps.into_iter().filter(|step| step.effect > floor);
        // Where the stricter file makes no exception, nothing of the other is one.
        strict
            .steps
            .extend(lax_steps.filter(|step| makes_exceptions || step.effect > base));
        Self {
            has_two_exceptions,
            formless,
            ..strict
        }
        .sorted()
    }

    /// Takes the exceptions out of the steps: those that ask or deny, with what was taken out before.
    fn take_exceptions(&mut self) -> Vec<FormlessRule> {
        let mut taken = std::mem::take(&mut self.formless);
        let base = self.base;
        for step in self.steps.extract_if(.., |step| step.effect < base) {
            if step.effect > PermissionEffect::Allow {
                taken.push(FormlessRule {
                    effect: step.effect,
                    rule: step.rule,
                    glob: Some(step.glob),
                });
            }
        }
        taken
    }

    /// The same with the strictest last, and without what changes nothing.
    fn sorted(mut self) -> Self {
        self.steps.sort_by_key(|step| step.effect);
        let has_exceptions = self.has_exceptions();
        let base = self.base;
        self.steps
            .retain(|step| step.effect != base || has_exceptions);
        self
    }

    /// Whether something is let through that the base would not.
    pub(super) fn has_exceptions(&self) -> bool {
        self.steps.iter().any(|step| step.effect < self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permit::PermissionRule;

    fn file(default: PermissionEffect, exception: Option<PermissionEffect>) -> PermissionRules {
        let rule = exception.map(|effect| PermissionRule {
            number: 1,
            effect,
            powers: [Power::Edit].into(),
            paths: vec!["src".to_owned()],
        });
        PermissionRules {
            rules: rule.into_iter().collect(),
            default,
        }
    }

    #[test]
    fn exceptions_that_two_files_make_alike_are_known_to_have_no_form() {
        use PermissionEffect::{Allow, Ask, Deny};
        for (one, other, has_two) in [
            (file(Ask, Some(Allow)), file(Ask, Some(Allow)), true),
            (file(Deny, Some(Ask)), file(Deny, Some(Allow)), true),
            (file(Deny, Some(Allow)), file(Ask, Some(Allow)), true),
            // Here only one of them makes an exception, or nothing is let through.
            (file(Deny, Some(Allow)), file(Ask, None), false),
            (file(Ask, Some(Allow)), file(Ask, None), false),
            (file(Ask, Some(Allow)), file(Deny, None), false),
        ] {
            for files in [[one.clone(), other.clone()], [other.clone(), one.clone()]] {
                let ordered = Ordered::of(&files, Power::Edit, false);
                assert_eq!(ordered.has_two_exceptions, has_two, "{files:?}");
            }
        }
        let none_lets_through = [
            file(Ask, Some(Allow)),
            file(Ask, Some(Allow)),
            file(Deny, None),
        ];
        let ordered = Ordered::of(&none_lets_through, Power::Edit, false);
        assert!(!ordered.has_two_exceptions);
    }
}

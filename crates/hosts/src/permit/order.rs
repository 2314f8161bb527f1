//! Orders rules so that the strictest comes last, for hosts in which the last matching rule wins.

use super::{OF_PATHS, PermissionEffect, PermissionRules};
use crate::content::agent::Power;

/// Reference to a rule: its file and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleRef {
    /// Index of the file, from 0.
    pub file: usize,
    /// Its number there, from 1; `None` for the file's default.
    pub rule: Option<usize>,
}

/// Ordered rules for one permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ordered {
    pub(super) power: Power,
    /// Effect on paths that no step covers.
    pub(super) base: PermissionEffect,
    /// The rules that set `base`.
    pub(super) base_rules: Vec<RuleRef>,
    /// Rules for certain paths, strictest last.
    pub(super) steps: Vec<PathRule>,
    /// Whether two files make exceptions, whose combination is not in `steps`.
    pub(super) has_two_exceptions: bool,
    /// Rules that cannot be expressed in that case: the exceptions that ask.
    pub(super) inexpressible: Vec<InexpressibleRule>,
}

/// A rule for some paths that no order of steps can express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InexpressibleRule {
    pub(super) effect: PermissionEffect,
    /// The rule.
    pub(super) rule: RuleRef,
    /// The paths; `None` for everything that no rule about paths covers.
    pub(super) glob: Option<String>,
}

/// A rule for the paths that a glob covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathRule {
    pub(super) effect: PermissionEffect,
    /// The rule.
    pub(super) rule: RuleRef,
    pub(super) glob: String,
}

impl Ordered {
    /// Orders the rules of several files for `power`; the strictest wins. For a member, whom no person
    /// answers, asking means denying, except for edits.
    pub(super) fn of(files: &[PermissionRules], power: Power, is_member: bool) -> Self {
        let each = files.iter().enumerate();
        let each = each.map(|(file, rules)| Self::of_file(file, rules, power, is_member));
        each.reduce(Self::combine_strictest).unwrap_or(Self {
            power,
            base: PermissionEffect::Allow,
            base_rules: Vec::new(),
            steps: Vec::new(),
            has_two_exceptions: false,
            inexpressible: Vec::new(),
        })
    }

    fn of_file(file: usize, rules: &PermissionRules, power: Power, is_member: bool) -> Self {
        // No person can answer a member, so asking means denying. Edits are the exception: a person
        // can be asked before the merge.
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
            inexpressible: Vec::new(),
        }
        .sorted()
    }

    /// Combines two sets of rules; the stricter effect wins.
    fn combine_strictest(self, other: Self) -> Self {
        let (mut strict, mut lax) = match other.base > self.base {
            true => (other, self),
            false => (self, other),
        };
        let floor = lax.base;
        let base = strict.base;
        let makes_exceptions = strict.has_exceptions();
        // A path is allowed only if both files allow it, so exceptions of the two files interact.
        let lets_through = (makes_exceptions || strict.has_two_exceptions)
            && (floor < base || lax.has_exceptions() || lax.has_two_exceptions);
        // Rules with effects between `floor` and `base` can overlap in ways that no single order of rules
        // can express.
        let is_between = |step: &PathRule| step.effect > floor && step.effect < base;
        let has_two_exceptions = lets_through
            && (strict.has_two_exceptions
                || lax.has_two_exceptions
                || lax.has_exceptions()
                || lax.steps.iter().any(is_between));
        let mut inexpressible = Vec::new();
        if has_two_exceptions {
            // Two globs can overlap in part, so it is unknown which paths both files except: report
            // the exceptions as inexpressible.
            inexpressible.append(&mut strict.remove_exceptions());
            inexpressible.append(&mut lax.remove_exceptions());
            if floor > PermissionEffect::Allow && floor < base {
                inexpressible.extend(lax.base_rules.iter().map(|rule| InexpressibleRule {
                    effect: floor,
                    rule: *rule,
                    glob: None,
                }));
            }
        }
        // An exception of one file cannot be laxer than the other file's base.
        for step in &mut strict.steps {
            step.effect = step.effect.max(floor);
        }
        if lax.base == strict.base {
            strict.base_rules.extend(lax.base_rules);
        }
        let lax_steps = lax.steps.into_iter().filter(|step| step.effect > floor);
        // Without exceptions in the stricter file, only steps stricter than its base matter.
        strict
            .steps
            .extend(lax_steps.filter(|step| makes_exceptions || step.effect > base));
        Self {
            has_two_exceptions,
            inexpressible,
            ..strict
        }
        .sorted()
    }

    /// Removes the exceptions from the steps. Returns the exceptions that ask, including exceptions
    /// removed earlier.
    fn remove_exceptions(&mut self) -> Vec<InexpressibleRule> {
        let mut taken = std::mem::take(&mut self.inexpressible);
        let base = self.base;
        for step in self.steps.extract_if(.., |step| step.effect < base) {
            if step.effect > PermissionEffect::Allow {
                taken.push(InexpressibleRule {
                    effect: step.effect,
                    rule: step.rule,
                    glob: Some(step.glob),
                });
            }
        }
        taken
    }

    /// Returns the rules with the strictest last and without redundant steps.
    fn sorted(mut self) -> Self {
        self.steps.sort_by_key(|step| step.effect);
        let has_exceptions = self.has_exceptions();
        let base = self.base;
        self.steps
            .retain(|step| step.effect != base || has_exceptions);
        self
    }

    /// Returns whether a step is laxer than the base.
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
            // Only one of them makes an exception, or nothing is allowed.
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

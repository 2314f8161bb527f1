//! Enumerates the extensions of a component, the requested ones first.

use super::answer::LimitHit;
use super::component::Component;
use super::encoding::Encoding;
use super::{Lit, Sat};
use crate::ArgId;

/// A family of semantics whose extensions are found by search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Complete,
    Preferred,
    Stable,
    SemiStable,
    Stage,
}

/// A condition on the next extension.
///
/// Later calls of one search must use the same condition or a stricter one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Want<'a> {
    Any,
    /// At least one of the marked arguments is in the extension.
    SomeInside(&'a [bool]),
    /// At least one of the marked arguments is not in the extension.
    SomeOutside(&'a [bool]),
}

impl Want<'_> {
    fn is_met(self, set: &[bool]) -> bool {
        let meets = |marked: &[bool], inside: bool| {
            let mut all = set.iter().zip(marked);
            all.any(|(it, marked)| *marked && *it == inside)
        };
        match self {
            Self::Any => true,
            Self::SomeInside(marked) => meets(marked, true),
            Self::SomeOutside(marked) => meets(marked, false),
        }
    }
}

/// A search through the extensions of one component, which returns each at most once.
#[derive(Debug)]
pub(super) struct ExtensionSearch<'c, S> {
    component: &'c Component,
    encoding: Encoding<S>,
    how: How,
    /// All extensions that satisfy the condition by an argument below this index have been
    /// returned.
    refuted: usize,
}

#[derive(Debug)]
enum How {
    Complete,
    Preferred,
    Stable,
    /// Sets with maximal range, grouped by range.
    Ranges {
        ranges: Vec<Lit>,
        open: Option<Vec<bool>>,
    },
}

impl<'c, S: Sat> ExtensionSearch<'c, S> {
    pub(super) fn new(
        component: &'c Component,
        family: Family,
        conflicts: &mut u64,
    ) -> Result<Self, LimitHit> {
        let af = &component.af;
        let (mut encoding, mut how) = match family {
            Family::Complete => (Encoding::complete(af), How::Complete),
            Family::Preferred => (Encoding::complete(af), How::Preferred),
            // Search for stable extensions first: if there are any, they are also the semi-stable
            // and the stage extensions.
            Family::Stable | Family::SemiStable | Family::Stage => {
                (Encoding::stable(af), How::Stable)
            }
        };
        let by_range = match family {
            Family::Complete | Family::Preferred | Family::Stable => false,
            Family::SemiStable | Family::Stage => encoding.find_set(&[], conflicts)?.is_none(),
        };
        if by_range {
            encoding = if family == Family::Stage {
                Encoding::conflict_free(af)
            } else {
                Encoding::complete(af)
            };
            how = How::Ranges {
                ranges: encoding.add_range_literals(),
                open: None,
            };
        }
        Ok(Self {
            component,
            encoding,
            how,
            refuted: 0,
        })
    }

    pub(super) fn component(&self) -> &'c Component {
        self.component
    }

    /// Returns a new extension that satisfies the condition; `None` if there are no more.
    pub(super) fn find_next(
        &mut self,
        want: Want<'_>,
        conflicts: &mut u64,
    ) -> Result<Option<Vec<bool>>, LimitHit> {
        if let How::Ranges { .. } = self.how {
            let wanted = self.assumptions_for_condition(want);
            return self.find_next_by_range(&wanted, conflicts);
        }
        let (marked, inside) = match want {
            Want::Any => return self.find_next_assuming(&[], want, conflicts),
            Want::SomeInside(marked) => (marked, true),
            Want::SomeOutside(marked) => (marked, false),
        };
        // One argument at a time: each is refuted faster than all together, and each refutation
        // makes the next one easier.
        while let Some(a) = (self.refuted..marked.len()).find(|&a| marked[a]) {
            let literal = self.encoding.member_literal(a);
            let literal = if inside { literal } else { !literal };
            if let Some(set) = self.find_next_assuming(&[literal], want, conflicts)? {
                return Ok(Some(set));
            }
            self.encoding.add_clause(&[!literal]);
            self.refuted = a + 1;
        }
        Ok(None)
    }

    fn find_next_assuming(
        &mut self,
        wanted: &[Lit],
        want: Want<'_>,
        conflicts: &mut u64,
    ) -> Result<Option<Vec<bool>>, LimitHit> {
        while let Some(set) = self.encoding.find_set(wanted, conflicts)? {
            match self.how {
                How::Complete => self.forbid_exactly(&set),
                How::Stable | How::Ranges { .. } => self.require_member_outside(&set),
                How::Preferred => {
                    let greatest = self.grow_to_maximal(set, conflicts)?;
                    if want.is_met(&greatest) {
                        return Ok(Some(greatest));
                    }
                    continue;
                }
            }
            return Ok(Some(set));
        }
        Ok(None)
    }

    /// Returns an extension that contains a set, if there is one.
    pub(super) fn find_superset(
        &mut self,
        seed: &[ArgId],
        conflicts: &mut u64,
    ) -> Result<Option<Vec<bool>>, LimitHit> {
        let assumed: Vec<Lit> = seed
            .iter()
            .map(|a| self.encoding.member_literal(a.index()))
            .collect();
        let Some(set) = self.encoding.find_set(&assumed, conflicts)? else {
            return Ok(None);
        };
        match self.how {
            How::Preferred => self.grow_to_maximal(set, conflicts).map(Some),
            How::Complete | How::Stable | How::Ranges { .. } => Ok(Some(set)),
        }
    }

    fn assumptions_for_condition(&mut self, want: Want<'_>) -> Vec<Lit> {
        let literals = |encoding: &Encoding<S>, marked: &[bool]| {
            let all = marked.iter().enumerate().filter(|(_, marked)| **marked);
            all.map(|(a, _)| encoding.member_literal(a))
                .collect::<Vec<Lit>>()
        };
        let clause = match want {
            Want::Any => return Vec::new(),
            Want::SomeInside(marked) => literals(&self.encoding, marked),
            Want::SomeOutside(marked) => {
                let inside = literals(&self.encoding, marked);
                inside.into_iter().map(|it| !it).collect()
            }
        };
        vec![self.encoding.add_switchable_clause(clause)]
    }

    /// Extends a complete extension until it is maximal, and excludes all subsets of the result.
    fn grow_to_maximal(
        &mut self,
        mut set: Vec<bool>,
        conflicts: &mut u64,
    ) -> Result<Vec<bool>, LimitHit> {
        loop {
            // The clause for the final, maximal set also excludes all of its subsets.
            self.require_member_outside(&set);
            let kept = self.member_literals(&set);
            match self.encoding.find_set(&kept, conflicts)? {
                Some(greater) => set = greater,
                None => return Ok(set),
            }
        }
    }

    fn find_next_by_range(
        &mut self,
        wanted: &[Lit],
        conflicts: &mut u64,
    ) -> Result<Option<Vec<bool>>, LimitHit> {
        loop {
            let How::Ranges { ranges, open } = &mut self.how else {
                return Ok(None);
            };
            if let Some(range) = open.take() {
                let (within, beyond) = split_range_literals(ranges, &range);
                let assumed = [&within, wanted].concat();
                if let Some(set) = self.encoding.find_set(&assumed, conflicts)? {
                    *open = Some(range);
                    self.require_member_outside(&set);
                    return Ok(Some(set));
                }
                self.encoding.add_clause(&beyond);
            }
            let Some(set) = self.encoding.find_set(&[], conflicts)? else {
                return Ok(None);
            };
            let mut range = members_and_attacked(self.component, &set);
            loop {
                let (mut assumed, beyond) = split_range_literals(ranges, &range);
                assumed.push(self.encoding.add_switchable_clause(beyond));
                match self.encoding.find_set(&assumed, conflicts)? {
                    Some(greater) => range = members_and_attacked(self.component, &greater),
                    None => break,
                }
            }
            *open = Some(range);
        }
    }

    fn member_literals(&self, set: &[bool]) -> Vec<Lit> {
        let members = (0..set.len()).filter(|&a| set[a]);
        members.map(|a| self.encoding.member_literal(a)).collect()
    }

    /// Requires a member that is not in the set.
    fn require_member_outside(&mut self, set: &[bool]) {
        let others = (0..set.len()).filter(|&a| !set[a]);
        let clause: Vec<Lit> = others.map(|a| self.encoding.member_literal(a)).collect();
        self.encoding.add_clause(&clause);
    }

    fn forbid_exactly(&mut self, set: &[bool]) {
        let clause: Vec<Lit> = (0..set.len())
            .map(|a| {
                let inside = self.encoding.member_literal(a);
                if set[a] { !inside } else { inside }
            })
            .collect();
        self.encoding.add_clause(&clause);
    }
}

/// Splits the literals into those in a range and the others.
fn split_range_literals(ranges: &[Lit], range: &[bool]) -> (Vec<Lit>, Vec<Lit>) {
    let (mut within, mut beyond) = (Vec::new(), Vec::new());
    for (literal, inside) in ranges.iter().zip(range) {
        if *inside {
            within.push(*literal);
        } else {
            beyond.push(*literal);
        }
    }
    (within, beyond)
}

fn members_and_attacked(component: &Component, set: &[bool]) -> Vec<bool> {
    let mut range = set.to_vec();
    for a in (0..set.len()).filter(|&a| set[a]) {
        for target in component.af.targets(ArgId::from_index(a)) {
            range[target.index()] = true;
        }
    }
    range
}

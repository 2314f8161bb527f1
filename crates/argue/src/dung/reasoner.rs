use std::marker::PhantomData;
use std::sync::OnceLock;

use super::answer::{Acceptance, Answer, LimitHit, SearchLimits};
use super::component::{Component, Parts};
use super::search::{ExtensionSearch, Family, Want};
use super::{Batsat, Extensions, Mode, Sat, Semantics};
use crate::{Af, ArgId, Label};

/// Answers questions about the extensions of a framework.
///
/// The grounded labelling decides what it can. The rest splits into independent components, each of
/// which a [`Sat`] solver searches separately. The choice of solver affects only the witnesses and
/// the order of extensions.
/// which witness is shown and the order of extensions.
///
/// ```
/// use agon_argue::{Af, ArgId, Mode, Reasoner, Semantics};
///
/// // 0 and 1 attack each other, both attack 2, and 2 attacks 3.
/// let af = Af::new(4, &[(0, 1), (1, 0), (0, 2), (1, 2), (2, 3)])?;
/// let reasoner = Reasoner::new(&af);
/// assert_eq!(af.grounded_extension(), []);
/// let floating = reasoner.decide_acceptance(Semantics::Preferred, Mode::Skeptical, ArgId(3))?;
/// assert!(floating.accepted);
/// let mut all = reasoner.extensions(Semantics::Stable)?.collect::<Result<Vec<_>, _>>()?;
/// all.sort();
/// assert_eq!(all, [[ArgId(0), ArgId(3)], [ArgId(1), ArgId(3)]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reasoner<'a, S = Batsat> {
    af: &'a Af,
    limits: SearchLimits,
    labels: Vec<Label>,
    undecided: OnceLock<Parts>,
    whole: OnceLock<Parts>,
    solver: PhantomData<fn() -> S>,
}

impl<'a> Reasoner<'a> {
    /// Creates a reasoner with the default solver and no limit.
    pub fn new(af: &'a Af) -> Self {
        Self::with_limits(af, SearchLimits::default())
    }
}

impl<'a, S: Sat> Reasoner<'a, S> {
    /// Creates a reasoner with a limit for each question.
    pub fn with_limits(af: &'a Af, limits: SearchLimits) -> Self {
        Self {
            af,
            limits,
            labels: af.grounded(),
            undecided: OnceLock::new(),
            whole: OnceLock::new(),
            solver: PhantomData,
        }
    }

    /// Returns an iterator over all extensions.
    ///
    /// # Errors
    ///
    /// If the limit is hit before the search begins; the iterator reports later hits.
    pub fn extensions(&self, semantics: Semantics) -> Result<Extensions<'_, S>, LimitHit> {
        let mut conflicts = self.limits.conflicts;
        let Some(family) = search_family(semantics) else {
            let only = self.unique_extension(semantics, &mut conflicts)?;
            return Ok(Extensions::new(only, Vec::new(), conflicts));
        };
        let parts = self.parts_for(family);
        let searches = parts
            .components
            .iter()
            .map(|component| ExtensionSearch::new(component, family, &mut conflicts))
            .collect::<Result<_, _>>()?;
        Ok(Extensions::new(parts.fixed.clone(), searches, conflicts))
    }

    /// Decides whether one argument is accepted, with a witness.
    ///
    /// # Errors
    ///
    /// If the limit is hit.
    ///
    /// # Panics
    ///
    /// If the framework has no argument `a`.
    pub fn decide_acceptance(
        &self,
        semantics: Semantics,
        mode: Mode,
        a: ArgId,
    ) -> Result<Answer, LimitHit> {
        let mut conflicts = self.limits.conflicts;
        let only = match (semantics, mode) {
            // The grounded extension is complete and part of every other complete one, so it
            // decides.
            (Semantics::Complete, Mode::Skeptical) => Some(self.af.grounded_extension()),
            _ => match search_family(semantics) {
                Some(_) => None,
                None => Some(self.unique_extension(semantics, &mut conflicts)?),
            },
        };
        if let Some(only) = only {
            let accepted = only.binary_search(&a).is_ok();
            let witness = (accepted == (mode == Mode::Credulous)).then_some(only);
            return Ok(Answer { accepted, witness });
        }
        let family = search_family(semantics).unwrap_or(Family::Complete);
        let extension = self.find_witness(family, mode, a, &mut conflicts)?;
        Ok(Answer {
            accepted: extension.is_some() == (mode == Mode::Credulous),
            witness: extension,
        })
    }

    /// Decides for every argument whether it is accepted.
    ///
    /// Cheaper than one question per argument, because each extension found settles many.
    ///
    /// # Errors
    ///
    /// If the limit is hit.
    pub fn mark_accepted(&self, semantics: Semantics, mode: Mode) -> Result<Vec<bool>, LimitHit> {
        let mut conflicts = self.limits.conflicts;
        let mark = |set: &[ArgId]| {
            let mut marks = vec![false; self.af.len()];
            for a in set {
                marks[a.index()] = true;
            }
            marks
        };
        let family = match (search_family(semantics), mode) {
            (None, _) => return Ok(mark(&self.unique_extension(semantics, &mut conflicts)?)),
            (Some(Family::Complete), Mode::Skeptical) => {
                return Ok(mark(&self.af.grounded_extension()));
            }
            // Both accept the same arguments, and complete extensions need not be grown.
            (Some(Family::Complete | Family::Preferred), Mode::Credulous) => Family::Complete,
            (Some(family), _) => family,
        };
        let parts = self.parts_for(family);
        let mut accepted = mark(&parts.fixed);
        for component in &parts.components {
            let Some(local) = self.mark_accepted_in(component, family, mode, &mut conflicts)?
            else {
                // One component without an extension means that the framework has none.
                return Ok(vec![mode == Mode::Skeptical; self.af.len()]);
            };
            for a in component.global_ids(&local) {
                accepted[a.index()] = true;
            }
        }
        Ok(accepted)
    }

    /// Decides for every argument whether some extension and whether every extension contains it.
    ///
    /// Returns the same as two calls of [`Reasoner::mark_accepted`]; for stable semantics it costs
    /// only one.
    ///
    /// # Errors
    ///
    /// If the limit is hit.
    pub fn acceptance(&self, semantics: Semantics) -> Result<Acceptance, LimitHit> {
        if semantics != Semantics::Stable {
            return Ok(Acceptance {
                credulous: self.mark_accepted(semantics, Mode::Credulous)?,
                skeptical: self.mark_accepted(semantics, Mode::Skeptical)?,
            });
        }
        let mut conflicts = self.limits.conflicts;
        let parts = self.parts_for(Family::Stable);
        let mut credulous = vec![false; self.af.len()];
        for a in &parts.fixed {
            credulous[a.index()] = true;
        }
        let mut skeptical = credulous.clone();
        for component in &parts.components {
            let mut search = ExtensionSearch::<S>::new(component, Family::Stable, &mut conflicts)?;
            let mut none = vec![true; component.af.len()];
            let mut all = none.clone();
            let mut any = false;
            while let Some(set) = search.find_next(Want::SomeInside(&none), &mut conflicts)? {
                any = true;
                for (at, inside) in set.into_iter().enumerate() {
                    none[at] &= !inside;
                    all[at] &= inside;
                }
            }
            if !any {
                return Ok(Acceptance {
                    credulous: vec![false; self.af.len()],
                    skeptical: vec![true; self.af.len()],
                });
            }
            // Every further extension contains all of `all`: otherwise it would attack a member
            // with some argument that an extension found above contains as well, together with that
            // member.
            for (at, a) in component.members.iter().enumerate() {
                credulous[a.index()] = !none[at];
                skeptical[a.index()] = all[at];
            }
        }
        Ok(Acceptance {
            credulous,
            skeptical,
        })
    }

    /// Marks the arguments accepted in one component; `None` if it has no extension.
    fn mark_accepted_in(
        &self,
        component: &Component,
        family: Family,
        mode: Mode,
        conflicts: &mut u64,
    ) -> Result<Option<Vec<bool>>, LimitHit> {
        let mut search = ExtensionSearch::<S>::new(component, family, conflicts)?;
        let mut open = vec![true; component.af.len()];
        let mut any = false;
        loop {
            let want = match mode {
                Mode::Credulous => Want::SomeInside(&open),
                Mode::Skeptical => Want::SomeOutside(&open),
            };
            let Some(set) = search.find_next(want, conflicts)? else {
                break;
            };
            any = true;
            for (open, inside) in open.iter_mut().zip(set) {
                *open &= inside == (mode == Mode::Skeptical);
            }
        }
        if !any && family == Family::Stable {
            return Ok(None);
        }
        if mode == Mode::Credulous {
            for open in &mut open {
                *open = !*open;
            }
        }
        Ok(Some(open))
    }

    /// Finds an extension with the argument, or one without it if every extension must contain it.
    fn find_witness(
        &self,
        family: Family,
        mode: Mode,
        a: ArgId,
        conflicts: &mut u64,
    ) -> Result<Option<Vec<ArgId>>, LimitHit> {
        let parts = self.parts_for(family);
        let home = parts
            .components
            .iter()
            .position(|component| component.local_index(a).is_some());
        let mut extension = parts.fixed.clone();
        if home.is_none() {
            let fixed = parts.fixed.binary_search(&a).is_ok();
            if fixed != (mode == Mode::Credulous) {
                return Ok(None);
            }
        }
        // Search the argument's own component first, which decides; the others complete the
        // witness.
        let others = (0..parts.components.len()).filter(|&at| Some(at) != home);
        for at in home.into_iter().chain(others) {
            let component = &parts.components[at];
            let found = if Some(at) == home {
                let local = component.local_index(a).unwrap_or_default();
                self.find_witness_in(component, family, mode, local, conflicts)?
            } else {
                let mut search = ExtensionSearch::<S>::new(component, family, conflicts)?;
                search.find_next(Want::Any, conflicts)?
            };
            match found {
                Some(set) => extension.extend(component.global_ids(&set)),
                None => return Ok(None),
            }
        }
        extension.sort_unstable();
        Ok(Some(extension))
    }

    fn find_witness_in(
        &self,
        component: &Component,
        family: Family,
        mode: Mode,
        a: usize,
        conflicts: &mut u64,
    ) -> Result<Option<Vec<bool>>, LimitHit> {
        let directional = match family {
            Family::Complete | Family::Preferred => true,
            Family::Stable | Family::SemiStable | Family::Stage => false,
        };
        if directional && let Some(above) = component.ancestor_component(a) {
            let Some(local) = above.local_index(ArgId::from_index(a)) else {
                return Ok(None);
            };
            let Some(set) = self.find_witness_directly(&above, family, mode, local, conflicts)?
            else {
                return Ok(None);
            };
            let mut search = ExtensionSearch::<S>::new(component, family, conflicts)?;
            return search.find_superset(&above.global_ids(&set), conflicts);
        }
        self.find_witness_directly(component, family, mode, a, conflicts)
    }

    fn find_witness_directly(
        &self,
        component: &Component,
        family: Family,
        mode: Mode,
        a: usize,
        conflicts: &mut u64,
    ) -> Result<Option<Vec<bool>>, LimitHit> {
        let mut asked = vec![false; component.af.len()];
        asked[a] = true;
        let want = match mode {
            Mode::Credulous => Want::SomeInside(&asked),
            Mode::Skeptical => Want::SomeOutside(&asked),
        };
        ExtensionSearch::<S>::new(component, family, conflicts)?.find_next(want, conflicts)
    }

    /// The only extension, for semantics that always have exactly one.
    fn unique_extension(
        &self,
        semantics: Semantics,
        conflicts: &mut u64,
    ) -> Result<Vec<ArgId>, LimitHit> {
        let parts = self.parts_for(Family::Complete);
        let mut extension = parts.fixed.clone();
        for component in &parts.components {
            let candidates = match semantics {
                Semantics::Ideal => {
                    let mode = Mode::Credulous;
                    let some =
                        self.mark_accepted_in(component, Family::Complete, mode, conflicts)?;
                    some.map(|some| without_accepted_attackers(component, &some))
                }
                Semantics::Eager => {
                    let mode = Mode::Skeptical;
                    self.mark_accepted_in(component, Family::SemiStable, mode, conflicts)?
                }
                _ => None,
            };
            if let Some(candidates) = candidates {
                extension.extend(
                    component.global_ids(&component.greatest_admissible_subset(candidates)),
                );
            }
        }
        extension.sort_unstable();
        Ok(extension)
    }

    fn parts_for(&self, family: Family) -> &Parts {
        match family {
            Family::Complete | Family::Preferred | Family::Stable | Family::SemiStable => self
                .undecided
                .get_or_init(|| Parts::split_undecided(self.af, &self.labels)),
            Family::Stage => self.whole.get_or_init(|| Parts::split_connected(self.af)),
        }
    }
}

/// How a semantics is searched; `None` for those with exactly one extension.
fn search_family(semantics: Semantics) -> Option<Family> {
    match semantics {
        Semantics::Grounded | Semantics::Ideal | Semantics::Eager => None,
        Semantics::Complete => Some(Family::Complete),
        Semantics::Preferred => Some(Family::Preferred),
        Semantics::Stable => Some(Family::Stable),
        Semantics::SemiStable => Some(Family::SemiStable),
        Semantics::Stage => Some(Family::Stage),
    }
}

/// The arguments accepted by an admissible set and not attacked by another one; Dunne 2009.
fn without_accepted_attackers(component: &Component, accepted: &[bool]) -> Vec<bool> {
    (0..accepted.len())
        .map(|a| {
            let mut attackers = component.af.attackers(ArgId::from_index(a)).iter();
            accepted[a] && !attackers.any(|b| accepted[b.index()])
        })
        .collect()
}

use super::search::{ExtensionSearch, Want};
use super::{LimitHit, Sat};
use crate::ArgId;

/// An iterator over the extensions of a framework.
///
/// Each extension appears once, its members in ascending order. The order of the extensions is
/// deterministic but has no meaning. The iterator ends after an error.
#[derive(Debug)]
pub struct Extensions<'r, S> {
    fixed: Vec<ArgId>,
    parts: Vec<Part<'r, S>>,
    conflicts: u64,
    state: ProductState,
}

/// One component, with its extensions computed so far.
#[derive(Debug)]
struct Part<'r, S> {
    search: ExtensionSearch<'r, S>,
    found: Vec<Vec<ArgId>>,
    at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProductState {
    Fresh,
    Running,
    Done,
}

impl<S: Sat> Part<'_, S> {
    /// Computes the extension at the current position if it is not cached yet; returns false if the
    /// component has no more.
    fn ensure_current_found(&mut self, conflicts: &mut u64) -> Result<bool, LimitHit> {
        if self.at < self.found.len() {
            return Ok(true);
        }
        let Some(set) = self.search.find_next(Want::Any, conflicts)? else {
            return Ok(false);
        };
        self.found.push(self.search.component().global_ids(&set));
        Ok(true)
    }
}

impl<'r, S: Sat> Extensions<'r, S> {
    pub(super) fn new(
        fixed: Vec<ArgId>,
        searches: Vec<ExtensionSearch<'r, S>>,
        conflicts: u64,
    ) -> Self {
        let part = |search| Part {
            search,
            found: Vec::new(),
            at: 0,
        };
        Self {
            fixed,
            parts: searches.into_iter().map(part).collect(),
            conflicts,
            state: ProductState::Fresh,
        }
    }

    /// Advances to the next combination; returns false if there are no more.
    fn advance_combination(&mut self) -> Result<bool, LimitHit> {
        for part in &mut self.parts {
            if self.state == ProductState::Running {
                part.at += 1;
            }
            if part.ensure_current_found(&mut self.conflicts)? {
                if self.state == ProductState::Running {
                    return Ok(true);
                }
            } else if part.found.is_empty() {
                return Ok(false);
            } else {
                part.at = 0;
            }
        }
        Ok(self.state == ProductState::Fresh)
    }
}

impl<S: Sat> Iterator for Extensions<'_, S> {
    type Item = Result<Vec<ArgId>, LimitHit>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == ProductState::Done {
            return None;
        }
        match self.advance_combination() {
            Ok(true) => {
                self.state = ProductState::Running;
                let mut extension = self.fixed.clone();
                for part in &self.parts {
                    extension.extend(&part.found[part.at]);
                }
                extension.sort_unstable();
                Some(Ok(extension))
            }
            Ok(false) => {
                self.state = ProductState::Done;
                None
            }
            Err(hit) => {
                self.state = ProductState::Done;
                Some(Err(hit))
            }
        }
    }
}

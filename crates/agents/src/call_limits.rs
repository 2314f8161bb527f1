//! Limits on simultaneous calls that adapt to what each account of a provider can take.
//!
//! A process that runs many debates shares one [`CallLimits`] among them. Without it, each tool has
//! only the fixed number of call slots of its profile. That suffices for a single debate: it makes
//! few calls at once, and the engine records each refusal and repeats the call.

mod account;
mod outage;
mod window;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use agon_record::spec::ToolName;

pub(crate) use account::{AccountLimit, CallEnd};

/// The limits on simultaneous calls, one for each account of a provider. Cheap to clone; all clones
/// share the same limits.
#[derive(Clone)]
pub struct CallLimits(Arc<Shared>);

struct Shared {
    most: usize,
    accounts: Mutex<Accounts>,
}

#[derive(Default)]
struct Accounts {
    by_key: BTreeMap<String, Arc<AccountLimit>>,
    of_tools: BTreeMap<ToolName, Arc<AccountLimit>>,
}

/// The state of one account's limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountUse {
    /// The provider and account: the host and the variable with its key, or the name of a program.
    pub account: String,
    /// The number of simultaneous calls that it may currently make.
    pub limit: usize,
    /// The calls under way.
    pub running: usize,
    /// The calls that wait for a slot.
    pub waiting: usize,
    /// The calls that the provider refused because there were too many.
    pub refused: u64,
    /// All calls that ended.
    pub ended: u64,
}

impl CallLimits {
    /// Returns limits of at most `most` simultaneous calls for each account; at least one.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Shared {
            most: most.max(1),
            accounts: Mutex::default(),
        }))
    }

    /// Returns the most simultaneous calls of one account.
    pub fn most(&self) -> usize {
        self.0.most
    }

    /// Returns the state of every account that was used, sorted by name.
    pub fn accounts(&self) -> Vec<AccountUse> {
        let accounts = self.lock();
        let all = accounts.by_key.iter();
        all.map(|(account, limit)| limit.describe(account))
            .filter(|account| account.running + account.waiting > 0 || account.ended > 0)
            .collect()
    }

    /// Returns the number of simultaneous calls that `tool` may currently make; `None` before its
    /// first call.
    pub fn current_limit(&self, tool: &ToolName) -> Option<usize> {
        let limit = self.lock().of_tools.get(tool).cloned()?;
        Some(limit.current())
    }

    /// Begins the limit of `tool` with `limit` calls, as its first call would.
    #[cfg(feature = "testing")]
    pub fn begin_limit(&self, tool: &ToolName, limit: usize) {
        self.account(tool.to_string(), tool, limit, self.most());
    }

    /// Returns the limit of `account`, which `tool` uses. It begins with `first` calls and never
    /// exceeds `most`.
    pub(crate) fn account(
        &self,
        account: String,
        tool: &ToolName,
        first: usize,
        most: usize,
    ) -> Arc<AccountLimit> {
        let mut accounts = self.lock();
        let limit = accounts.by_key.entry(account);
        let limit = limit.or_insert_with(|| Arc::new(AccountLimit::new(first, most)));
        let limit = Arc::clone(limit);
        accounts.of_tools.insert(tool.clone(), Arc::clone(&limit));
        limit
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Accounts> {
        let accounts = &self.0.accounts;
        accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for CallLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallLimits")
            .field("most", &self.0.most)
            .finish_non_exhaustive()
    }
}

/// Two handles are equal if they share their limits.
impl PartialEq for CallLimits {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CallLimits {}

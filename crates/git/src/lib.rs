//! Finds repositories, and runs the installed git in them without using their configuration.
//!
//! Agon starts git only in this crate. A repository's content is not trusted: it may come from an
//! archive, or a team member may have written it. Git starts programs that a repository's
//! configuration names, so here git never reads that configuration. A [`GitSession`] gives git a
//! configuration written by Agon: settings of the repository that cannot start anything, and
//! settings of the user from a fixed list. The environment is a fixed list, too.
//!
//! Discovery ([`Repository::discover`]) reads files itself. It accepts neither a bare repository
//! that happens to be above a folder, nor a `.git` that points to the git folder of another work
//! tree.

mod discover;
mod environment;
mod fetch;
mod filters;
mod mirror;
mod nested;
mod reftable;
mod repository_config;
mod run;
mod session;
mod untouched;
mod user_config;
mod work_trees;

pub use discover::{DiscoverError, Repository};
pub use environment::PASSED_VARS;
pub use fetch::FETCH_VARS;
pub use fetch::Fetched;
pub use nested::find_git_entries;
pub use repository_config::{ConfigError, RepositoryConfig};
pub use run::{Git, GitError, GitLimits};
pub use session::{FilterScope, GitSession, ScratchSession};
pub use work_trees::{Registration, TreeLink};

//! Refuses files that need a filter which only the repository's own configuration defines.
//!
//! Agon's git does not know such a filter and would store or write those files unfiltered: a secret
//! unencrypted, a notebook with its output. They are refused by name instead.

use crate::run::GitError;
use crate::session::{FilterScope, GitSession};
use crate::user_config::filter_names;

impl GitSession {
    /// Refuses files that need a filter which the user's configuration does not define, but the
    /// repository's does, or might in an included file.
    ///
    /// # Errors
    ///
    /// Fails with the file's name if there is one, or if git fails. If the repository defines no
    /// filter, this costs nothing.
    pub async fn refuse_foreign_filters(&self, scope: FilterScope<'_>) -> Result<(), GitError> {
        let own = filter_names(&self.user);
        let foreign = self.config.filters().into_iter();
        let foreign: Vec<&str> = foreign.filter(|name| !own.contains(name)).collect();
        if foreign.is_empty() && !self.config.has_includes() {
            return Ok(());
        }
        let is_foreign = |name: &str| match self.config.has_includes() {
            // Included files are not read and may define filters, so every filter that the user has
            // not defined counts as the repository's.
            true => !matches!(name, "unspecified" | "unset" | "set") && !own.contains(&name),
            false => foreign.contains(&name),
        };
        let printed = self.filter_attributes(scope).await?;
        let printed = String::from_utf8_lossy(&printed);
        let mut fields = printed.split('\0');
        while let (Some(path), Some(_), Some(filter)) =
            (fields.next(), fields.next(), fields.next())
        {
            if is_foreign(filter) {
                return Err(GitError::Filter {
                    path: path.to_owned(),
                    filter: filter.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Returns git's output on the attribute `filter` of each path: path, name and value, each
    /// terminated by NUL.
    async fn filter_attributes(&self, scope: FilterScope<'_>) -> Result<Vec<u8>, GitError> {
        let of_work_tree = ["check-attr", "--stdin", "-z", "filter"];
        let paths = match scope {
            FilterScope::WorkTree => {
                let args = [
                    "ls-files",
                    "-z",
                    "--cached",
                    "--others",
                    "--exclude-standard",
                ];
                self.run_at_root(&args, b"").await?
            }
            FilterScope::Commit(commit) => {
                // Git before 2.40 cannot read attributes from a commit, so read the commit into an
                // index.
                let index = self.folder.path().join("attributes");
                self.run_with_index(&index, &["read-tree", commit], b"")
                    .await?;
                let names = ["ls-files", "-z", "--cached"];
                let paths = self.run_with_index(&index, &names, b"").await?;
                let of_index = ["check-attr", "--cached", "--stdin", "-z", "filter"];
                return self.run_with_index(&index, &of_index, &paths).await;
            }
            FilterScope::Paths(paths) => {
                let paths = paths.iter().map(|path| format!("{path}\0"));
                paths.collect::<String>().into_bytes()
            }
        };
        self.run_at_root(&of_work_tree, &paths).await
    }
}

//! Files that need a filter which only the repository's own configuration defines.
//!
//! Git never learns of such a filter here, and would store or write those files as they are: a secret
//! unencrypted, a notebook with its output. They are refused by name instead.

use crate::run::GitError;
use crate::session::{FilterScope, GitSession};
use crate::user_config::filters_of;

impl GitSession {
    /// Refuses files that need a filter which the user's configuration does not define and the
    /// repository's does, or may, in a file that it includes.
    ///
    /// # Errors
    ///
    /// If there is one, with its name; or if git fails. Costs nothing where the repository defines no
    /// filter.
    pub async fn refuse_foreign_filters(&self, scope: FilterScope<'_>) -> Result<(), GitError> {
        let own = filters_of(&self.user);
        let foreign = self.config.filters().into_iter();
        let foreign: Vec<&str> = foreign.filter(|name| !own.contains(name)).collect();
        if foreign.is_empty() && !self.config.has_includes() {
            return Ok(());
        }
        let is_foreign = |name: &str| match self.config.has_includes() {
            // What the included files define is not known.
            true => !matches!(name, "unspecified" | "unset" | "set") && !own.contains(&name),
            false => foreign.contains(&name),
        };
        let (paths, source) = self.paths_of(scope).await?;
        let mut args = vec!["check-attr", "--stdin", "-z"];
        args.extend(source.as_deref());
        args.push("filter");
        let printed = self.run_at_root(&args, &paths).await?;
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

    /// The paths to ask about, each with a NUL behind it, and where their attributes are.
    async fn paths_of(
        &self,
        scope: FilterScope<'_>,
    ) -> Result<(Vec<u8>, Option<String>), GitError> {
        Ok(match scope {
            FilterScope::WorkTree => {
                let args = [
                    "ls-files",
                    "-z",
                    "--cached",
                    "--others",
                    "--exclude-standard",
                ];
                (self.run_at_root(&args, b"").await?, None)
            }
            FilterScope::Commit(commit) => {
                let args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
                let source = format!("--source={commit}");
                (self.run_at_root(&args, b"").await?, Some(source))
            }
            FilterScope::Paths(paths) => {
                let paths = paths.iter().map(|path| format!("{path}\0"));
                (paths.collect::<String>().into_bytes(), None)
            }
        })
    }
}

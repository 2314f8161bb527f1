//! Runs git in the project that a context is read from.

use std::time::Duration;

use agon_caller::hint::flag_with;
use agon_caller::{Caller, Failure};
use agon_git::{DiscoverError, Git, GitError, GitLimits, GitSession, Repository};

use super::{MAX_BYTES, refusal, use_context};

/// Limits of a call, for which a person waits.
const LIMITS: GitLimits = GitLimits {
    time: Duration::from_secs(30),
    output: MAX_BYTES * 4,
};

/// Git in the caller's project.
pub(crate) struct ProjectGit(GitSession);

impl ProjectGit {
    /// Opens git for commands that read files of the work tree.
    ///
    /// # Errors
    ///
    /// If git is not installed, or the project is not in a repository that it can handle.
    pub(crate) async fn open(caller: &Caller) -> Result<Self, Failure> {
        let (git, repository) = find(caller)?;
        let session = GitSession::open(&git, &repository).await.map_err(failure)?;
        Ok(Self::at(caller, session))
    }

    /// Opens git for commands on commits only.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub(crate) fn open_for_objects(caller: &Caller) -> Result<Self, Failure> {
        let (git, repository) = find(caller)?;
        let session = GitSession::open_for_objects(&git, &repository).map_err(failure)?;
        Ok(Self::at(caller, session))
    }

    fn at(caller: &Caller, mut session: GitSession) -> Self {
        let project = caller.project();
        session.set_cwd(project.canonicalize().unwrap_or(project));
        Self(session)
    }

    pub(crate) fn session(&self) -> &GitSession {
        &self.0
    }

    /// Returns the failure of a call. A git older than the repository does not know its extensions.
    fn failure(&self, error: GitError) -> Failure {
        let needs_new_git = ["extensions.refstorage", "extensions.objectformat"]
            .iter()
            .any(|key| self.0.config().value(key).is_some());
        match error {
            GitError::Failed { .. } if needs_new_git => failure(error)
                .hint("check whether `git status` works there; you may have to update git"),
            error => failure(error),
        }
    }

    /// Returns whether the clone lacks its earlier commits.
    pub(crate) fn is_shallow(&self) -> bool {
        self.0.repository().common_dir.join("shallow").exists()
    }

    /// Returns the output of git, whatever its length.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub(crate) async fn run_long(&self, args: &[&str]) -> Result<String, Failure> {
        self.0.text(args).await.map_err(|error| self.failure(error))
    }

    /// Returns the output of git.
    ///
    /// # Errors
    ///
    /// If it fails, or the output is too large for a context.
    pub(crate) async fn run(&self, args: &[&str]) -> Result<String, Failure> {
        let printed = self.0.run_within(args, b"", LIMITS).await;
        let printed = printed.map_err(|error| self.failure(error))?;
        // Replace bytes that are not UTF-8 instead of failing, so that the other changes are shown.
        Ok(String::from_utf8_lossy(&printed).into_owned())
    }
}

fn find(caller: &Caller) -> Result<(Git, Repository), Failure> {
    let git = Git::find(&caller.vars_os).map_err(failure)?;
    let repository = Repository::discover(&caller.project()).map_err(GitError::from);
    Ok((git, repository.map_err(failure)?))
}

pub(crate) fn failure(error: GitError) -> Failure {
    match error {
        GitError::Missing => refusal(error.to_string()).hint(use_context("file=PATH")),
        GitError::Flooded { .. } => {
            refusal(format!("the diff exceeds the limit of {MAX_BYTES} bytes"))
        }
        GitError::Failed { .. } | GitError::Discover(DiscoverError::None(_)) => refusal(
            agon_record::text::strip_control_characters(&error.to_string()),
        )
        .hint(
            flag_with("context", "diff")
                .text(" and commit=A..B require a git repository with a commit"),
        ),
        error => refusal(error.to_string()).hint(error.hint()),
    }
}

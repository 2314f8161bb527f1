//! A repository with three members, each in a separate work tree.

use std::path::PathBuf;

use agon_caller::{CallFront, Caller, Failure, Notes};
use agon_team::store::{ClaimRequest, HolderStep, JoinRequest, NewTask};
use agon_teamwork::{
    SubmitRequest, TaskId, TeamTaskDoc, add as add_task, claim, init, join, step, submit,
};
use agon_testkit::{Sandbox, add, git};
use tokio_util::sync::CancellationToken;

/// A repository with a commit and work trees beside it.
pub(crate) struct Repository {
    sandbox: Sandbox,
}

impl Repository {
    /// A team with a lead, who works in the project, and two workers.
    pub(crate) fn with_team() -> Self {
        let sandbox = Sandbox::new();
        let project = sandbox.project();
        git(&project, &["init", "-q", "-b", "main"]);
        add(&project, "greet.sh", "echo Hello\n");
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "begin"]);
        let team = Self { sandbox };
        for name in ["ada", "bob"] {
            let tree = team.tree(name);
            let args = ["worktree", "add", "-q", "-b", name, tree.to_str().unwrap()];
            git(&project, &args);
        }
        init(&team.caller("lea")).unwrap();
        for (name, role) in [("lea", "lead"), ("ada", "worker"), ("bob", "worker")] {
            let request = JoinRequest {
                name: name.parse().unwrap(),
                role: role.parse().unwrap(),
                host: "claude".to_owned(),
            };
            join(&team.caller(name), &request).unwrap();
        }
        team
    }

    /// Returns a caller in this member's work tree.
    pub(crate) fn caller(&self, name: &str) -> Caller {
        let env = self.sandbox.command_env().into_iter();
        let env = env.map(|(name, value)| (name.into(), value.into()));
        Caller::new(env.collect(), self.tree(name))
    }

    /// Returns the work tree of a member; the lead's is the project.
    pub(crate) fn tree(&self, name: &str) -> PathBuf {
        match name {
            "lea" => self.sandbox.project(),
            other => self.sandbox.project().with_file_name(other),
        }
    }

    /// Returns the user's home.
    pub(crate) fn home(&self) -> PathBuf {
        self.sandbox.home()
    }
}

/// Returns the task of a document, as its members name it.
pub(crate) fn id(task: Result<TeamTaskDoc, Failure>) -> String {
    task.unwrap().task.id.to_string()
}

/// Discards what a command notes.
#[derive(Default)]
pub(crate) struct Front;

impl Notes for Front {
    fn note(&mut self, _: &str) {}

    fn warn(&mut self, _: &str) {}
}

impl CallFront for Front {
    fn cancel_token(&mut self) -> CancellationToken {
        CancellationToken::new()
    }
}

impl Repository {
    /// Adds a task, and lets a member claim and start it; returns its id.
    pub(crate) async fn begin(&self, name: &str, new: NewTask) -> TaskId {
        let task = add_task(&self.caller("lea"), new).unwrap().task.id;
        self.claim(name, task).await;
        step(&self.caller(name), task, None, HolderStep::Start).unwrap();
        task
    }

    pub(crate) async fn claim(&self, name: &str, task: TaskId) {
        let request = ClaimRequest {
            task: Some(task),
            ..ClaimRequest::default()
        };
        claim(&self.caller(name), &request).await.unwrap();
    }

    /// Commits a text as greet.sh in a member's work tree; returns the commit.
    pub(crate) fn commit(&self, name: &str, text: &str) -> String {
        let tree = self.tree(name);
        add(&tree, "greet.sh", text);
        git(&tree, &["commit", "-q", "-a", "-m", "change"]);
        git(&tree, &["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Submits what a member has checked out.
    pub(crate) async fn submit(&self, name: &str, task: TaskId) -> Result<TeamTaskDoc, Failure> {
        let request = SubmitRequest {
            task,
            epoch: None,
            commit: "HEAD".to_owned(),
            no_change: None,
        };
        submit(&self.caller(name), &request).await
    }
}

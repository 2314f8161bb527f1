//! A repository with three members, each in a work tree of its own.

use std::path::PathBuf;

use agon_caller::{Caller, Failure};
use agon_team::store::JoinRequest;
use agon_teamwork::{TeamTaskDoc, init, join};
use agon_testkit::{Sandbox, add, git};

/// A repository with a commit and work trees beside it.
pub(crate) struct Repository {
    sandbox: Sandbox,
}

impl Repository {
    /// A team with a lead, who has the project, and two workers.
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

    /// Whoever asks from the work tree of this member.
    pub(crate) fn caller(&self, name: &str) -> Caller {
        let env = self.sandbox.command_env().into_iter();
        let env = env.map(|(name, value)| (name.into(), value.into()));
        Caller::new(env.collect(), self.tree(name))
    }

    /// The work tree of a member; that of the lead is the project.
    pub(crate) fn tree(&self, name: &str) -> PathBuf {
        match name {
            "lea" => self.sandbox.project(),
            other => self.sandbox.project().with_file_name(other),
        }
    }

    /// The user's home.
    pub(crate) fn home(&self) -> PathBuf {
        self.sandbox.home()
    }
}

/// The task of a document, as its members call it.
pub(crate) fn id(task: Result<TeamTaskDoc, Failure>) -> String {
    task.unwrap().task.id.to_string()
}

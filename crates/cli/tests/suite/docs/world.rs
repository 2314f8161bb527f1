//! The folders that the commands of a page run in.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agon_testkit::{Env, FakeTools, Sandbox, Script, add, git};

use crate::cli::record::sick;
use crate::team::started::Team;

/// Columns of what a page shows.
const WIDTH: usize = 96;

/// A home, a project and an environment.
pub(super) struct World {
    home: PathBuf,
    project: PathBuf,
    env: Env,
    /// What is removed with it.
    _owner: Owner,
}

enum Owner {
    Sandbox(#[expect(dead_code, reason = "removed when it is dropped")] Sandbox),
    Tools(#[expect(dead_code, reason = "removed when they are dropped")] (Sandbox, FakeTools)),
    Team(#[expect(dead_code, reason = "removed when it is dropped")] Team),
}

impl World {
    /// The world of this name:
    ///
    /// - `tools`: an empty project, and Claude Code, Codex and Gemini CLI, which hold the debate on
    ///   the job store;
    /// - `trial`: the same, but they also answer questions outside a debate;
    /// - `code`: as `tools`, with a commit and a change that is not committed;
    /// - `session`: a project with the record of a session of Claude Code;
    /// - `team`: a repository with a script, and Claude Code, which makes two files.
    pub(super) fn new(name: &str) -> Self {
        let mut world = match name {
            "tools" => Self::with_tools(),
            "trial" => Self::with_answers(),
            "code" => Self::with_code(),
            "session" => Self::with_session(),
            "team" => Self::with_team(),
            other => panic!("there is no world `{other}`"),
        };
        for (name, value) in [
            ("AGON_TRANSPORT", "cli"),
            ("AGON_FALLBACK", "none"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_AUTHOR_NAME", "Lea"),
            ("GIT_AUTHOR_EMAIL", "lea@example.invalid"),
            ("GIT_COMMITTER_NAME", "Lea"),
            ("GIT_COMMITTER_EMAIL", "lea@example.invalid"),
        ] {
            world.env.insert(name.into(), value.into());
        }
        world
    }

    fn of_sandbox(sandbox: Sandbox) -> Self {
        Self {
            home: sandbox.home(),
            project: sandbox.project(),
            env: sandbox.command_env(),
            _owner: Owner::Sandbox(sandbox),
        }
    }

    fn with_tools() -> Self {
        Self::with_script(&Script::job_store())
    }

    fn with_answers() -> Self {
        let mut script = Script::job_store();
        script.default = "Answer: A (60%)".to_owned();
        Self::with_script(&script)
    }

    fn with_script(script: &Script) -> Self {
        let sandbox = Sandbox::new();
        let tools = FakeTools::with(&["claude", "codex", "gemini"]).script(script);
        let mut env = sandbox.env_with_path(tools.dir());
        env.insert("GEMINI_API_KEY".into(), "placeholder".into());
        Self {
            home: sandbox.home(),
            project: sandbox.project(),
            env,
            _owner: Owner::Tools((sandbox, tools)),
        }
    }

    fn with_code() -> Self {
        let world = Self::with_tools();
        let project = &world.project;
        git(project, &["symbolic-ref", "HEAD", "refs/heads/main"]);
        add(project, ".gitignore", "/debates/\n");
        add(project, "src/store.rs", "pub struct Store;\n");
        git(project, &["add", "."]);
        git(project, &["commit", "-q", "-m", "Begin"]);
        add(project, "src/store.rs", "pub struct Store(PathBuf);\n");
        world
    }

    fn with_session() -> Self {
        let world = Self::of_sandbox(Sandbox::new());
        let project = world.project.canonicalize().unwrap();
        let slug = project.to_string_lossy().into_owned();
        let slug = slug.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let folder = world.home.join(".claude/projects").join(slug);
        std::fs::create_dir_all(&folder).unwrap();
        sick(&project).write(&folder);
        world
    }

    fn with_team() -> Self {
        let team = Team::without_members();
        let project = team.place.project();
        git(&project, &["branch", "-q", "-M", "main"]);
        team.mood("r1-planner", "pair");
        team.mood("r1-scout", "object");
        team.mood("r1-reviewer", "approve");
        team.mood("r1-t1", "greets");
        team.mood("r1-t2", "documents");
        Self {
            home: team.place.home(),
            project: team.place.project(),
            env: team.place.env.clone(),
            _owner: Owner::Team(team),
        }
    }

    /// Runs a line of a shell: what it prints on both streams, and its exit code.
    pub(super) fn run(&self, line: &str) -> (String, i32) {
        let agon = env!("CARGO_BIN_EXE_agon");
        let line = format!("exec 2>&1\nagon() {{ '{agon}' --width {WIDTH} \"$@\"; }}\n{line}");
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(&self.project)
            .env_clear()
            .envs(&self.env)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        (
            self.with_usual_places(&printed),
            output.status.code().unwrap_or(-1),
        )
    }

    /// `text` with the folders of this run as those of a user.
    fn with_usual_places(&self, text: &str) -> String {
        let parent = self.project.parent().unwrap().to_path_buf();
        let real = parent.canonicalize().unwrap();
        // A folder as Claude Code names it.
        let slug = |path: &Path| path_text(path).replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let mut text = text.to_owned();
        for (slug, shown) in [
            (slug(&real.join("project")), "-project"),
            (slug(&self.project), "-project"),
        ] {
            text = text.replace(&slug, shown);
        }
        for (place, shown) in [
            (&self.home, "~"),
            (&self.project, "~/project"),
            (&real, "~"),
            (&parent, "~"),
        ] {
            text = text.replace(&path_text(place), shown);
        }
        text
    }
}

fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

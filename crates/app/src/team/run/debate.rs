//! The plan of a run is debated before it is carried out.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_proc::{Limits, Program, Unwatched, run_program};
use agon_team::store::{RunDoc, Team};
use serde_json::Value;

use super::RunContext;
use crate::detach::background_program;
use crate::failure::{Failure, FailureKind};
use crate::guard::with_guard;
use crate::team::door::failure;
use crate::team::member::TOKEN_VAR;

const TOPIC: &str = "Carry this plan out as it stands, or send it back?";

/// The file of the plan, in the work tree of the run.
const PLAN_FILE: &str = "agon-plan.md";

/// Longer than any debate takes; its own bounds end it before.
const TIMEOUT: Duration = Duration::from_secs(4 * 60 * 60);

impl RunContext<'_> {
    /// Has the plan debated: an ordinary debate, kept in the git folder. It is carried out only with a
    /// verdict of full authority that says so; else the run stops for a person.
    pub(super) async fn debate(&self, team: &mut Team, run: &RunDoc) -> Result<(), Failure> {
        self.make_tree().await?;
        let tree = self.tree()?;
        write(&tree.join(PLAN_FILE), &describe(run))?;
        let folder = self.location.common_dir.join("agon").join("debates");
        let slug = format!("plan-{}", run.run);
        let path = folder.join(&slug);
        let args = match path.exists() {
            // A run that was killed in it goes on with it; one that is over is told again.
            true => vec!["resume".into(), path.into(), "--json".into()],
            false => vec![
                "debate".into(),
                TOPIC.into(),
                "--context".into(),
                format!("file={PLAN_FILE}").into(),
                "--slug".into(),
                slug.clone().into(),
                "--json".into(),
            ],
        };
        let mut env = self.caller.vars_os.clone();
        env.remove(std::ffi::OsStr::new(TOKEN_VAR));
        env.insert("AGON_DEBATES_DIR".into(), folder.into());
        let program = Program {
            path: background_program(self.caller)?.to_owned(),
            args,
            env,
            cwd: tree,
        };
        let limits = Limits {
            deadline: TIMEOUT,
            output: 4 * 1024 * 1024,
            grace: Duration::from_secs(10),
            drain: Duration::from_millis(500),
            leaves_strays: false,
        };
        let watch = with_guard(self.caller, Arc::new(Unwatched));
        let ended = run_program(&program, b"", &limits, &watch, self.cancel)
            .await
            .map_err(|error| Failure::from_error(FailureKind::Tool, "not_started", &error))?;
        if self.cancel.is_cancelled() {
            return Ok(());
        }
        let document: Value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
        let (favours, said) = judge(&document);
        let said = self.line(&format!("{slug}: {said}"));
        team.record_debate(&self.actor, self.run, &said)
            .map_err(failure)?;
        if favours {
            return team.begin_work(&self.actor, self.run).map_err(failure);
        }
        let ask = format!(
            "its plan is not carried out ({said}); whoever agrees to it all the same types \
             `agon team run --resume {} --agreed`",
            self.run
        );
        self.stop(team, &self.line(&ask))
    }
}

/// Whether a debate says that the plan is to be carried out, and what it says in a line.
///
/// Anything else than these words, and any lesser authority, is a no.
fn judge(document: &Value) -> (bool, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if document["schema"] == "agon.error/1" {
        return (false, text(&document["error"]["message"]));
    }
    let answer = text(&document["answer"]);
    let authority = text(&document["authority"]);
    let words = answer.to_lowercase();
    let says_yes = words.contains("carry") && words.contains("out");
    let says_no = ["send", "back", "not", "n't", "unless", "after"]
        .iter()
        .any(|no| words.contains(no));
    let said = match answer.is_empty() {
        true => "it came to no verdict".to_owned(),
        false => format!("{answer} ({authority})"),
    };
    (authority == "full" && says_yes && !says_no, said)
}

/// A plan as its debaters read it.
fn describe(run: &RunDoc) -> String {
    let mut text = format!("# Plan of {}\n\nGoal: {}\n", run.run, run.goal);
    for (place, task) in (1..).zip(run.plan.iter().flatten()) {
        let needs: Vec<String> = task.needs.iter().map(ToString::to_string).collect();
        text.push_str(&format!("\n## {place}. {}\n\n{}\n", task.title, task.spec));
        if !needs.is_empty() {
            text.push_str(&format!("\nNeeds: {}\n", needs.join(", ")));
        }
    }
    text
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|cause| {
        let message = format!("cannot write {}: {cause}", path.display());
        Failure::new(FailureKind::Store, "store", message)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_plain_yes_of_full_authority_is_one() {
        let yes = "Carry the plan out as it stands";
        for (answer, authority, expected) in [
            (yes, "full", true),
            (yes, "unstable", false),
            (yes, "partial", false),
            ("Send it back", "full", false),
            ("Do not carry it out", "full", false),
            ("Carry it out after task 2 was split", "full", false),
            ("Use SQLite for the job store", "full", false),
            ("", "full", false),
        ] {
            let document =
                json!({"schema": "agon.result/4", "answer": answer, "authority": authority});
            assert_eq!(judge(&document).0, expected, "{answer} {authority}");
        }
        let error = json!({"schema": "agon.error/1", "error": {"message": "no tool is here"}});
        assert_eq!(judge(&error), (false, "no tool is here".to_owned()));
        assert!(!judge(&Value::Null).0);
    }
}

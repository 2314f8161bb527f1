//! Checks a change against the policies before its review. This applies to every AI tool, including
//! tools that cannot refuse an edit themselves.

use agon_caller::{Code, Failure};
use agon_hosts::content::Role;
use agon_install::team_files::team_content;
use agon_team::id::{IdError, RoleName};
use agon_team::policy::{PolicyEffect, PolicyQuestion};
use agon_team::store::Actor;
use agon_team::task::Task;

use super::{RunContext, branch_of};
use crate::edit_limit::may_edit;
use crate::git::run_git;
use crate::open_team::failure;
use crate::trees::ChangedPath;
use crate::{permissions, policy, trees};

/// Returns the role with this name.
fn find_role(name: &str) -> Result<Role, Failure> {
    let mut roles = team_content()?.roles.into_iter();
    roles.find(|it| it.name == name).ok_or_else(|| {
        let message = format!("there is no role `{name}`");
        Failure::new(Code::UnknownRole, message)
    })
}

impl RunContext<'_> {
    /// Returns the error of an invalid policy file. Everything is denied then, and no member can
    /// fix the file.
    pub(super) fn policy_fault(&self) -> Result<Option<String>, Failure> {
        let policies = policy::check(self.caller, None)?;
        let broken = policies.files.into_iter().find_map(|file| {
            let fault = file.fault?;
            Some(format!("invalid policy {}: {fault}", file.path.display()))
        });
        Ok(broken)
    }

    /// Returns the strictest ruling of the policies on the files of a change, with its reason, or
    /// `None` if everything is allowed.
    pub(super) async fn strictest_policy_ruling(
        &self,
        role: &str,
        commit: &str,
    ) -> Result<Option<(PolicyEffect, String)>, Failure> {
        let found = find_role(role)?;
        let role: RoleName = role
            .parse()
            .map_err(|error: IdError| Failure::from_error(Code::Bug, &error))?;
        let spent = self.team().run(self.run).map_err(failure)?.tokens;
        let between = format!("{}...{commit}", branch_of(self.run));
        let changes = [
            "diff",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "--ignore-submodules=dirty",
            "-z",
            &between,
        ];
        let changes = run_git(self.caller, &self.tree()?, &changes).await?;
        let mut strictest: Option<(PolicyEffect, String)> = None;
        for ChangedPath { path, is_gitlink } in trees::parse_raw(&changes) {
            if !may_edit(&found, &path) {
                let files = found.edit_only.join(", ");
                let why = format!("{role} may edit only {files}, not {path}");
                return Ok(Some((PolicyEffect::Deny, why)));
            }
            if is_gitlink && !permissions::allows_by_rule(self.caller, &self.location, &role, &path)
            {
                let why = format!("{path} is a submodule, and no rule allows changing it");
                return Ok(Some((PolicyEffect::Deny, why)));
            }
            let mut question = PolicyQuestion {
                tool: "edit".to_owned(),
                path: Some(path.clone()),
                ..PolicyQuestion::of(role.clone())
            };
            question.spent.tokens = spent;
            let (file, ruling) = policy::rule_on(self.caller, &self.location, &question);
            if ruling.effect
                > strictest
                    .as_ref()
                    .map_or(PolicyEffect::Allow, |(effect, _)| *effect)
            {
                let place = match (file, ruling.line) {
                    (Some(file), Some(line)) => format!(" ({}:{line})", file.display()),
                    (Some(file), None) => format!(" ({})", file.display()),
                    (None, _) => String::new(),
                };
                strictest = Some((ruling.effect, format!("{path}: {}{place}", ruling.why)));
            }
        }
        Ok(strictest)
    }

    /// Returns whether a person approved the submitted work.
    pub(super) fn has_person_approved(&self, task: &Task) -> Result<bool, Failure> {
        let Some(evidence) = &task.evidence else {
            return Ok(false);
        };
        let reviews = self.team().reviews(task.id).map_err(failure)?;
        let by_person = |reviewer: &str| reviewer == Actor::person().label();
        Ok(reviews
            .iter()
            .any(|it| by_person(it.reviewer.as_str()) && it.approved && it.tree == evidence.tree))
    }
}

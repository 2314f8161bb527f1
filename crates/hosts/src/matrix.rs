//! How each skill, command and agent is installed in a host, one row each.

use crate::compile::{Compiled, CompiledFile, Kind, Target, Unenforceable, compile};
use crate::content::agent::Power;
use crate::content::{Agent, Content};
use crate::field::{FieldOutcome, SourceField};
use crate::host;
use crate::roster::Roster;

/// Outcome of one skill, command or agent in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixRow {
    /// The host.
    pub host: &'static str,
    /// Its kind in the source; a role is an agent.
    pub kind: Kind,
    /// Its name in the source.
    pub name: String,
    /// Its outcome.
    pub outcome: PartOutcome,
    /// Kind and name under which the host lists it; `None` if it is left out.
    pub listed_as: Option<(Kind, String)>,
    /// For an agent: limits that are not enforced because they were waived.
    pub waived: Vec<SourceField>,
    /// For an agent: permissions that it has but this host does not support for agents.
    pub lacks: Vec<Power>,
    /// For an agent: tools that its model is offered, by the names it sees; empty if it is left out.
    pub tools: Vec<String>,
    /// For an agent: additional tools once a team was joined.
    pub team_tools: Vec<String>,
}

/// Outcome of a skill, command or agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartOutcome {
    /// The host has it under the same name.
    Kept,
    /// The host has it in another form or under another name, as described.
    Translated(&'static str),
    /// It is left out because the host cannot enforce these limits.
    LeftOut(Vec<Unenforceable>),
}

/// Returns a row for everything in `content`, in the order of the source.
pub fn matrix(content: &Content, target: &Target<'_>) -> Vec<MatrixRow> {
    let compiled = compile(content, target);
    let skills = content.skills.iter();
    let skills = skills.map(|skill| row(Kind::Skill, &skill.name, target, &compiled));
    let commands = content.commands.iter();
    let commands = commands.map(|command| row(Kind::Command, &command.name, target, &compiled));
    let agents = content.agents.iter();
    let agents = agents.map(|agent| agent_row(&agent.name, agent, target, &compiled));
    let roles = content.roles.iter();
    let roster = Roster::by_default(&content.roles);
    let roles = roles.map(|role| {
        let agent = target.agent_from_role(role, &roster);
        agent_row(&role.name, &agent, target, &compiled)
    });
    skills.chain(commands).chain(agents).chain(roles).collect()
}

fn row(kind: Kind, name: &str, target: &Target<'_>, compiled: &Compiled) -> MatrixRow {
    let failed = compiled.failed.iter();
    let failed: Vec<_> = failed
        .filter(|failed| kind == Kind::Agent && failed.name == name)
        .cloned()
        .collect();
    let mut fields = compiled.fields.iter();
    let named = fields.find(|report| {
        (report.kind, report.name.as_str(), report.field) == (kind, name, SourceField::Name)
    });
    let outcome = match named.map(|report| report.outcome) {
        _ if !failed.is_empty() => PartOutcome::LeftOut(failed),
        Some(FieldOutcome::Translated(how)) => PartOutcome::Translated(how),
        Some(FieldOutcome::Kept | FieldOutcome::NotEnforced(_)) | None => PartOutcome::Kept,
    };
    let file = |kind: Kind| {
        let mut files = compiled.files.iter();
        files.find(|file| (file.kind, file.name.as_str()) == (kind, name))
    };
    // A host without commands gets a skill of the same name instead.
    let file = file(kind).or_else(|| match kind {
        Kind::Command => file(Kind::Skill),
        Kind::Skill | Kind::Agent => None,
    });
    MatrixRow {
        host: target.host.name,
        kind,
        name: name.to_owned(),
        outcome,
        listed_as: file.map(|file| (file.kind, listed_name(file))),
        waived: Vec::new(),
        lacks: Vec::new(),
        tools: Vec::new(),
        team_tools: Vec::new(),
    }
}

fn agent_row(name: &str, agent: &Agent, target: &Target<'_>, compiled: &Compiled) -> MatrixRow {
    let row = row(Kind::Agent, name, target, compiled);
    if row.listed_as.is_none() {
        return row;
    }
    let not_held = |field: &SourceField| {
        let mut fields = compiled.fields.iter();
        let report = fields.find(|report| {
            (report.kind, report.name.as_str(), report.field) == (Kind::Agent, name, *field)
        });
        report.is_none_or(|report| matches!(report.outcome, FieldOutcome::NotEnforced(_)))
    };
    MatrixRow {
        waived: host::limits_to_enforce(agent)
            .into_iter()
            .filter(not_held)
            .collect(),
        lacks: target.lacks(agent),
        tools: target.offered_tools(agent),
        team_tools: target.team_tools(agent),
        ..row
    }
}

/// Returns the name under which a host lists `file`.
fn listed_name(file: &CompiledFile) -> String {
    let name = file.path.split(['.', '/']).next();
    name.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::ContentSet;
    use crate::host::{HOSTS, SERVER, find_host};

    fn rows(host: &str, waived: &[&str]) -> Vec<MatrixRow> {
        let waived: Vec<_> = waived.iter().map(|name| (*name).to_owned()).collect();
        let target = Target {
            host: find_host(host).unwrap(),
            server: SERVER,
            waived: &waived,
            is_for_project: false,
        };
        matrix(&ContentSet::All.content().unwrap(), &target)
    }

    fn row_of(rows: &[MatrixRow], kind: Kind, name: &str) -> MatrixRow {
        let mut rows = rows.iter();
        let is_it = |row: &&MatrixRow| (row.kind, row.name.as_str()) == (kind, name);
        rows.find(is_it).unwrap().clone()
    }

    #[test]
    fn everything_has_a_row_in_every_host() {
        for host in HOSTS {
            let counts = [Kind::Skill, Kind::Command, Kind::Agent].map(|kind| {
                let rows = rows(host.name, &[]);
                rows.iter().filter(|row| row.kind == kind).count()
            });
            assert_eq!(counts, [25, 14, 23], "{}", host.name);
        }
    }

    #[test]
    fn a_row_says_as_what_something_is_listed() {
        let (claude, codex) = (rows("claude", &[]), rows("codex", &[]));
        let plan = row_of(&claude, Kind::Command, "plan");
        let as_command = |name: &str| Some((Kind::Command, name.to_owned()));
        let as_skill = |name: &str| Some((Kind::Skill, name.to_owned()));
        assert_eq!(plan.listed_as, as_command("agon-plan"));
        assert!(matches!(plan.outcome, PartOutcome::Translated(_)));
        let quality = row_of(&claude, Kind::Command, "quality");
        assert_eq!(
            (quality.outcome, quality.listed_as),
            (PartOutcome::Kept, as_command("quality"))
        );
        assert_eq!(
            row_of(&claude, Kind::Command, "debate").listed_as,
            as_skill("debate")
        );
        assert_eq!(
            row_of(&codex, Kind::Command, "quality").listed_as,
            as_skill("quality")
        );
    }

    #[test]
    fn an_agent_that_is_left_out_has_no_tools_and_one_that_is_waived_says_to_what_it_is_not_held() {
        let worker = row_of(&rows("codex", &[]), Kind::Agent, "worker");
        let PartOutcome::LeftOut(fields) = &worker.outcome else {
            panic!("{worker:?}");
        };
        assert_eq!(fields[0].waiver(), "worker.network");
        assert_eq!((worker.listed_as, worker.tools), (None, vec![]));
        let waived = ["worker.network", "worker.delegate", "worker.agon-tools"];
        let worker = row_of(&rows("codex", &waived), Kind::Agent, "worker");
        let fields = [
            SourceField::Power(Power::Network),
            SourceField::Power(Power::Delegate),
            SourceField::AgonTools,
        ];
        assert_eq!(worker.waived, fields);
        assert_eq!(worker.team_tools.len(), 4);
    }

    #[test]
    fn an_agent_has_the_tools_of_a_team_only_where_one_was_joined() {
        let scribe = row_of(&rows("claude", &[]), Kind::Agent, "scribe");
        let tools = "Read Grep Glob Edit Write mcp__agon__debate_result mcp__agon__recall Skill";
        assert_eq!(scribe.tools.join(" "), tools);
        assert_eq!(scribe.team_tools, Vec::<String>::new());
        for (host, tools, of_team) in [
            ("claude", "Read Edit Write Bash Skill", "mcp__agon__"),
            ("opencode", "read grep glob edit write bash skill", "agon_"),
        ] {
            let worker = row_of(&rows(host, &[]), Kind::Agent, "worker");
            assert_eq!(worker.tools.join(" "), tools);
            let team = ["task", "mail", "lock", "gate"].map(|tool| format!("{of_team}{tool}"));
            assert_eq!(worker.team_tools, team);
        }
    }

    #[test]
    fn a_row_says_what_an_agent_cannot_do_although_it_may() {
        let lacks = |host: &str, role: &str| row_of(&rows(host, &[]), Kind::Agent, role).lacks;
        assert_eq!(lacks("gemini", "lead"), [Power::Delegate]);
        assert_eq!(lacks("gemini", "worker"), []);
        assert_eq!(lacks("claude", "lead"), []);
    }
}

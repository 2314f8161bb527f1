//! Compiles the source content to the files of one host.

mod agent;
mod command;
mod skill;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::content::agent::{Power, SERVER_TOOLS};
use crate::content::{Agent, Content, Role};
use crate::field::{FieldOutcome, SourceField};
use crate::host::Host;
use crate::permit::PermissionSetup;
use crate::roster::Roster;

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A skill.
    Skill,
    /// A command.
    Command,
    /// An agent.
    Agent,
}

impl Kind {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Command => "command",
            Self::Agent => "agent",
        }
    }
}

/// The host to compile for, with the options that affect its files.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The host.
    pub host: &'a Host,
    /// Name of Agon's server in the host.
    pub server: &'static str,
    /// Limits that need not be enforced, as `AGENT.FIELD`.
    pub waived: &'a [String],
    /// Whether the files are for one project only.
    pub is_for_project: bool,
}

impl Target<'_> {
    /// Returns the permissions of `agent` that this host does not support for agents.
    pub(crate) fn lacks(&self, agent: &Agent) -> Vec<Power> {
        let lacks = self.host.lacks.iter().copied();
        lacks.filter(|power| agent.may.contains(power)).collect()
    }

    /// Returns the tools that the model of `agent` is offered outside a team, by the names it sees.
    pub(crate) fn offered_tools(&self, agent: &Agent) -> Vec<String> {
        let names = self.host.tool_names(self.server);
        (self.host.offered_tools)(&agent.without_team_tools(), &names, false)
    }

    /// Returns the additional tools that it is offered once a team was joined.
    pub(crate) fn team_tools(&self, agent: &Agent) -> Vec<String> {
        let names = self.host.tool_names(self.server);
        let before = self.offered_tools(agent);
        let mut all = (self.host.offered_tools)(agent, &names, true);
        all.retain(|tool| !before.contains(tool));
        all
    }

    /// Returns the role as an agent of the host.
    pub(crate) fn agent_from_role(&self, role: &Role, roster: &Roster) -> Agent {
        let may = roster.role(&role.name).map(|settings| &settings.may.value);
        let may_delegate = may.unwrap_or(&role.may).contains(&Power::Delegate);
        let can_delegate = may_delegate && !self.host.lacks.contains(&Power::Delegate);
        let name_of = |name: &str| self.host.free_agent_name(name);
        let mut agent = role.agent_with_names(&name_of, can_delegate);
        roster.apply_role_settings(&role.name, self.host.name, &mut agent);
        for skill in &mut agent.skills {
            *skill = self.host.free_skill_name(skill);
        }
        agent
    }
}

/// A file of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledFile {
    /// Its kind.
    pub kind: Kind,
    /// Its name in the source.
    pub name: String,
    /// Its path below the host's folder of such files.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Whether it calls tools of Agon's server.
    pub needs_server: bool,
}

/// How one field was compiled for the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldReport {
    /// Kind of the file that has the field.
    pub kind: Kind,
    /// Its name in the source.
    pub name: String,
    /// The field.
    pub field: SourceField,
    /// Its outcome.
    pub outcome: FieldOutcome,
}

/// A limit of an agent that the host cannot enforce. The agent is therefore not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unenforceable {
    /// The agent.
    pub name: String,
    /// The limit.
    pub field: SourceField,
    /// Why the host cannot enforce it.
    pub reason: &'static str,
}

impl Unenforceable {
    /// Returns the waiver that would allow it, as `AGENT.FIELD`.
    pub fn waiver(&self) -> String {
        format!("{}.{}", self.name, self.field.name())
    }
}

/// The content compiled for one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compiled {
    /// The compiled files.
    pub files: Vec<CompiledFile>,
    /// The outcome of each field.
    pub fields: Vec<FieldReport>,
    /// Limits that cannot be enforced; no file is written for these agents.
    pub failed: Vec<Unenforceable>,
    /// Waivers without effect in this host.
    pub idle_waivers: Vec<String>,
    /// Servers other than Agon's that its roles get, in the host's format.
    pub servers: BTreeMap<String, Value>,
    /// The policy's prohibitions in the host's own permission format.
    pub permissions: Option<PermissionSetup>,
    /// Rules that restrict which files agents may edit, as text for the host's permission file.
    pub agent_rules: Vec<String>,
}

impl Compiled {
    fn report(&mut self, kind: Kind, name: &str, fields: &[(SourceField, FieldOutcome)]) {
        let reports = fields.iter().map(|&(field, outcome)| FieldReport {
            kind,
            name: name.to_owned(),
            field,
            outcome,
        });
        self.fields.extend(reports);
    }

    /// Adds a skill or a command. Tools of the server that it calls are named in backticks in its text.
    fn add_text(&mut self, kind: Kind, name: &str, path: String, text: String) {
        let mut tools = SERVER_TOOLS.iter();
        let needs_server = tools.any(|tool| text.contains(&format!("`{tool}`")));
        self.add(kind, name, path, text, needs_server);
    }

    fn add(&mut self, kind: Kind, name: &str, path: String, text: String, needs_server: bool) {
        self.files.push(CompiledFile {
            kind,
            name: name.to_owned(),
            path,
            text,
            needs_server,
        });
    }
}

/// Compiles `content` for a host, with default settings for every role.
pub fn compile(content: &Content, target: &Target<'_>) -> Compiled {
    compile_with(content, &Roster::by_default(&content.roles), target)
}

/// Compiles `content` for a host, with the model, effort, temperature and limits that `roster` gives each role.
pub fn compile_with(content: &Content, roster: &Roster, target: &Target<'_>) -> Compiled {
    let mut compiled = Compiled::default();
    for skill in &content.skills {
        let mut commands = content.commands.iter();
        let command = commands.find(|command| command.skill.as_ref() == Some(&skill.name));
        skill::compile(skill, command, target, &mut compiled);
    }
    for command in &content.commands {
        command::compile(command, target, &mut compiled);
    }
    let mut idle = target.waived.to_vec();
    for agent in &content.agents {
        agent::compile(&agent.name, agent, target, &mut idle, &mut compiled);
    }
    for role in &content.roles {
        let agent = target.agent_from_role(role, roster);
        agent::compile(&role.name, &agent, target, &mut idle, &mut compiled);
    }
    compiled.idle_waivers = idle;
    let servers = roster.servers().iter();
    let written = servers.map(|(name, server)| (name.clone(), target.host.server.entry(server)));
    compiled.servers = written.collect();
    compiled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content;
    use crate::host::{CommandForm, HOSTS, SERVER, find_host};

    fn compiled(host: &str, waived: &[&str]) -> Compiled {
        let waived: Vec<_> = waived.iter().map(|name| (*name).to_owned()).collect();
        let target = Target {
            host: find_host(host).unwrap(),
            server: SERVER,
            waived: &waived,
            is_for_project: false,
        };
        compile(&content::embedded().unwrap(), &target)
    }

    fn paths(compiled: &Compiled) -> Vec<(Kind, &str)> {
        let files = compiled.files.iter();
        files.map(|file| (file.kind, file.path.as_str())).collect()
    }

    #[test]
    fn a_command_is_left_out_where_its_skill_can_be_typed() {
        for host in HOSTS {
            let compiled = compiled(host.name, &[]);
            let has = |kind, path| paths(&compiled).contains(&(kind, path));
            assert!(has(Kind::Skill, "debate/SKILL.md"), "{}", host.name);
            let commands = compiled.files.iter();
            let commands = commands.filter(|file| file.kind == Kind::Command);
            let typed = commands
                .filter(|file| file.path.starts_with("debate."))
                .count();
            let expected = usize::from(!host.offers_skills_as_commands);
            assert_eq!(typed, expected, "{}", host.name);
            let is_skill = host.commands == CommandForm::Skill;
            assert_eq!(
                has(Kind::Skill, "verdict/SKILL.md"),
                is_skill,
                "{}",
                host.name
            );
        }
    }

    #[test]
    fn a_skill_that_stands_for_a_command_shows_its_arguments_and_explains_them_everywhere() {
        for host in HOSTS {
            let compiled = compiled(host.name, &[]);
            for name in ["debate", "consult"] {
                let is_it = |file: &&CompiledFile| file.kind == Kind::Skill && file.name == name;
                let text = &compiled.files.iter().find(is_it).unwrap().text;
                let (front, body) = text.split_once("\n---\n").unwrap();
                let hint = front
                    .lines()
                    .find(|line| line.starts_with("argument-hint:"));
                match (host.name, name) {
                    ("claude", "debate") => {
                        let typed = "argument-hint: \"TOPIC [--proposer=TOOL] [--challenger=TOOL] ";
                        assert!(hint.unwrap().starts_with(typed), "{hint:?}");
                    }
                    ("claude", _) => assert_eq!(hint, Some("argument-hint: \"QUESTION\"")),
                    _ => assert_eq!(hint, None, "{}", host.name),
                }
                for option in ["--proposer", "--challenger", "--rounds", "--effort"] {
                    let explained = body.contains(&format!("| `{option}="));
                    assert_eq!(explained, name == "debate", "{}: {option}", host.name);
                }
                let outcomes = compiled
                    .fields
                    .iter()
                    .filter(|report| report.name == name && report.field == SourceField::Arguments);
                assert_eq!(outcomes.count(), 1, "{}: {name}", host.name);
            }
            let other = |file: &&CompiledFile| file.name == "decision-record";
            let other = &compiled.files.iter().find(other).unwrap().text;
            assert!(!other.contains("argument-hint"), "{}", host.name);
        }
    }

    #[test]
    fn an_agent_that_cannot_be_held_to_its_limits_fails_unless_that_is_waived_by_name() {
        for host in ["claude", "gemini", "opencode", "copilot"] {
            assert_eq!(compiled(host, &[]).failed, [], "{host}");
        }
        let codex = compiled("codex", &[]);
        let failed: Vec<_> = codex.failed.iter().map(Unenforceable::waiver).collect();
        assert_eq!(
            failed,
            [
                "debate-orchestrator.read",
                "debate-orchestrator.edit",
                "debate-orchestrator.run",
                "debate-orchestrator.network",
                "debate-orchestrator.delegate",
                "debate-orchestrator.agon-tools",
                "debater.edit",
                "debater.run",
                "debater.network",
                "debater.delegate",
                "debater.agon-tools",
                "judge.edit",
                "judge.run",
                "judge.network",
                "judge.delegate",
                "judge.agon-tools",
            ]
        );
        assert!(codex.files.iter().all(|file| file.kind != Kind::Agent));
        let most = ["judge.edit", "judge.run", "judge.network", "judge.delegate"];
        assert!(!paths(&compiled("codex", &most)).contains(&(Kind::Agent, "judge.toml")));
        let all = [&most[..], &["judge.agon-tools", "judge.read"]].concat();
        let waived = compiled("codex", &all);
        assert!(paths(&waived).contains(&(Kind::Agent, "judge.toml")));
        assert_eq!(waived.idle_waivers, ["judge.read"]);
    }

    /// What a team is for a host, with everything waived that `waived` names for every role.
    fn compiled_team(host: &str, waived: &[&str]) -> Compiled {
        let team = content::team().unwrap();
        let roles = team.roles.iter();
        let all: Vec<_> = roles
            .flat_map(|role| waived.iter().map(|field| format!("{}.{field}", role.name)))
            .collect();
        let target = Target {
            host: find_host(host).unwrap(),
            server: SERVER,
            waived: &all,
            is_for_project: false,
        };
        compile(&team, &target)
    }

    #[test]
    fn a_role_is_an_agent_wherever_it_is_held_to_its_limits() {
        for host in ["claude", "gemini", "opencode", "copilot"] {
            let compiled = compiled_team(host, &[]);
            let agents = compiled.files.iter();
            let agents = agents.filter(|file| file.kind == Kind::Agent).count();
            let failed: Vec<_> = compiled.failed.iter().map(Unenforceable::waiver).collect();
            assert_eq!((agents, failed), (20, vec![]), "{host}");
        }
        assert!(
            compiled_team("codex", &[])
                .files
                .iter()
                .all(|file| file.kind != Kind::Agent)
        );
        let limits = [
            "edit-only",
            "read",
            "edit",
            "run",
            "network",
            "delegate",
            "agon-tools",
        ];
        let codex = compiled_team("codex", &limits);
        let agents = codex.files.iter().filter(|file| file.kind == Kind::Agent);
        assert_eq!((agents.count(), codex.failed), (20, vec![]));
    }

    #[test]
    fn what_a_role_may_do_is_what_its_file_says_in_each_host() {
        let text = |host: &str, role: &str| {
            let files = compiled_team(
                host,
                &[
                    "edit-only",
                    "edit",
                    "run",
                    "network",
                    "delegate",
                    "agon-tools",
                ],
            );
            let is_it = |file: &&CompiledFile| file.kind == Kind::Agent && file.name == role;
            files.files.iter().find(is_it).unwrap().text.clone()
        };
        let has = |host, role, line: &str| {
            let text = text(host, role);
            assert!(text.contains(line), "{text}\n{line}");
        };
        has(
            "claude",
            "scout",
            "tools: \"Read, Grep, Glob\"\nmodel: \"haiku\"\n---\n",
        );
        has(
            "claude",
            "librarian",
            "tools: \"Read, Grep, Glob, WebFetch, WebSearch, mcp__agon__recall, Skill\"\n\
             model: \"haiku\"\nskills:\n  - \"parallel-investigation\"\n---\n",
        );
        has(
            "claude",
            "deep-worker",
            "tools: \"Read, Grep, Glob, Edit, Write, Bash, mcp__agon__task, mcp__agon__mail, \
             mcp__agon__lock, mcp__agon__gate, Skill\"\nmodel: \"opus\"\nskills:\n",
        );
        has(
            "codex",
            "reviewer",
            "model_reasoning_effort = \"high\"\nsandbox_mode = \"read-only\"\n",
        );
        has(
            "codex",
            "deep-worker",
            "model_reasoning_effort = \"xhigh\"\ndeveloper_instructions",
        );
        has(
            "gemini",
            "validator",
            "tools:\n  - \"read_file\"\n  - \"grep_search\"\n  - \"glob\"\n  - \"list_directory\"\n  - \"run_shell_command\"\n  - \"mcp_agon_task\"\n  - \"mcp_agon_mail\"\n  - \"mcp_agon_lock\"\n  - \"mcp_agon_gate\"\n  - \"activate_skill\"\ntemperature: 0.1\n",
        );
        has(
            "copilot",
            "executor",
            "tools:\n  - \"read\"\n  - \"search\"\n  - \"edit\"\n  - \"execute\"\n  - \"agent\"\n  - \"agon-task\"\n  - \"agon-mail\"\n  - \"agon-lock\"\n  - \"agon-gate\"\n  - \"skill\"\nskills:\n  - \"executing-plans\"\n",
        );
        has(
            "opencode",
            "scribe",
            "  \"list\": \"allow\"\n  \"agon_debate_result\": \"allow\"\n  \"agon_recall\": \"allow\"\n  \"edit\":\n    \"*\": \"deny\"\n    \"*.md\": \"allow\"\n",
        );
        has(
            "opencode",
            "scribe",
            "  \"skill\":\n    \"*\": \"deny\"\n    \"decision-record\": \"allow\"\n",
        );
    }

    /// It takes `agon/task` for its own tool of that name where the server has none.
    #[test]
    fn no_tool_of_the_server_is_one_of_the_hosts_own_in_copilot() {
        let compiled = compiled_team("copilot", &[]);
        let agents = compiled.files.iter();
        for agent in agents.filter(|file| file.kind == Kind::Agent) {
            assert!(!agent.text.contains("\"agon/"), "{}", agent.text);
        }
    }

    #[test]
    fn an_agent_that_may_edit_some_files_alone_is_bound_by_a_rule_where_no_hook_is_told_of_it() {
        let team = content::team().unwrap();
        let compiled = |is_for_project| {
            let target = Target {
                host: find_host("gemini").unwrap(),
                server: SERVER,
                waived: &[],
                is_for_project,
            };
            compile(&team, &target)
        };
        let (rules, project) = (compiled(false).agent_rules, compiled(true));
        let [rule] = rules.as_slice() else {
            panic!("{rules:?}");
        };
        let rule: toml::Table = toml::from_str(rule).unwrap();
        let rule = &rule["rule"][0];
        assert_eq!(rule["subagent"].as_str(), Some("scribe"));
        assert_eq!(rule["decision"].as_str(), Some("deny"));
        let pattern = r#"\x00"file_path":"[^\x00]*(?<!\.adoc|\.md|\.mdx|\.rst)"\x00"#;
        assert_eq!(rule["argsPattern"].as_str(), Some(pattern));
        // Gemini CLI does not read policies from a project, so nothing would enforce the limit
        // there.
        assert_eq!(project.agent_rules, Vec::<String>::new());
        let failed: Vec<_> = project.failed.iter().map(Unenforceable::waiver).collect();
        assert_eq!(failed, ["scribe.edit-only"]);
    }

    #[test]
    fn a_place_that_no_rule_can_name_leaves_the_agent_out() {
        let mut team = content::team().unwrap();
        team.roles.retain(|role| role.name == "scribe");
        for globs in [vec!["docs/**"], vec!["*.md"], vec!["**/*.m?"]] {
            team.roles[0].edit_only = globs.into_iter().map(str::to_owned).collect();
            let target = Target {
                host: find_host("gemini").unwrap(),
                server: SERVER,
                waived: &[],
                is_for_project: false,
            };
            let compiled = compile(&team, &target);
            let mut files = compiled.files.iter();
            assert!(!files.any(|file| file.kind == Kind::Agent));
            assert_eq!(compiled.failed.len(), 1);
        }
    }

    #[test]
    fn a_role_that_cannot_delegate_in_a_host_is_told_what_it_does_there() {
        let text = |host: &str| {
            let files =
                compiled_team(host, &["edit", "run", "network", "delegate", "agon-tools"]).files;
            let mut files = files.into_iter();
            let is_lead =
                |file: &CompiledFile| (file.kind, file.name.as_str()) == (Kind::Agent, "lead");
            files.find(is_lead).unwrap().text
        };
        for host in HOSTS {
            let text = text(host.name);
            let can = !host.lacks.contains(&Power::Delegate);
            assert_eq!(text.contains("\n## Steps\n"), can, "{}", host.name);
            assert_eq!(
                text.contains("\n## Steps without delegation\n"),
                !can,
                "{}",
                host.name
            );
        }
    }

    #[test]
    fn a_command_of_a_team_never_hides_one_of_the_host() {
        for host in HOSTS {
            let compiled = compiled_team(host.name, &[]);
            let typed = compiled
                .files
                .iter()
                .filter(|file| file.kind != Kind::Agent);
            let names: Vec<_> = typed
                .map(|file| file.path.split(['.', '/']).next().unwrap_or_default())
                .collect();
            for name in host.built_in_commands.iter() {
                assert!(!names.contains(&name), "{}: {name}", host.name);
            }
            for name in ["init-deep", "execute", "quality", "inspect"] {
                assert!(names.contains(&name), "{}: {name}", host.name);
            }
            assert!(names.contains(&"agon-init"), "{}", host.name);
        }
    }

    #[test]
    fn every_safety_field_of_an_agent_has_an_outcome_in_every_host() {
        for host in HOSTS {
            for field in compiled(host.name, &[]).fields {
                let held = matches!(
                    field.outcome,
                    FieldOutcome::Translated(_) | FieldOutcome::Kept
                );
                let is_codex = host.name == "codex";
                let is_safety = matches!(
                    field.field,
                    SourceField::Power(_) | SourceField::EditOnly | SourceField::AgonTools
                );
                assert!(held || is_codex || !is_safety, "{field:?}");
            }
        }
    }

    #[test]
    fn a_skill_with_the_name_of_a_built_in_command_gets_a_prefix_in_its_file_too() {
        let text = "---\nname: \"review\"\ndescription: \"name: x\"\n---\n\nname: y\n";
        let content = content::parse(&[("skills/review/SKILL.md", text)]).unwrap();
        let target = Target {
            host: find_host("copilot").unwrap(),
            server: SERVER,
            waived: &[],
            is_for_project: false,
        };
        let compiled = compile(&content, &target);
        assert_eq!(paths(&compiled), [(Kind::Skill, "agon-review/SKILL.md")]);
        assert_eq!(
            compiled.files[0].text,
            text.replacen("review", "agon-review", 1)
        );
    }
}

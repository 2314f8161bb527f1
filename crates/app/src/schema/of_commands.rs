//! The documents that commands print or people write, besides those of a debate itself.

use agon_hosts::defaults::DefaultsKind;
use agon_verdict::documents::Document;

use super::list::SchemasDoc;
use crate::report;
use crate::tools::{doctor, overview};
use crate::{
    calibrate, check, configuration, consult, evidence, heard, hosts, init, list, model, outcome,
    page, recall, remove, replay, roster, rules, search, section, session_health, skills, stale,
    steer, team, usage, watch,
};

/// The documents that commands make of several debates, or of none.
pub(super) const OF_COMMANDS: &[Document] = &[
    Document::with_output_schema::<list::List>(
        "list",
        list::LIST_SCHEMA,
        "the debates here, with how they stand: agon list",
    ),
    Document::with_output_schema::<heard::HeardDoc>(
        "heard",
        heard::HEARD_SCHEMA,
        "how a debate stands, and what was said in it since: the tool debate_wait of agon mcp",
    ),
    Document::with_output_schema::<calibrate::CalibrationDoc>(
        "calibration",
        calibrate::CALIBRATION_SCHEMA,
        "from which length of a prompt on a model misses what stands in it: agon context calibrate",
    ),
    Document::with_output_schema::<consult::ConsultDoc>(
        "consult",
        consult::SCHEMA,
        "what one tool answered: agon consult",
    ),
    Document::with_output_schema::<consult::ConsultationsDoc>(
        "consultations",
        consult::SCHEMA_OF_SEVERAL,
        "what several tools answered: agon consult",
    ),
    Document::with_output_schema::<watch::EventDoc>(
        "event",
        watch::EVENT_SCHEMA,
        "what happened in a debate, a line each: agon watch --json",
    ),
    Document::with_output_schema::<replay::ReplayDoc>(
        "replay",
        replay::REPLAY_SCHEMA,
        "what is otherwise than it was recorded: agon replay",
    ),
    Document::with_output_schema::<doctor::DoctorDoc>(
        "doctor",
        doctor::SCHEMA,
        "whether the tools here are as their profiles say: agon tools doctor",
    ),
    Document::with_output_schema::<init::InitDoc>(
        "init",
        init::SCHEMA,
        "which tools are here, and who is set to sit where: agon init",
    ),
    Document::with_output_schema::<model::ModelsDoc>(
        "models",
        model::MODELS_SCHEMA,
        "the models that answer in this program: agon model list",
    ),
    Document::with_output_schema::<model::ModelDoc>(
        "model",
        model::MODEL_SCHEMA,
        "one of them, and where it lies: agon model pull, agon model path",
    ),
    Document::with_output_schema::<steer::OrderDoc>(
        "ordered",
        "agon.ordered/1",
        "what an order to a debate comes to: agon judge, agon continue",
    ),
    Document::with_output_schema::<steer::SaidDoc>(
        "said",
        "agon.said/1",
        "what was said into a debate: agon say",
    ),
    Document::with_output_schema::<steer::StopDoc>(
        "stopped",
        "agon.stopped/1",
        "whether a debate stopped: agon stop",
    ),
    Document::with_output_schema::<outcome::PlanDoc<'static>>(
        "plan",
        "agon.plan/1",
        "what a debate would be: agon debate --dry-run",
    ),
    Document::with_output_schema::<section::SectionDoc<'static>>(
        "section",
        "agon.section/1",
        "a section of a debate: agon show --section transcript",
    ),
    Document::with_output_schema::<section::PointDoc<'static>>(
        "point",
        "agon.point/1",
        "one point of a debate: agon show DEBATE POINT",
    ),
    Document::with_output_schema::<check::CheckDoc>(
        "check",
        "agon.check/1",
        "what is wrong with a debate: agon check",
    ),
    Document::with_output_schema::<evidence::EvidenceDoc<'static>>(
        "evidence",
        "agon.evidence/1",
        "what a debate cites: agon evidence",
    ),
    Document::with_output_schema::<report::ReportDoc>(
        "report",
        "agon.report/1",
        "the files of a report: agon report",
    ),
    Document::with_output_schema::<page::PageDoc>(
        "page",
        "agon.page/1",
        "where a debate's page is: agon open",
    ),
    Document::with_output_schema::<remove::RemovedDoc>(
        "removed",
        "agon.removed/1",
        "the debates that were removed: agon rm",
    ),
    Document::with_output_schema::<hosts::InstallationDoc>(
        "installation",
        "agon.installation/1",
        "what was put into AI tools: agon install, agon uninstall",
    ),
    Document::with_output_schema::<hosts::HostsDoc>(
        "hosts",
        "agon.hosts/1",
        "AI tools, and what of Agon is in them: agon hosts",
    ),
    Document::with_output_schema::<hosts::LintDoc>(
        "lint",
        "agon.lint/1",
        "what is wrong with files for AI tools: agon hosts lint",
    ),
    Document::with_output_schema::<roster::RosterDoc>(
        "roster",
        roster::ROSTER_SCHEMA,
        "the roles of a team, and what each may do: agon roster",
    ),
    Document::with_output_schema::<roster::RoleDoc>(
        "role",
        roster::ROLE_SCHEMA,
        "how a role is run, and what hosts make of it: agon roster show",
    ),
    Document::with_output_schema::<roster::RosterMatrixDoc>(
        "roster_matrix",
        roster::ROSTER_MATRIX_SCHEMA,
        "each role in each host: agon roster matrix",
    ),
    Document::with_output_schema::<roster::RosterCheckDoc>(
        "roster_check",
        roster::ROSTER_CHECK_SCHEMA,
        "whether hosts have the roster as it is: agon roster check",
    ),
    Document::with_output_schema::<session_health::ContextDoc>(
        "context",
        session_health::SESSION_HEALTH_SCHEMA,
        "whether the contexts of sessions are still good: agon context",
    ),
    Document::with_output_schema::<skills::SkillsImportDoc>(
        "skills_import",
        skills::SKILLS_IMPORT_SCHEMA,
        "what became of skills of others: agon skills import",
    ),
    Document::with_output_schema::<skills::SkillsMatchDoc>(
        "skills_match",
        skills::SKILLS_MATCH_SCHEMA,
        "the skills for a request, within a budget: agon skills match",
    ),
    Document::with_output_schema::<skills::SkillScoreDoc>(
        "skill_score",
        skills::SKILL_SCORE_SCHEMA,
        "why a skill is given for a request or not: agon skills explain",
    ),
    Document::with_output_schema::<skills::SkillsDoc>(
        "skills",
        skills::SKILLS_SCHEMA,
        "the skills that there are: agon skills list",
    ),
    Document::with_output_schema::<skills::SkillDoc>(
        "skill",
        skills::SKILL_SCHEMA,
        "a skill: agon skills show",
    ),
    Document::with_output_schema::<skills::SkillsLintDoc>(
        "skills_lint",
        skills::SKILLS_LINT_SCHEMA,
        "what is wrong with skills: agon skills lint",
    ),
    Document::with_output_schema::<team::TeamDoc>(
        "team",
        team::TEAM_SCHEMA,
        "the team of a repository: agon team init",
    ),
    Document::with_output_schema::<team::TeamJoinedDoc>(
        "team_joined",
        team::TEAM_JOINED_SCHEMA,
        "a member that joined: agon team join",
    ),
    Document::with_output_schema::<team::TeamLeftDoc>(
        "team_left",
        team::TEAM_LEFT_SCHEMA,
        "a member that left: agon team leave",
    ),
    Document::with_output_schema::<team::TeamRunDoc>(
        "team_run",
        team::TEAM_RUN_SCHEMA,
        "a run of a team, from its goal to what became of each task: agon team run",
    ),
    Document::with_output_schema::<team::TeamLandedDoc>(
        "team_landed",
        team::TEAM_LANDED_SCHEMA,
        "where a branch is after it took a run over: agon team land",
    ),
    Document::with_output_schema::<team::TeamStartedDoc>(
        "team_started",
        team::TEAM_STARTED_SCHEMA,
        "a member that Agon started, and what became of its turn: agon team start",
    ),
    Document::with_output_schema::<team::TeamWatchDoc>(
        "team_watch",
        team::TEAM_WATCH_SCHEMA,
        "what the watch over a team saw and did in a round: agon team watch",
    ),
    Document::with_output_schema::<team::TeamStatusDoc>(
        "team_status",
        team::TEAM_STATUS_SCHEMA,
        "tasks, members and locks of a team: agon team status",
    ),
    Document::with_output_schema::<team::TeamTaskDoc>(
        "team_task",
        team::TEAM_TASK_SCHEMA,
        "a task of a team as it stands after a step: agon team task",
    ),
    Document::with_output_schema::<team::TeamWhyDoc>(
        "team_why",
        team::TEAM_WHY_SCHEMA,
        "all that a task of a team waits for: agon team task why",
    ),
    Document::with_output_schema::<team::gate::TeamGatesDoc>(
        "team_gates",
        "agon.team_gates/1",
        "the gates of a team: agon team gate show",
    ),
    Document::with_output_schema::<team::gate::TeamGateRunDoc>(
        "team_gate_run",
        "agon.team_gate_run/1",
        "what came of a gate: agon team gate run",
    ),
    Document::with_output_schema::<team::gate::TeamGateRunningDoc>(
        "team_gate_running",
        "agon.team_gate_running/1",
        "a gate that still runs: the tool gate of agon mcp",
    ),
    Document::with_output_schema::<team::precommit::TeamPrecommitDoc>(
        "team_precommit",
        "agon.team_precommit/1",
        "the hook before a commit: agon team precommit",
    ),
    Document::with_output_schema::<team::policy::PolicyCheckDoc>(
        "policy_check",
        "agon.policy_check/1",
        "the policies that hold here: agon team policy check",
    ),
    Document::with_output_schema::<team::policy::PolicyRulingDoc>(
        "policy_ruling",
        "agon.policy_ruling/1",
        "what they say of an act: agon team policy explain",
    ),
    Document::with_output_schema::<team::permissions::PolicyCompiledDoc>(
        "policy_compiled",
        team::permissions::POLICY_COMPILED_SCHEMA,
        "what AI tools are given of them: agon team policy compile",
    ),
    Document::with_output_schema::<team::TeamBoardDoc>(
        "team_board",
        team::TEAM_BOARD_SCHEMA,
        "a team as a model is shown it: the tool task of agon mcp",
    ),
    Document::with_output_schema::<team::TeamDoctorDoc>(
        "team_doctor",
        team::TEAM_DOCTOR_SCHEMA,
        "what is wrong with a team's file: agon team doctor",
    ),
    Document::with_output_schema::<team::TeamEventDoc>(
        "team_event",
        team::TEAM_EVENT_SCHEMA,
        "one thing that happened in a team: agon team log --follow",
    ),
    Document::with_output_schema::<team::TeamExportedDoc>(
        "team_exported",
        team::TEAM_EXPORTED_SCHEMA,
        "a team that was written to a file: agon team export FILE",
    ),
    Document::with_output_schema::<team::TeamImportedDoc>(
        "team_imported",
        team::TEAM_IMPORTED_SCHEMA,
        "a team that was read from a file: agon team import",
    ),
    Document::with_output_schema::<team::TeamLockDoc>(
        "team_lock",
        team::TEAM_LOCK_SCHEMA,
        "a lock of a team, granted or waiting: agon team lock take",
    ),
    Document::with_output_schema::<team::TeamLocksDoc>(
        "team_locks",
        team::TEAM_LOCKS_SCHEMA,
        "all locks of a team: agon team lock list",
    ),
    Document::with_output_schema::<team::TeamLogDoc>(
        "team_log",
        team::TEAM_LOG_SCHEMA,
        "what happened in a team: agon team log",
    ),
    Document::with_output_schema::<team::TeamMailDoc>(
        "team_mail",
        team::TEAM_MAIL_SCHEMA,
        "messages to a member of a team: agon team mail fetch",
    ),
    Document::with_output_schema::<team::TeamMailAcknowledgedDoc>(
        "team_mail_acknowledged",
        team::TEAM_MAIL_ACKNOWLEDGED_SCHEMA,
        "messages that were read: agon team mail ack",
    ),
    Document::with_output_schema::<team::TeamMailSentDoc>(
        "team_mail_sent",
        team::TEAM_MAIL_SENT_SCHEMA,
        "a message that was sent: agon team mail send",
    ),
    Document::with_output_schema::<team::TeamMemberDoc>(
        "team_member",
        team::TEAM_MEMBER_SCHEMA,
        "how a member of a team stands: agon team status --why NAME",
    ),
    Document::with_output_schema::<team::TeamUnlockedDoc>(
        "team_unlocked",
        team::TEAM_UNLOCKED_SCHEMA,
        "a lock that was given up: agon team lock release",
    ),
    Document::with_output_schema::<team::TeamUsageDoc>(
        "team_usage",
        team::TEAM_USAGE_SCHEMA,
        "what the turns of a team took, by member, role, tool, model, task and run: agon team usage",
    ),
    Document::with_output_schema::<team::TeamWorkDoc>(
        "team_work",
        team::TEAM_WORK_SCHEMA,
        "a task as a model is shown it: the tool task of agon mcp",
    ),
    Document::with_output_schema::<search::SearchDoc>(
        "search",
        "agon.search/1",
        "the debates in which words stand: agon list --search WORDS",
    ),
    Document::with_output_schema::<recall::Recall>(
        "recall",
        "agon.recall/1",
        "what was decided near a topic: agon recall",
    ),
    Document::with_output_schema::<stale::StaleDoc>(
        "stale",
        stale::STALE_SCHEMA,
        "which decisions rest on places that have changed: agon check --stale",
    ),
    Document::with_output_schema::<usage::Usage>(
        "usage",
        "agon.usage/1",
        "what debates have cost: agon usage",
    ),
    Document::with_output_schema::<overview::ToolsDoc>(
        "tools",
        "agon.tools/1",
        "the tools here: agon tools",
    ),
    Document::with_output_schema::<rules::RulesDoc>(
        "rules",
        "agon.rules/1",
        "the rules: agon rules",
    ),
    Document::with_output_schema::<rules::RuleDoc>(
        "rule",
        "agon.rule/1",
        "one rule, explained: agon rules explain CODE",
    ),
    Document::with_output_schema::<configuration::ConfigurationDoc>(
        "config",
        "agon.config/1",
        "the configuration that holds: agon config show",
    ),
    Document::with_output_schema::<configuration::ConfigFiles>(
        "config_files",
        "agon.config_files/1",
        "its files: agon config path",
    ),
    Document::with_output_schema::<configuration::CheckedConfiguration>(
        "config_check",
        "agon.config_check/1",
        "what is wrong with it: agon config check",
    ),
    Document::with_output_schema::<configuration::ConfigWritten>(
        "config_written",
        "agon.config_written/1",
        "the file that was written: agon config init",
    ),
    Document::with_schema(
        "team_limits",
        "agon.team_limits/1",
        "the limits of a team: [team] in config.toml",
        || schemars::schema_for!(team::TeamLimits).to_value(),
    ),
    Document::with_schema(
        "agents",
        "agon.agents/1",
        "how the roles of a team are run: agents.toml",
        || DefaultsKind::Agents.schema(),
    ),
    Document::with_schema(
        "flags",
        "agon.flags/1",
        "what a team does unless it is told otherwise: flags.toml",
        || DefaultsKind::Flags.schema(),
    ),
    Document::with_schema(
        "profiles",
        "agon.profiles/1",
        "named sets of choices for a team: profiles.toml",
        || DefaultsKind::Profiles.schema(),
    ),
    Document::with_schema(
        "teams",
        "agon.teams/1",
        "who belongs to a team: teams.toml",
        || DefaultsKind::Teams.schema(),
    ),
    Document::with_schema(
        "mcp",
        "agon.mcp/1",
        "servers of the Model Context Protocol, and which roles get them: mcp.toml",
        || DefaultsKind::Servers.schema(),
    ),
    Document::with_output_schema::<SchemasDoc>(
        "schemas",
        "agon.schemas/1",
        "the documents that have a schema: agon schema",
    ),
];

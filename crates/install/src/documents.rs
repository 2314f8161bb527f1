//! The documents about AI tools, roles, skills and the configuration.

use agon_hosts::defaults::DefaultsKind;
use agon_record::document::Document;

use crate::{configuration, hosts, roster, skills};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = &[
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
];

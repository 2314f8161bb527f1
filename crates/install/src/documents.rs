//! The documents about AI tools, roles, skills and the configuration.

use agon_hosts::defaults::DefaultsKind;
use agon_record::document::Document;
use agon_record::documents;

use crate::{configuration, hosts, roster, skills};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = documents! {
    "installation" hosts::InstallationDoc = "agon.installation/1",
        "what was put into AI tools: agon install, agon uninstall";
    "hosts" hosts::HostsDoc = "agon.hosts/1", "AI tools, and what of Agon is in them: agon hosts";
    "lint" hosts::LintDoc = "agon.lint/1", "what is wrong with files for AI tools: agon hosts lint";
    "roster" roster::RosterDoc = roster::ROSTER_SCHEMA,
        "the roles of a team, and what each may do: agon roster";
    "role" roster::RoleDoc = roster::ROLE_SCHEMA,
        "how a role is run, and what hosts make of it: agon roster show";
    "roster_matrix" roster::RosterMatrixDoc = roster::ROSTER_MATRIX_SCHEMA,
        "each role in each host: agon roster matrix";
    "roster_check" roster::RosterCheckDoc = roster::ROSTER_CHECK_SCHEMA,
        "whether hosts have the roster as it is: agon roster check";
    "skills_import" skills::SkillsImportDoc = skills::SKILLS_IMPORT_SCHEMA,
        "what became of skills of others: agon skills import";
    "skills_match" skills::SkillsMatchDoc = skills::SKILLS_MATCH_SCHEMA,
        "the skills for a request, within a budget: agon skills match";
    "skill_score" skills::SkillScoreDoc = skills::SKILL_SCORE_SCHEMA,
        "why a skill is given for a request or not: agon skills explain";
    "skills" skills::SkillsDoc = skills::SKILLS_SCHEMA,
        "the skills that there are: agon skills list";
    "skill" skills::SkillDoc = skills::SKILL_SCHEMA, "a skill: agon skills show";
    "skills_lint" skills::SkillsLintDoc = skills::SKILLS_LINT_SCHEMA,
        "what is wrong with skills: agon skills lint";
    "config" configuration::ConfigurationDoc = "agon.config/1",
        "the configuration that holds: agon config show";
    "config_files" configuration::ConfigFiles = "agon.config_files/1",
        "its files: agon config path";
    "config_check" configuration::CheckedConfiguration = "agon.config_check/1",
        "what is wrong with it: agon config check";
    "config_written" configuration::ConfigWritten = "agon.config_written/1",
        "the file that was written: agon config init";
};

/// The schemas of files that people write.
pub const FILES: &[Document] = &[
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

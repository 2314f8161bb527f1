//! The documents about AI tools, roles, skills and the configuration.

use agon_hosts::defaults::DefaultsKind;
use agon_record::document::Document;
use agon_record::documents;

use crate::{configuration, hosts, roster, skills};

/// Documents that this crate prints and reads.
pub const DOCUMENTS: &[Document] = documents! {
    "installation" hosts::InstallationDoc = "agon.installation/1",
        "what Agon changes in the settings of AI tools: agon install, agon uninstall";
    "hosts" hosts::HostsDoc = "agon.hosts/1", "AI tools and Agon's parts in them: agon hosts";
    "lint" hosts::LintDoc = "agon.lint/1", "problems in files for AI tools: agon hosts lint";
    "roster" roster::RosterDoc = roster::ROSTER_SCHEMA,
        "a team's roles and their permissions: agon roster";
    "role" roster::RoleDoc = roster::ROLE_SCHEMA,
        "settings of a role, and its outcome in hosts: agon roster show";
    "roster_matrix" roster::RosterMatrixDoc = roster::ROSTER_MATRIX_SCHEMA,
        "every role in every host: agon roster matrix";
    "roster_check" roster::RosterCheckDoc = roster::ROSTER_CHECK_SCHEMA,
        "differences between hosts and the roster: agon roster check";
    "skills_import" skills::SkillsImportDoc = skills::SKILLS_IMPORT_SCHEMA,
        "result of importing skills: agon skills import";
    "skills_match" skills::SkillsMatchDoc = skills::SKILLS_MATCH_SCHEMA,
        "the skills for a request, within a budget: agon skills match";
    "skill_score" skills::SkillScoreDoc = skills::SKILL_SCORE_SCHEMA,
        "score of a skill for a request: agon skills explain";
    "skills" skills::SkillsDoc = skills::SKILLS_SCHEMA,
        "all skills: agon skills list";
    "skill" skills::SkillDoc = skills::SKILL_SCHEMA, "a skill: agon skills show";
    "skills_lint" skills::SkillsLintDoc = skills::SKILLS_LINT_SCHEMA,
        "problems in skills: agon skills lint";
    "config" configuration::ConfigurationDoc = "agon.config/1",
        "the effective configuration: agon config show";
    "config_files" configuration::ConfigFiles = "agon.config_files/1",
        "configuration files: agon config path";
    "config_check" configuration::CheckedConfiguration = "agon.config_check/1",
        "problems in the configuration: agon config check";
    "config_written" configuration::ConfigWritten = "agon.config_written/1",
        "a new configuration file: agon config init";
};

/// Schemas of files that people write.
pub const FILES: &[Document] = &[
    Document::with_schema(
        "agents",
        "agon.agents/1",
        "settings of a team's roles: agents.toml",
        || DefaultsKind::Agents.schema(),
    ),
    Document::with_schema(
        "flags",
        "agon.flags/1",
        "flags of a team: flags.toml",
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
        "members of each team: teams.toml",
        || DefaultsKind::Teams.schema(),
    ),
    Document::with_schema(
        "mcp",
        "agon.mcp/1",
        "MCP servers, and the roles that may use them: mcp.toml",
        || DefaultsKind::Servers.schema(),
    ),
];

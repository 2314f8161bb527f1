//! The documents about a team.

use agon_record::document::Document;

use crate::{
    TEAM_BOARD_SCHEMA, TEAM_DOCTOR_SCHEMA, TEAM_EVENT_SCHEMA, TEAM_EXPORTED_SCHEMA,
    TEAM_IMPORTED_SCHEMA, TEAM_JOINED_SCHEMA, TEAM_LANDED_SCHEMA, TEAM_LEFT_SCHEMA,
    TEAM_LOCK_SCHEMA, TEAM_LOCKS_SCHEMA, TEAM_LOG_SCHEMA, TEAM_MAIL_ACKNOWLEDGED_SCHEMA,
    TEAM_MAIL_SCHEMA, TEAM_MAIL_SENT_SCHEMA, TEAM_MEMBER_SCHEMA, TEAM_RUN_SCHEMA, TEAM_SCHEMA,
    TEAM_STARTED_SCHEMA, TEAM_STATUS_SCHEMA, TEAM_TASK_SCHEMA, TEAM_UNLOCKED_SCHEMA,
    TEAM_USAGE_SCHEMA, TEAM_WATCH_SCHEMA, TEAM_WHY_SCHEMA, TEAM_WORK_SCHEMA, TeamBoardDoc, TeamDoc,
    TeamDoctorDoc, TeamEventDoc, TeamExportedDoc, TeamImportedDoc, TeamJoinedDoc, TeamLandedDoc,
    TeamLeftDoc, TeamLimits, TeamLockDoc, TeamLocksDoc, TeamLogDoc, TeamMailAcknowledgedDoc,
    TeamMailDoc, TeamMailSentDoc, TeamMemberDoc, TeamRunDoc, TeamStartedDoc, TeamStatusDoc,
    TeamTaskDoc, TeamUnlockedDoc, TeamUsageDoc, TeamWatchDoc, TeamWhyDoc, TeamWorkDoc, gate,
    permissions, policy, precommit,
};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = &[
    Document::with_output_schema::<TeamDoc>(
        "team",
        TEAM_SCHEMA,
        "the team of a repository: agon team init",
    ),
    Document::with_output_schema::<TeamJoinedDoc>(
        "team_joined",
        TEAM_JOINED_SCHEMA,
        "a member that joined: agon team join",
    ),
    Document::with_output_schema::<TeamLeftDoc>(
        "team_left",
        TEAM_LEFT_SCHEMA,
        "a member that left: agon team leave",
    ),
    Document::with_output_schema::<TeamRunDoc>(
        "team_run",
        TEAM_RUN_SCHEMA,
        "a run of a team, from its goal to what became of each task: agon team run",
    ),
    Document::with_output_schema::<TeamLandedDoc>(
        "team_landed",
        TEAM_LANDED_SCHEMA,
        "where a branch is after it took a run over: agon team land",
    ),
    Document::with_output_schema::<TeamStartedDoc>(
        "team_started",
        TEAM_STARTED_SCHEMA,
        "a member that Agon started, and what became of its turn: agon team start",
    ),
    Document::with_output_schema::<TeamWatchDoc>(
        "team_watch",
        TEAM_WATCH_SCHEMA,
        "what the watch over a team saw and did in a round: agon team watch",
    ),
    Document::with_output_schema::<TeamStatusDoc>(
        "team_status",
        TEAM_STATUS_SCHEMA,
        "tasks, members and locks of a team: agon team status",
    ),
    Document::with_output_schema::<TeamTaskDoc>(
        "team_task",
        TEAM_TASK_SCHEMA,
        "a task of a team as it stands after a step: agon team task",
    ),
    Document::with_output_schema::<TeamWhyDoc>(
        "team_why",
        TEAM_WHY_SCHEMA,
        "all that a task of a team waits for: agon team task why",
    ),
    Document::with_output_schema::<gate::TeamGatesDoc>(
        "team_gates",
        "agon.team_gates/1",
        "the gates of a team: agon team gate show",
    ),
    Document::with_output_schema::<gate::TeamGateRunDoc>(
        "team_gate_run",
        "agon.team_gate_run/1",
        "what came of a gate: agon team gate run",
    ),
    Document::with_output_schema::<gate::TeamGateRunningDoc>(
        "team_gate_running",
        "agon.team_gate_running/1",
        "a gate that still runs: the tool gate of agon mcp",
    ),
    Document::with_output_schema::<precommit::TeamPrecommitDoc>(
        "team_precommit",
        "agon.team_precommit/1",
        "the hook before a commit: agon team precommit",
    ),
    Document::with_output_schema::<policy::PolicyCheckDoc>(
        "policy_check",
        "agon.policy_check/1",
        "the policies that hold here: agon team policy check",
    ),
    Document::with_output_schema::<policy::PolicyRulingDoc>(
        "policy_ruling",
        "agon.policy_ruling/1",
        "what they say of an act: agon team policy explain",
    ),
    Document::with_output_schema::<permissions::PolicyCompiledDoc>(
        "policy_compiled",
        permissions::POLICY_COMPILED_SCHEMA,
        "what AI tools are given of them: agon team policy compile",
    ),
    Document::with_output_schema::<TeamBoardDoc>(
        "team_board",
        TEAM_BOARD_SCHEMA,
        "a team as a model is shown it: the tool task of agon mcp",
    ),
    Document::with_output_schema::<TeamDoctorDoc>(
        "team_doctor",
        TEAM_DOCTOR_SCHEMA,
        "what is wrong with a team's file: agon team doctor",
    ),
    Document::with_output_schema::<TeamEventDoc>(
        "team_event",
        TEAM_EVENT_SCHEMA,
        "one thing that happened in a team: agon team log --follow",
    ),
    Document::with_output_schema::<TeamExportedDoc>(
        "team_exported",
        TEAM_EXPORTED_SCHEMA,
        "a team that was written to a file: agon team export FILE",
    ),
    Document::with_output_schema::<TeamImportedDoc>(
        "team_imported",
        TEAM_IMPORTED_SCHEMA,
        "a team that was read from a file: agon team import",
    ),
    Document::with_output_schema::<TeamLockDoc>(
        "team_lock",
        TEAM_LOCK_SCHEMA,
        "a lock of a team, granted or waiting: agon team lock take",
    ),
    Document::with_output_schema::<TeamLocksDoc>(
        "team_locks",
        TEAM_LOCKS_SCHEMA,
        "all locks of a team: agon team lock list",
    ),
    Document::with_output_schema::<TeamLogDoc>(
        "team_log",
        TEAM_LOG_SCHEMA,
        "what happened in a team: agon team log",
    ),
    Document::with_output_schema::<TeamMailDoc>(
        "team_mail",
        TEAM_MAIL_SCHEMA,
        "messages to a member of a team: agon team mail fetch",
    ),
    Document::with_output_schema::<TeamMailAcknowledgedDoc>(
        "team_mail_acknowledged",
        TEAM_MAIL_ACKNOWLEDGED_SCHEMA,
        "messages that were read: agon team mail ack",
    ),
    Document::with_output_schema::<TeamMailSentDoc>(
        "team_mail_sent",
        TEAM_MAIL_SENT_SCHEMA,
        "a message that was sent: agon team mail send",
    ),
    Document::with_output_schema::<TeamMemberDoc>(
        "team_member",
        TEAM_MEMBER_SCHEMA,
        "how a member of a team stands: agon team status --why NAME",
    ),
    Document::with_output_schema::<TeamUnlockedDoc>(
        "team_unlocked",
        TEAM_UNLOCKED_SCHEMA,
        "a lock that was given up: agon team lock release",
    ),
    Document::with_output_schema::<TeamUsageDoc>(
        "team_usage",
        TEAM_USAGE_SCHEMA,
        "what the turns of a team took, by member, role, tool, model, task and run: agon team usage",
    ),
    Document::with_output_schema::<TeamWorkDoc>(
        "team_work",
        TEAM_WORK_SCHEMA,
        "a task as a model is shown it: the tool task of agon mcp",
    ),
    Document::with_schema(
        "team_limits",
        "agon.team_limits/1",
        "the limits of a team: [team] in config.toml",
        || schemars::schema_for!(TeamLimits).to_value(),
    ),
];

//! The list of the documents about a team.

use agon_record::document::Document;
use agon_record::documents;

use crate::{
    TEAM_ADOPTED_SCHEMA, TEAM_BOARD_SCHEMA, TEAM_CLEAN_SCHEMA, TEAM_DOCTOR_SCHEMA,
    TEAM_EVENT_SCHEMA, TEAM_EXPORTED_SCHEMA, TEAM_IMPORTED_SCHEMA, TEAM_JOINED_SCHEMA,
    TEAM_LANDED_SCHEMA, TEAM_LEFT_SCHEMA, TEAM_LOCK_SCHEMA, TEAM_LOCKS_SCHEMA, TEAM_LOG_SCHEMA,
    TEAM_MAIL_ACKNOWLEDGED_SCHEMA, TEAM_MAIL_LIST_SCHEMA, TEAM_MAIL_SCHEMA, TEAM_MAIL_SENT_SCHEMA,
    TEAM_MEMBER_SCHEMA, TEAM_RUN_SCHEMA, TEAM_SCHEMA, TEAM_SHOWN_SCHEMA, TEAM_STARTED_SCHEMA,
    TEAM_STATUS_SCHEMA, TEAM_TASK_SCHEMA, TEAM_TASKS_SCHEMA, TEAM_UNLOCKED_SCHEMA,
    TEAM_USAGE_SCHEMA, TEAM_WATCH_SCHEMA, TEAM_WHY_SCHEMA, TEAM_WORK_SCHEMA, TeamAdoptedDoc,
    TeamBoardDoc, TeamCleanDoc, TeamDoc, TeamDoctorDoc, TeamEventDoc, TeamExportedDoc,
    TeamImportedDoc, TeamJoinedDoc, TeamLandedDoc, TeamLeftDoc, TeamLimits, TeamLockDoc,
    TeamLocksDoc, TeamLogDoc, TeamMailAcknowledgedDoc, TeamMailDoc, TeamMailListDoc,
    TeamMailSentDoc, TeamMemberDoc, TeamRunDoc, TeamShownDoc, TeamStartedDoc, TeamStatusDoc,
    TeamTaskDoc, TeamTasksDoc, TeamUnlockedDoc, TeamUsageDoc, TeamWatchDoc, TeamWhyDoc,
    TeamWorkDoc, gate, permissions, policy, precommit, worktree,
};

/// The documents that this crate prints and reads.
pub const DOCUMENTS: &[Document] = documents! {
    "team" TeamDoc = TEAM_SCHEMA, "the team of a repository: agon team init";
    "team_joined" TeamJoinedDoc = TEAM_JOINED_SCHEMA, "a member that joined: agon team join";
    "team_left" TeamLeftDoc = TEAM_LEFT_SCHEMA, "a member that left: agon team leave";
    "team_run" TeamRunDoc = TEAM_RUN_SCHEMA,
        "a run of a team: its goal, its tasks and their results: agon team run";
    "team_landed" TeamLandedDoc = TEAM_LANDED_SCHEMA,
        "the commit of a branch after landing a run: agon team land";
    "team_started" TeamStartedDoc = TEAM_STARTED_SCHEMA,
        "a member that Agon started, with the result of its turn: agon team start";
    "team_watch" TeamWatchDoc = TEAM_WATCH_SCHEMA,
        "what one round of the watch found and did: agon team watch";
    "team_status" TeamStatusDoc = TEAM_STATUS_SCHEMA,
        "tasks, members and locks of a team: agon team status";
    "team_task" TeamTaskDoc = TEAM_TASK_SCHEMA,
        "a task of a team after a step: agon team task";
    "team_why" TeamWhyDoc = TEAM_WHY_SCHEMA,
        "everything that a task of a team waits for: agon team task why";
    "team_gates" gate::TeamGatesDoc = "agon.team_gates/1",
        "the gates of a team: agon team gate show";
    "team_gates_proposed" gate::TeamGatesProposedDoc = gate::TEAM_GATES_PROPOSED_SCHEMA,
        "gates proposed from a project's files: agon team gate propose";
    "team_gate_run" gate::TeamGateRunDoc = "agon.team_gate_run/1",
        "the result of a gate: agon team gate run";
    "team_gate_running" gate::TeamGateRunningDoc = "agon.team_gate_running/1",
        "a gate that is still running: the tool gate of agon mcp";
    "team_clean" TeamCleanDoc = TEAM_CLEAN_SCHEMA,
        "work trees and branches of finished members, removed or kept: agon team clean";
    "team_worktree" worktree::TeamWorktreeDoc = worktree::TEAM_WORKTREE_SCHEMA,
        "how members' new work trees are set up: agon team worktree";
    "team_precommit" precommit::TeamPrecommitDoc = "agon.team_precommit/1",
        "the hook before a commit: agon team precommit";
    "policy_check" policy::PolicyCheckDoc = "agon.policy_check/1",
        "the policies that apply here: agon team policy check";
    "policy_ruling" policy::PolicyRulingDoc = "agon.policy_ruling/1",
        "how the policies rule on an action: agon team policy explain";
    "policy_compiled" permissions::PolicyCompiledDoc = permissions::POLICY_COMPILED_SCHEMA,
        "how the policies are translated for AI tools: agon team policy compile";
    "team_board" TeamBoardDoc = TEAM_BOARD_SCHEMA,
        "a team, as models see it: the tool task of agon mcp";
    "team_doctor" TeamDoctorDoc = TEAM_DOCTOR_SCHEMA,
        "the health of a team's file: agon team doctor";
    "team_event" TeamEventDoc = TEAM_EVENT_SCHEMA,
        "one event of a team: agon team log --follow";
    "team_exported" TeamExportedDoc = TEAM_EXPORTED_SCHEMA,
        "a team that was written to a file: agon team export FILE";
    "team_imported" TeamImportedDoc = TEAM_IMPORTED_SCHEMA,
        "a team that was read from a file: agon team import";
    "team_lock" TeamLockDoc = TEAM_LOCK_SCHEMA,
        "a lock of a team, granted or waiting: agon team lock take";
    "team_locks" TeamLocksDoc = TEAM_LOCKS_SCHEMA, "all locks of a team: agon team lock list";
    "team_log" TeamLogDoc = TEAM_LOG_SCHEMA, "the events of a team: agon team log";
    "team_mail" TeamMailDoc = TEAM_MAIL_SCHEMA,
        "messages to a member of a team: agon team mail fetch";
    "team_mail_acknowledged" TeamMailAcknowledgedDoc = TEAM_MAIL_ACKNOWLEDGED_SCHEMA,
        "acknowledged messages: agon team mail ack";
    "team_mail_sent" TeamMailSentDoc = TEAM_MAIL_SENT_SCHEMA,
        "a message that was sent: agon team mail send";
    "team_member" TeamMemberDoc = TEAM_MEMBER_SCHEMA,
        "the state of a member: agon team status --why NAME";
    "team_adopted" TeamAdoptedDoc = TEAM_ADOPTED_SCHEMA,
        "tasks of another list that were imported: agon team import";
    "team_mail_list" TeamMailListDoc = TEAM_MAIL_LIST_SCHEMA,
        "senders and recipients of a team's messages: agon team mail list";
    "team_shown" TeamShownDoc = TEAM_SHOWN_SCHEMA,
        "everything known about a task of a team: agon team task show";
    "team_tasks" TeamTasksDoc = TEAM_TASKS_SCHEMA, "tasks of a team: agon team task list";
    "team_unlocked" TeamUnlockedDoc = TEAM_UNLOCKED_SCHEMA,
        "a lock that was released: agon team lock release";
    "team_usage" TeamUsageDoc = TEAM_USAGE_SCHEMA,
        "tokens and time of a team's turns, by member, role, tool, model and task: agon team usage";
    "team_work" TeamWorkDoc = TEAM_WORK_SCHEMA,
        "a task, as models see it: the tool task of agon mcp";
};

/// The schemas of files written by users.
pub const FILES: &[Document] = &[Document::with_schema(
    "team_limits",
    "agon.team_limits/1",
    "the limits of a team: [team] in config.toml",
    || schemars::schema_for!(TeamLimits).to_value(),
)];

//! The tables of the store.

/// The migrations from one version of the file to the next; the first starts from an empty file. A
/// released migration is never edited.
pub(super) const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE member (
        name TEXT PRIMARY KEY NOT NULL,
        role TEXT NOT NULL,
        host TEXT NOT NULL,
        token_hash BLOB UNIQUE,
        joined_ms INTEGER NOT NULL,
        left_ms INTEGER,
        started INTEGER NOT NULL DEFAULT 0 CHECK (started IN (0, 1)),
        CHECK ((token_hash IS NULL) = (left_ms IS NOT NULL))
    ) STRICT;
    CREATE TABLE task (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,
        spec TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('draft', 'ready', 'claimed', 'running', 'waiting',
            'review', 'done', 'failed', 'cancelled')),
        priority INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        holder TEXT REFERENCES member (name),
        lease_boot TEXT,
        lease_uptime_ms INTEGER,
        lease_wall_ms INTEGER,
        wait_reason TEXT,
        wait_until TEXT,
        attempt INTEGER NOT NULL,
        max_attempts INTEGER NOT NULL,
        needs_review INTEGER NOT NULL CHECK (needs_review IN (0, 1)),
        evidence TEXT,
        note TEXT,
        claimed_seq INTEGER NOT NULL,
        changed_seq INTEGER NOT NULL,
        CHECK ((state IN ('claimed', 'running', 'waiting')) = (holder IS NOT NULL)),
        CHECK ((holder IS NULL) = (lease_boot IS NULL)),
        CHECK ((holder IS NULL) = (lease_uptime_ms IS NULL)),
        CHECK ((holder IS NULL) = (lease_wall_ms IS NULL)),
        CHECK ((state = 'waiting') = (wait_reason IS NOT NULL)),
        CHECK ((wait_reason IS NULL) = (wait_until IS NULL)),
        CHECK (state NOT IN ('review', 'done') OR evidence IS NOT NULL)
    ) STRICT;
    CREATE INDEX task_ready ON task (priority DESC, id) WHERE state = 'ready';
    CREATE INDEX task_leased ON task (lease_uptime_ms) WHERE holder IS NOT NULL;
    CREATE TABLE task_gate (
        task INTEGER NOT NULL REFERENCES task (id),
        gate TEXT NOT NULL,
        PRIMARY KEY (task, gate)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE task_worker (
        task INTEGER NOT NULL REFERENCES task (id),
        member TEXT NOT NULL REFERENCES member (name),
        PRIMARY KEY (task, member)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE dep (
        task INTEGER NOT NULL REFERENCES task (id),
        needs INTEGER NOT NULL REFERENCES task (id),
        PRIMARY KEY (task, needs)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dep_needs ON dep (needs);
    CREATE TABLE path_lock (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task INTEGER NOT NULL REFERENCES task (id),
        epoch INTEGER NOT NULL,
        holder TEXT NOT NULL REFERENCES member (name),
        globs TEXT NOT NULL,
        mode TEXT NOT NULL CHECK (mode IN ('shared', 'exclusive')),
        granted INTEGER NOT NULL CHECK (granted IN (0, 1)),
        reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX path_lock_task ON path_lock (task);
    CREATE TABLE message (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        thread INTEGER NOT NULL,
        sender TEXT NOT NULL,
        trust TEXT NOT NULL CHECK (trust IN ('peer', 'lead', 'person', 'team')),
        recipient TEXT NOT NULL,
        body TEXT NOT NULL,
        key TEXT,
        sent_ms INTEGER NOT NULL,
        UNIQUE (sender, key)
    ) STRICT;
    CREATE INDEX message_thread ON message (thread);
    CREATE TABLE delivery (
        message INTEGER NOT NULL REFERENCES message (id),
        member TEXT NOT NULL REFERENCES member (name),
        state TEXT NOT NULL CHECK (state IN ('queued', 'leased', 'delivered', 'acknowledged')),
        fetch INTEGER NOT NULL,
        fetch_until TEXT,
        delivered_ms INTEGER,
        acknowledged_ms INTEGER,
        PRIMARY KEY (member, message),
        CHECK ((state = 'leased') = (fetch_until IS NOT NULL)),
        CHECK ((state IN ('delivered', 'acknowledged')) = (delivered_ms IS NOT NULL)),
        CHECK ((state = 'acknowledged') = (acknowledged_ms IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE gate_run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task INTEGER NOT NULL REFERENCES task (id),
        gate TEXT NOT NULL,
        tree TEXT NOT NULL,
        passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
        outcome TEXT NOT NULL,
        took_ms INTEGER NOT NULL,
        log TEXT
    ) STRICT;
    CREATE INDEX gate_run_task ON gate_run (task);
    CREATE TABLE review (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        task INTEGER NOT NULL REFERENCES task (id),
        reviewer TEXT NOT NULL REFERENCES member (name),
        tree TEXT NOT NULL,
        approved INTEGER NOT NULL CHECK (approved IN (0, 1)),
        note TEXT NOT NULL
    ) STRICT;
    CREATE INDEX review_task ON review (task);
    CREATE TABLE event (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        at_ms INTEGER NOT NULL,
        actor TEXT NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        detail TEXT NOT NULL
    ) STRICT;
    CREATE INDEX event_subject ON event (subject, seq);
    CREATE TABLE session (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        member TEXT NOT NULL REFERENCES member (name),
        host TEXT NOT NULL,
        model TEXT,
        task INTEGER REFERENCES task (id),
        work_tree TEXT,
        log TEXT,
        base TEXT,
        restarts INTEGER NOT NULL,
        pgid INTEGER,
        leader_start INTEGER,
        mark TEXT,
        runner TEXT,
        boot TEXT NOT NULL,
        began_ms INTEGER NOT NULL,
        began_uptime_ms INTEGER NOT NULL,
        host_event_ms INTEGER,
        team_call_ms INTEGER,
        edit_ms INTEGER,
        renewal_ms INTEGER,
        open_tool_ms INTEGER,
        repeats INTEGER NOT NULL DEFAULT 0,
        idle_turns INTEGER NOT NULL DEFAULT 0,
        tree TEXT,
        state TEXT NOT NULL,
        evidence TEXT NOT NULL,
        changed_ms INTEGER NOT NULL,
        rung TEXT NOT NULL,
        rung_ms INTEGER NOT NULL DEFAULT 0,
        ending TEXT,
        closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
        CHECK ((pgid IS NULL) = (leader_start IS NULL)),
        CHECK ((pgid IS NULL) = (mark IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX session_open ON session (member) WHERE closed = 0;
    CREATE TABLE lease (
        name TEXT PRIMARY KEY NOT NULL,
        holder TEXT NOT NULL,
        boot TEXT NOT NULL,
        until_uptime_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        goal TEXT NOT NULL,
        hosts TEXT NOT NULL,
        base TEXT NOT NULL,
        stage TEXT NOT NULL CHECK (stage IN ('planning', 'debating', 'working', 'done', 'stopped')),
        plan TEXT,
        agreed INTEGER NOT NULL CHECK (agreed IN (0, 1)),
        debate TEXT,
        note TEXT,
        max_tokens INTEGER,
        tokens INTEGER NOT NULL,
        gates TEXT NOT NULL DEFAULT '[]'
    ) STRICT;
    CREATE TABLE run_task (
        run INTEGER NOT NULL REFERENCES run (id),
        task INTEGER NOT NULL REFERENCES task (id),
        merged TEXT,
        PRIMARY KEY (run, task)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE session_usage (
        session INTEGER PRIMARY KEY NOT NULL REFERENCES session (id),
        took_ms INTEGER NOT NULL,
        input INTEGER,
        cached INTEGER,
        output INTEGER,
        estimated INTEGER CHECK (estimated IN (0, 1)),
        cost_micros INTEGER,
        CHECK ((input IS NULL) = (output IS NULL))
    ) STRICT;
",
    "
    ALTER TABLE task ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE task ADD COLUMN assignee TEXT;
    ALTER TABLE task ADD COLUMN base TEXT;
    UPDATE task SET place = id;
    DROP INDEX task_ready;
    CREATE INDEX task_ready ON task (priority DESC, place, id) WHERE state = 'ready';
    CREATE TABLE task_label (
        task INTEGER NOT NULL REFERENCES task (id),
        label TEXT NOT NULL,
        PRIMARY KEY (task, label)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE task_origin (
        task INTEGER PRIMARY KEY NOT NULL REFERENCES task (id),
        source TEXT NOT NULL,
        foreign_id TEXT NOT NULL,
        fields TEXT NOT NULL,
        UNIQUE (source, foreign_id)
    ) STRICT;
    ALTER TABLE message ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0 CHECK (urgent IN (0, 1));
",
    "
    ALTER TABLE run ADD COLUMN policy TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE run_task ADD COLUMN returned INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN profile TEXT;
",
];

/// An exported table with its columns. It comes after the tables that it refers to.
pub(super) struct ExportedTable {
    pub(super) name: &'static str,
    pub(super) columns: &'static [&'static str],
    /// The columns that its lines are sorted by.
    pub(super) order: &'static str,
}

const fn table(
    name: &'static str,
    order: &'static str,
    columns: &'static [&'static str],
) -> ExportedTable {
    ExportedTable {
        name,
        columns,
        order,
    }
}

/// Everything except token hashes: after an import, members join again.
pub(super) const EXPORTED: &[ExportedTable] = &[
    table(
        "member",
        "name",
        &["name", "role", "host", "joined_ms", "left_ms"],
    ),
    table(
        "task",
        "id",
        &[
            "id",
            "title",
            "spec",
            "state",
            "priority",
            "epoch",
            "holder",
            "lease_boot",
            "lease_uptime_ms",
            "lease_wall_ms",
            "wait_reason",
            "wait_until",
            "attempt",
            "max_attempts",
            "needs_review",
            "evidence",
            "note",
            "claimed_seq",
            "changed_seq",
            "place",
            "assignee",
            "base",
        ],
    ),
    table("task_label", "task, label", &["task", "label"]),
    table(
        "task_origin",
        "task",
        &["task", "source", "foreign_id", "fields"],
    ),
    table("task_gate", "task, gate", &["task", "gate"]),
    table("task_worker", "task, member", &["task", "member"]),
    table("dep", "task, needs", &["task", "needs"]),
    table(
        "path_lock",
        "id",
        &[
            "id", "task", "epoch", "holder", "globs", "mode", "granted", "reason",
        ],
    ),
    table(
        "message",
        "id",
        &[
            "id",
            "thread",
            "sender",
            "trust",
            "recipient",
            "body",
            "key",
            "sent_ms",
            "urgent",
        ],
    ),
    table(
        "delivery",
        "message, member",
        &[
            "message",
            "member",
            "state",
            "fetch",
            "fetch_until",
            "delivered_ms",
            "acknowledged_ms",
        ],
    ),
    table(
        "gate_run",
        "id",
        &[
            "id", "task", "gate", "tree", "passed", "outcome", "took_ms", "log",
        ],
    ),
    table(
        "review",
        "id",
        &["id", "task", "reviewer", "tree", "approved", "note"],
    ),
    // Without the process columns, because the process does not run on the importing machine.
    table(
        "session",
        "id",
        &[
            "id",
            "member",
            "host",
            "model",
            "profile",
            "task",
            "restarts",
            "boot",
            "began_ms",
            "began_uptime_ms",
            "state",
            "evidence",
            "changed_ms",
            "rung",
            "ending",
            "closed",
        ],
    ),
    table(
        "session_usage",
        "session",
        &[
            "session",
            "took_ms",
            "input",
            "cached",
            "output",
            "estimated",
            "cost_micros",
        ],
    ),
    table(
        "run",
        "id",
        &[
            "id",
            "goal",
            "hosts",
            "gates",
            "base",
            "stage",
            "plan",
            "agreed",
            "debate",
            "note",
            "max_tokens",
            "tokens",
            "policy",
        ],
    ),
    table(
        "run_task",
        "run, task",
        &["run", "task", "merged", "returned"],
    ),
    table(
        "event",
        "seq",
        &["seq", "at_ms", "actor", "kind", "subject", "detail"],
    ),
];

//! The error codes: one [`Code`] for each kind of failure, and its meaning.
//!
//! Each code is a line of the table below and a section of its family's file in `code/pages/`. A
//! section contains the meaning, the usual causes, and the commands that help. The names are an
//! interface for programs and never change.

use std::borrow::Cow;

use agon_record::event::CauseCode;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// The kind of a failure's cause; front ends turn it into an exit code or a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The debate ended without a verdict.
    NoVerdict,
    /// The request is invalid.
    Usage,
    /// The configuration is invalid.
    Config,
    /// A tool is missing or logged out.
    Tool,
    /// A limit was reached before a verdict.
    Limit,
    /// The debate's folder cannot be used.
    Store,
    /// A bug.
    Bug,
    /// The request was cancelled.
    Cancelled,
}

/// A family of codes with one subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeFamily {
    /// Its name, such as `debates`.
    pub name: &'static str,
    /// Its pages in Markdown: a heading, then a section for each code.
    pub pages: &'static str,
}

/// The page of a code: its meaning, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePage {
    /// What went wrong, in one sentence.
    pub about: &'static str,
    /// The usual causes, followed by a list of commands that help, in Markdown.
    pub text: &'static str,
}

macro_rules! codes {
    ($($family:ident { $($code:ident = $name:literal $kind:ident,)* })*) => {
        /// The code of an error, for programs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = concat!("`", $name, "`.")] $code,)*)*
        }

        impl Code {
            /// Every code, by family.
            pub const ALL: &[Self] = &[$($(Self::$code,)*)*];

            const fn entry(self) -> (&'static str, FailureKind) {
                match self {
                    $($(Self::$code => ($name, FailureKind::$kind),)*)*
                }
            }

            /// Returns the family of the code.
            pub const fn family(self) -> CodeFamily {
                match self {
                    $($(Self::$code)|* => CodeFamily {
                        name: stringify!($family),
                        pages: include_str!(concat!("code/pages/", stringify!($family), ".md")),
                    },)*
                }
            }
        }
    };
}

// The default kind of each code; `Failure::kind` sets another one.
codes! {
    general {
        Usage = "usage" Usage,
        MissingParameter = "missing_parameter" Usage,
        InvalidParameter = "invalid_parameter" Usage,
        NotJson = "not_json" Usage,
        NotConfirmed = "not_confirmed" Usage,
        NoTerminal = "no_terminal" Usage,
        Terminal = "terminal" Usage,
        Environment = "environment" Usage,
        Stdin = "stdin" Store,
        Stdout = "stdout" Store,
        Cancelled = "cancelled" Cancelled,
        Editor = "editor" Usage,
        NoBrowser = "no_browser" Usage,
        Shell = "shell" Usage,
        UnknownSchema = "unknown_schema" Usage,
        UnknownRule = "unknown_rule" Usage,
        UnknownCode = "unknown_code" Usage,
        Bug = "bug" Bug,
        Runtime = "runtime" Bug,
        Entropy = "entropy" Bug,
        Json = "json" Bug,
        Completions = "completions" Bug,
        Man = "man" Bug,
        Failpoint = "failpoint" Usage,
    }
    configuration {
        Configuration = "configuration" Config,
        Config = "config" Config,
        Profile = "profile" Config,
        Exists = "exists" Usage,
        ToolNotConfigured = "tool_not_configured" Usage,
        ConsentNeeded = "consent_needed" Usage,
        LimitRaised = "limit_raised" Usage,
        DailyTokens = "daily_tokens" Usage,
        MonthlyTokens = "monthly_tokens" Limit,
    }
    debates {
        UnknownDebate = "unknown_debate" Usage,
        Unreadable = "unreadable" Usage,
        Damaged = "damaged" Store,
        Locked = "locked" Store,
        Busy = "busy" Store,
        Store = "store" Store,
        DiskFull = "disk_full" Store,
        ForeignEdit = "foreign_edit" Store,
        Import = "import" Store,
        NewerFormat = "newer_format" Store,
        LeadsOut = "leads_out" Usage,
        Index = "index" Store,
        Empty = "empty" NoVerdict,
        Recorded = "recorded" Usage,
        NotRemovable = "not_removable" Usage,
        SlugTaken = "slug_taken" Usage,
        Unanswered = "unanswered" Store,
    }
    starting {
        TooFewTools = "too_few_tools" Tool,
        SameTool = "same_tool" Usage,
        OpenQuestion = "open_question" Usage,
        SmallModel = "small_model" Usage,
        ImpossibleBound = "impossible_bound" Usage,
        KeysNotUsed = "keys_not_used" Tool,
        DownloadNotPermitted = "download_not_permitted" Tool,
        Depth = "depth" Usage,
        ContextRefused = "context_refused" Usage,
        NotStarted = "not_started" Bug,
        Demo = "demo" Bug,
    }
    running {
        NoVerdict = "no_verdict" NoVerdict,
        Unfinished = "unfinished" NoVerdict,
        Limit = "limit" Limit,
        AllTimedOut = "all_timed_out" NoVerdict,
        ProposerLost = "proposer_lost" NoVerdict,
        JudgeLost = "judge_lost" NoVerdict,
        TurnLost = "turn_lost" NoVerdict,
        NoTurns = "no_turns" NoVerdict,
        StaleReply = "stale_reply" Usage,
        EmptySeat = "empty_seat" Usage,
        SeatTaken = "seat_taken" Usage,
        NoSubstitute = "no_substitute" Tool,
        Tool = "tool" Tool,
    }
    steering {
        Closed = "closed" Usage,
        Judging = "judging" Usage,
        Formal = "formal" Usage,
        Rounds = "rounds" Usage,
        TooLarge = "too_large" Usage,
        Run = "run" Usage,
        NotAwaited = "not_awaited" Usage,
        BlankAnswer = "blank_answer" Usage,
        Answer = "answer" Usage,
        AnswerRefused = "answer_refused" Usage,
        Input = "input" Usage,
        Untimely = "untimely" Usage,
    }
    tools {
        UnknownTool = "unknown_tool" Usage,
        ToolMissing = "tool_missing" Tool,
        ToolLoggedOut = "tool_logged_out" Tool,
        ToolUnlisted = "tool_unlisted" Tool,
        NoTransport = "no_transport" Tool,
        NotInstalled = "not_installed" Tool,
        LoggedOut = "logged_out" Tool,
        NoSuchModel = "no_such_model" Config,
        RateLimited = "rate_limited" Tool,
        Unavailable = "unavailable" NoVerdict,
        Timeout = "timeout" NoVerdict,
        Failed = "failed" NoVerdict,
        NoMoves = "no_moves" NoVerdict,
        RuleBroken = "rule_broken" NoVerdict,
    }
    models {
        Model = "model" Config,
        NoModel = "no_model" Tool,
        NoLocalModel = "no_local_model" Tool,
        WrongChecksum = "wrong_checksum" Tool,
        ModelFile = "model_file" Store,
    }
    reading {
        NothingSaid = "nothing_said" Usage,
        CannotAnswer = "cannot_answer" Usage,
        QuestionRefused = "question_refused" Usage,
        UnknownPoint = "unknown_point" Usage,
        NotFormal = "not_formal" Usage,
        NoNarrative = "no_narrative" NoVerdict,
        NoPng = "no_png" Usage,
        Picture = "picture" Bug,
        Output = "output" Store,
        UnknownEnding = "unknown_ending" Usage,
        NoFile = "no_file" Usage,
        NotAGraph = "not_a_graph" Usage,
        Graph = "graph" Usage,
        UnknownNode = "unknown_node" Usage,
        Position = "position" Usage,
        Semantics = "semantics" Usage,
        Topic = "topic" Usage,
        NoLead = "no_lead" NoVerdict,
        Name = "name" Usage,
    }
    context {
        NoSession = "no_session" Usage,
        AmbiguousSession = "ambiguous_session" Usage,
        NotASession = "not_a_session" Usage,
        UnreadableSession = "unreadable_session" Store,
        NoJson = "no_json" Usage,
    }
    hosts {
        UnknownHost = "unknown_host" Usage,
        NoHost = "no_host" Tool,
        NoHome = "no_home" Usage,
        Receipt = "receipt" Store,
        OutsideProject = "outside_project" Usage,
        IdleWaiver = "idle_waiver" Usage,
        Content = "content" Bug,
        BrokenContent = "broken_content" Bug,
        UnknownRole = "unknown_role" Usage,
        UnknownSkill = "unknown_skill" Usage,
        NoSkills = "no_skills" Usage,
        Unwritable = "unwritable" Store,
    }
    team {
        NoTeam = "no_team" Usage,
        NoRepository = "no_repository" Usage,
        NotMember = "not_member" Usage,
        Bound = "bound" Usage,
        Refused = "refused" Usage,
        NoEvidence = "no_evidence" Usage,
        Unknown = "unknown" Usage,
        Withdrawn = "withdrawn" Usage,
        CannotWork = "cannot_work" Usage,
        Tree = "tree" Usage,
        TreeSetup = "tree_setup" Usage,
        InvalidWorktree = "invalid_worktree" Config,
        NoCommit = "no_commit" Usage,
        BranchExists = "branch_exists" Usage,
        NotClean = "not_clean" Usage,
        ConfiguresTools = "configures_tools" Usage,
        ForeignHook = "foreign_hook" Usage,
        TrackedHook = "tracked_hook" Usage,
        UnknownEvent = "unknown_event" Usage,
        Write = "write" Store,
    }
    gates {
        NoGate = "no_gate" Usage,
        InvalidGate = "invalid_gate" Usage,
        InvalidGates = "invalid_gates" Config,
        GateNotRun = "gate_not_run" Usage,
        GateNotStarted = "gate_not_started" Usage,
    }
    serving {
        Connection = "connection" Bug,
        PortTaken = "port_taken" Usage,
        UnknownPage = "unknown_page" Usage,
        UnknownSession = "unknown_session" Usage,
        Begun = "begun" Usage,
    }
}

impl Code {
    /// Returns the name in documents, such as `missing_parameter`.
    ///
    /// ```
    /// assert_eq!(agon_caller::Code::UnknownTool.name(), "unknown_tool");
    /// ```
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// Returns the code with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// Returns the default kind of failures with this code.
    pub fn kind(self) -> FailureKind {
        self.entry().1
    }

    /// Returns the page that explains the code.
    pub fn page(self) -> CodePage {
        let sections = self.family().pages.split("\n## ");
        let mut own = sections.filter_map(|section| {
            let section = section.strip_prefix(self.name())?;
            section.strip_prefix('\n')
        });
        let section = own.next().unwrap_or_default().trim_end();
        let (about, text) = section.split_once("\n\n").unwrap_or((section, ""));
        CodePage { about, text }
    }
}

impl From<CauseCode> for Code {
    fn from(code: CauseCode) -> Self {
        match code {
            CauseCode::NotInstalled => Self::NotInstalled,
            CauseCode::LoggedOut => Self::LoggedOut,
            CauseCode::NoSuchModel => Self::NoSuchModel,
            CauseCode::RateLimited => Self::RateLimited,
            CauseCode::Unavailable => Self::Unavailable,
            CauseCode::Timeout => Self::Timeout,
            CauseCode::Failed => Self::Failed,
            CauseCode::Empty => Self::Empty,
            CauseCode::Unreadable => Self::Unreadable,
            CauseCode::TooLarge => Self::TooLarge,
            CauseCode::NoMoves => Self::NoMoves,
            CauseCode::RuleBroken => Self::RuleBroken,
            CauseCode::Cancelled => Self::Cancelled,
            CauseCode::Bug => Self::Bug,
        }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Self::ALL.iter().map(|code| code.name()).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

#[cfg(test)]
mod tests;

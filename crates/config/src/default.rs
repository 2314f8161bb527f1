//! What holds where nothing is set. The help of a front end says these too.

use agon_record::spec::Effort;

/// Rounds of a duel: an objection can be answered, and the answer objected to once more.
pub const ROUNDS: u16 = 2;
// More have not been seen to change an answer; `agon continue` adds rounds to one that needs them.
/// The most rounds that a duel is opened with.
pub const MAX_DUEL_ROUNDS: u16 = 5;
/// How hard every seat thinks.
pub const EFFORT: Effort = Effort::Medium;
// A claim about a project is worth what it cites: a seat in one reads it, unless told not to.
/// What every seat of a duel is given where nothing is set, in words.
pub const CONTEXT: &str = "repo inside a git work tree, where every seat can read; else none";
/// What is given with a single question, or in a formal debate, where nothing is set.
pub const QUESTION_CONTEXT: &str = "none";
// The programs of AI hosts that ask for debates bound a call of a tool at 240 s as well. In the
// debate of `agon demo` two of eight calls took longer, 316 and 323 s.
/// Seconds for one turn.
pub const TIMEOUT_S: u64 = 240;
// The debate of `agon demo`, of two rounds with nothing to read, took 42,000 by our own count: this
// is six times that, for what tools read by themselves.
/// Tokens of one debate, in and out.
pub const MAX_TOKENS: u64 = 250_000;
// Sixty debates at once, each with the bound above, are 15 million; a model that starts one debate
// after another is stopped within the day. What a debate does not use is given back when it ends.
/// Tokens of a day (UTC) for what is started while no person watches.
pub const DAILY_TOKENS: u64 = 20_000_000;
// The calls of the debate of `agon demo` that waited for one another took 23.5 minutes, with a
// model that thinks long.
/// Seconds of one debate.
pub const MAX_TIME_S: u64 = 1_800;
// As many as the turns of the default two rounds: each may be sent back once, or fail once.
/// Calls above those planned, for replies sent back and calls tried again.
pub const SPARE_CALLS: u32 = 4;
// One more is the least that changes anything, and each costs a call of every seat: more is asked for.
/// Rebuttal exchanges that a formal debate runs on for.
pub const EXCHANGES: u16 = 1;
// As above.
/// Rounds that a duel with a verdict is continued for.
pub const MORE_ROUNDS: u16 = 1;
// Half of the time of a turn: the tool answers one question, and reads no debate.
/// Seconds for the answer to a single question.
pub const ANSWER_TIMEOUT_S: u64 = 120;
// As long as a test suite of medium size takes; the person who named the command waits for it.
/// Seconds that a command may take whose output becomes evidence.
pub const COMMAND_TIMEOUT_S: u64 = 600;
// Hosts of AI tools end a command after a minute or two: a wait returns before the shortest.
/// Seconds that a program waits for a debate before it asks again.
pub const WAIT_S: u64 = 50;
// Chosen, not measured: more than a screen shows, and few enough for a program to read.
/// Debates that a search finds.
pub const FOUND_DEBATES: usize = 20;
// Each takes five lines and more: five are a screen of 24 lines.
/// Decisions that are recalled.
pub const RECALLED_DECISIONS: usize = 5;
// Chosen, not measured: more than a screen shows; the number of all is said beside them.
/// Extensions, or sets of nodes, that are listed of a graph.
pub const LISTED_SETS: usize = 20;
// The default of `argue::FlipLimits`.
/// Conflicts of the solver or evaluations of a graph after which a search is given up.
pub const SEARCH_WORK: u64 = 2_000_000;
/// Where new debates go.
pub const DEBATES_DIR: &str = "debates";

//! Default values, which the help of front ends also shows.

use agon_record::spec::Effort;

/// Rounds of a duel: the proposer answers an objection, and the challenger can object to the
/// answer.
pub const ROUNDS: u16 = 2;
// More rounds than this never changed an answer in our debates; `agon continue` can add some.
/// Maximum rounds of a new duel.
pub const MAX_DUEL_ROUNDS: u16 = 5;
/// Reasoning effort of every seat.
pub const EFFORT: Effort = Effort::Medium;
// Claims about a project need citations, so seats read the project by default.
/// Default context of every seat in a duel, in words.
pub const CONTEXT: &str = "repo in git if every seat can read files; else none";
/// Default context of a single question or a formal debate.
pub const QUESTION_CONTEXT: &str = "none";
// The same limit that AI hosts set for a tool call. It is tight: in the debate of `agon demo`, two
// of eight calls took longer (316 and 323 s).
/// Time limit of one turn, in seconds.
pub const TIMEOUT_S: u64 = 240;
// The debate of `agon demo`, two rounds without a project to read, took 42,000 tokens by our count.
// The limit is six times that, because tools also read files of a project.
/// Maximum tokens of one debate, input and output.
pub const MAX_TOKENS: u64 = 250_000;
// Enough for 80 debates that use all of `MAX_TOKENS`, but it stops a model that starts one debate
// after another within the day. A debate returns its unused tokens when it ends.
/// Maximum tokens per day (UTC) for unattended runs.
pub const DAILY_TOKENS: u64 = 20_000_000;
// Chosen, not measured: 32 duels whose sides speak at once. A provider that takes fewer refuses some
// calls, and the limit falls; 64 connections are no burden for this machine.
/// Maximum simultaneous calls to one account in a batch.
pub const BATCH_CALLS: u32 = 64;
// The person waits for the plan meanwhile. Chosen, not measured: a quick duel makes three calls, two
// of which run one after the other before the judge.
/// Time limit of the debate on a plan, in seconds.
pub const PLAN_REVIEW_TIME_S: u64 = 90;
// The hook that an AI tool calls may take a minute longer than this, to end what it started.
/// Largest time limit of the debate on a plan, in seconds.
pub const MAX_PLAN_REVIEW_TIME_S: u64 = 300;
// In the debate of `agon demo`, with a slow model, the calls that could not run at the same time
// took 23.5 minutes.
/// Time limit of one debate, in seconds.
pub const MAX_TIME_S: u64 = 1_800;
// One for each of the four turns in the default two rounds: each may be sent back or fail once.
/// Extra calls above those planned, for rejected replies and retries.
pub const SPARE_CALLS: u32 = 4;
// The minimum, because each exchange costs one call per seat.
/// Default number of further rebuttal exchanges in a formal debate.
pub const EXCHANGES: u16 = 1;
// The minimum, because each round costs one call per side.
/// Default number of further rounds for a duel with a verdict.
pub const MORE_ROUNDS: u16 = 1;
// Half of a turn's limit, because the tool answers only one question.
/// Time limit of the answer to a single question, in seconds.
pub const ANSWER_TIMEOUT_S: u64 = 120;
// Enough for a medium-sized test suite; the person who gave the command waits for it.
/// Time limit of a command whose output becomes evidence, in seconds.
pub const COMMAND_TIMEOUT_S: u64 = 600;
// AI tools kill a command after one or two minutes, so a wait must return earlier.
/// Default time that a program waits for a debate before it polls again, in seconds.
pub const WAIT_S: u64 = 50;
// Chosen, not measured: more than a screen shows, but few enough for a program to read.
/// Default maximum of search results.
pub const FOUND_DEBATES: usize = 20;
// Each decision takes at least five lines, so five fill a screen of 24 lines.
/// Default maximum of recalled decisions.
pub const RECALLED_DECISIONS: usize = 5;
// Chosen, not measured: more than a screen shows; the total is printed too.
/// Maximum of listed extensions or node sets of a graph.
pub const LISTED_SETS: usize = 20;
// The same value as the default of `argue::FlipLimits`.
/// Solver conflicts or graph evaluations after which a search stops.
pub const SEARCH_WORK: u64 = 2_000_000;
/// Folder for new debates.
pub const DEBATES_DIR: &str = "debates";

//! What holds where nothing is set. The help of a front end says these too.

use agon_record::spec::Effort;

/// Rounds of a duel: an objection can be answered, and the answer objected to once more.
pub const ROUNDS: u16 = 2;
/// How hard every seat thinks.
pub const EFFORT: Effort = Effort::Medium;
/// What every seat is given.
pub const CONTEXT: &str = "none";
// The programs of AI hosts that ask for debates bound a call of a tool at 240 s as well. In the
// debate of `agon demo` two of eight calls took longer, 316 and 323 s.
/// Seconds for one turn.
pub const TIMEOUT_S: u64 = 240;
// The debate of `agon demo`, of two rounds with nothing to read, took 42,000 by our own count: this
// is six times that, for what tools read by themselves.
/// Tokens of one debate, in and out.
pub const MAX_TOKENS: u64 = 250_000;
// The calls of the debate of `agon demo` that waited for one another took 23.5 minutes, with a
// model that thinks long.
/// Seconds of one debate.
pub const MAX_TIME_S: u64 = 1_800;
/// Where new debates go.
pub const DEBATES_DIR: &str = "debates";

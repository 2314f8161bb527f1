//! What holds where nothing is set. The help of a front end says these too.

use agon_record::spec::Effort;

/// Rounds of a duel: an objection can be answered, and the answer objected to once more.
pub const ROUNDS: u16 = 2;
/// How hard every seat thinks.
pub const EFFORT: Effort = Effort::Medium;
/// What every seat is given.
pub const CONTEXT: &str = "none";
/// Seconds for one turn.
pub const TIMEOUT_S: u64 = 240;
/// Tokens of one debate, in and out.
pub const MAX_TOKENS: u64 = 250_000;
/// Seconds of one debate.
pub const MAX_TIME_S: u64 = 1_800;
/// Where new debates go.
pub const DEBATES_DIR: &str = "debates";

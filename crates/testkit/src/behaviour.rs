//! How a fake tool behaves.

use serde::{Deserialize, Serialize};

/// The behaviour of a fake tool in a turn.
///
/// In `scenario.json` and `script.json` a behaviour is its snake-case name, such as `"hang"`, or an
/// object if it has a number: `{"slow": 200}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Returns the script's reply.
    Good,
    /// Returns the script's reply after this many milliseconds.
    Slow(u64),
    /// Prints nothing and does not end.
    Hang,
    /// Prints bytes in another format than the tool's, with exit code 0.
    Garbage,
    /// Truncates the reply inside its block of moves.
    Half,
    /// Returns unusable moves first, then the script's reply when asked again.
    WrongThenRight,
    /// Returns unusable moves every time.
    WrongAlways,
    /// Ends with exit code 0 and an empty reply.
    Empty,
    /// Ends with exit code 0 and an error in the tool's own format.
    ErrorText,
    /// Ends with exit code 1 and a line on stderr.
    Rc1,
    /// Fails as the real tool does when the service answers 401.
    Auth,
    /// Fails as the real tool does when the service answers 404 if the command line names a model;
    /// otherwise returns the script's reply.
    OwnModelOnly,
    /// Fails as the real tool does when the service answers 429.
    RateLimit,
    /// Fails as the real tool does when the service answers 529.
    Overloaded,
    /// Ends with a signal before it prints anything.
    Signal,
    /// Writes 1 GiB to stdout.
    Flood,
    /// Returns the script's reply and leaves a child that keeps stdout open.
    Grandchild,
    /// Ignores TERM and does not end; neither does its child.
    IgnoreTerm,
    /// Returns the script's reply with two invented secrets in it.
    Secret,
    /// Returns the script's reply with ANSI escapes and bidirectional controls in it.
    Ansi,
    /// Prints the beginning of its output, then does not end.
    PartialThenHang,
    /// Prints the whole script's reply, then does not end.
    DoneThenHang,
    /// Ends with exit code 1 this many times, then returns the script's reply.
    FailFirst(u32),
    /// Adds, changes and removes a file in its working directory, then returns the script's reply.
    Meddle,
    /// Does not know the session that a call resumes; any other call succeeds.
    Forgets,
    /// Under the key `login`: the login check reports that the user is not logged in.
    LoggedOut,
}

/// The invented Anthropic key of [`Behaviour::Secret`].
pub const FAKE_ANTHROPIC_KEY: &str = concat!(
    "sk-ant-",
    "api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY-abcdefAA"
);

/// The invented GitHub token of [`Behaviour::Secret`].
pub const FAKE_GITHUB_TOKEN: &str = concat!("ghp", "_16C7e42F292c6912E7710c838347Ae178B4a");

//! How a fake tool behaves.

use serde::{Deserialize, Serialize};

/// What a fake tool does with a turn.
///
/// In `scenario.json` and `script.json` a behaviour is its snake-case name, such as `"hang"`, or
/// an object for those with a number: `{"slow": 200}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Gives the script's reply.
    Good,
    /// Gives the script's reply after so many milliseconds.
    Slow(u64),
    /// Says nothing and does not end.
    Hang,
    /// Prints bytes that are not the dialect, with exit code 0.
    Garbage,
    /// Cuts the reply in the middle of its block of moves.
    Half,
    /// Gives unusable moves first, the script's reply when asked again.
    WrongThenRight,
    /// Gives unusable moves however often it is asked.
    WrongAlways,
    /// Ends with exit code 0 and an empty reply.
    Empty,
    /// Ends with exit code 0 and the dialect's own form of an error.
    ErrorText,
    /// Ends with exit code 1 and a line on stderr.
    Rc1,
    /// Fails as the real tool does when the service answers 401.
    Auth,
    /// Fails as the real tool does when the service answers 404, where its command line names a
    /// model; else gives the script's reply.
    OwnModelOnly,
    /// Fails as the real tool does when the service answers 429.
    RateLimit,
    /// Fails as the real tool does when the service answers 529.
    Overloaded,
    /// Is ended by a signal before it says anything.
    Signal,
    /// Writes 1 GiB to stdout.
    Flood,
    /// Gives the script's reply and leaves a child that holds stdout open.
    Grandchild,
    /// Ignores TERM and does not end, nor does its child.
    IgnoreTerm,
    /// Gives the script's reply with two made-up secrets in it.
    Secret,
    /// Gives the script's reply with ANSI escapes and bidirectional controls in it.
    Ansi,
    /// Prints the beginning of its output, then does not end.
    PartialThenHang,
    /// Gives the script's reply, whole, then does not end.
    DoneThenHang,
    /// Ends with exit code 1 so many times, then gives the script's reply.
    FailFirst(u32),
    /// Adds a file to the folder it runs in, changes one there and removes another; then gives the
    /// script's reply.
    Meddle,
    /// Does not know the conversation that a call goes on with; any other call is good.
    Forgets,
    /// Under the key `login`: the login check says that nobody is logged in.
    LoggedOut,
}

/// The made-up Anthropic key of [`Behaviour::Secret`].
pub const FAKE_ANTHROPIC_KEY: &str = concat!(
    "sk-ant-",
    "api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY-abcdefAA"
);

/// The made-up GitHub token of [`Behaviour::Secret`].
pub const FAKE_GITHUB_TOKEN: &str = concat!("ghp", "_16C7e42F292c6912E7710c838347Ae178B4a");

//! The flags of `agon team mail`.

use std::path::PathBuf;

use agon_teamwork::MessageId;
use clap::{Args, Subcommand};

/// What to do with mail.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TeamMailCommand {
    /// Send a message to a member, or to every member with a role
    #[command(override_usage = "agon team mail send [OPTIONS] <TO> [TEXT]...")]
    Send(SendArgs),
    /// List senders and recipients of messages, without the texts
    List(ListMailArgs),
    /// Fetch your new messages
    Fetch(FetchArgs),
    /// Mark messages as read
    #[command(after_help = ACK)]
    Ack {
        /// Messages, such as m7
        #[arg(value_name = "MESSAGE", required = true)]
        messages: Vec<MessageId>,
    },
    /// Show a thread that you take part in
    #[command(after_help = THREAD)]
    Thread {
        /// First message of the thread, such as m3
        #[arg(value_name = "THREAD")]
        thread: MessageId,
    },
}

/// Send a message.
#[derive(Clone, Debug, Args)]
#[command(after_help = SEND)]
pub(crate) struct SendArgs {
    /// Member or role
    #[arg(value_name = "TO")]
    pub(crate) to: String,

    /// Text of the message; - reads it from stdin
    #[arg(value_name = "TEXT", conflicts_with = "file")]
    pub(crate) text: Vec<String>,

    /// Read the text from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Reply in this thread
    #[arg(long, value_name = "THREAD")]
    pub(crate) thread: Option<MessageId>,

    /// Deliver it before other messages
    #[arg(long)]
    pub(crate) urgent: bool,

    /// Send only once, even if the command is repeated with the same KEY
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
}

/// Filters of `agon team mail list`.
#[derive(Clone, Debug, Args)]
#[command(after_help = LIST)]
pub(crate) struct ListMailArgs {
    /// List only messages that a recipient has not fetched yet
    #[arg(long)]
    pub(crate) unread: bool,

    /// List only urgent messages
    #[arg(long)]
    pub(crate) urgent: bool,
}

/// Fetch your new messages.
#[derive(Clone, Debug, Args)]
#[command(after_help = FETCH)]
pub(crate) struct FetchArgs {
    /// Fetch at most N messages
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(crate) max: u16,

    /// Fetch again the messages that you fetched but did not acknowledge
    #[arg(long)]
    pub(crate) again: bool,
}

const SEND: &str = "\
The work tree determines the sender. Agon removes secrets and invisible characters. Put long texts
into a file of the repository and send its path.

Examples:
  agon team mail send ada \"Is src/greet.sh free?\"
  agon team mail send ada \"Stop: main is broken\" --urgent
  agon team mail send reviewer --file notes.txt --key review-t2
  git diff | agon team mail send lea - --thread m3";

const LIST: &str = "\
Members see only their own messages; the lead and a human see all. The list omits message texts.

Examples:
  agon team mail list
  agon team mail list --unread --json";

const FETCH: &str = "\
Prints urgent messages first. Each text is data in a fenced block, below its sender. --again
prints the messages that you fetched and did not acknowledge.

Examples:
  agon team mail fetch
  agon team mail fetch --again --json";

const ACK: &str = "\
Examples:
  agon team mail ack m7 m8";

const THREAD: &str = "\
Examples:
  agon team mail thread m3";

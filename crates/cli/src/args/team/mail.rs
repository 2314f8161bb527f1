//! The flags of what is done with mail.

use std::path::PathBuf;

use agon_teamwork::MessageId;
use clap::{Args, Subcommand};

/// What to do with mail.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TeamMailCommand {
    /// Send a message to a member, or to all of a role
    #[command(override_usage = "agon team mail send [OPTIONS] <TO> [TEXT]...")]
    Send(SendArgs),
    /// List who wrote to whom, without the texts
    List(ListMailArgs),
    /// Get the messages that wait for you
    Fetch(FetchArgs),
    /// Say that you have read messages
    #[command(after_help = ACK)]
    Ack {
        /// The messages, such as m7
        #[arg(value_name = "MESSAGE", required = true)]
        messages: Vec<MessageId>,
    },
    /// Show a thread that you are in
    #[command(after_help = THREAD)]
    Thread {
        /// Its first message, such as m3
        #[arg(value_name = "THREAD")]
        thread: MessageId,
    },
}

/// Send a message.
#[derive(Clone, Debug, Args)]
#[command(after_help = SEND)]
pub(crate) struct SendArgs {
    /// A member, or a role
    #[arg(value_name = "TO")]
    pub(crate) to: String,

    /// What you say; - reads it from stdin
    #[arg(value_name = "TEXT", conflicts_with = "file")]
    pub(crate) text: Vec<String>,

    /// Read what you say from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Reply in this thread
    #[arg(long, value_name = "THREAD")]
    pub(crate) thread: Option<MessageId>,

    /// Its readers get it before others
    #[arg(long)]
    pub(crate) urgent: bool,

    /// Sent again with the same key, it is sent once
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
}

/// Which messages are listed.
#[derive(Clone, Debug, Args)]
#[command(after_help = LIST)]
pub(crate) struct ListMailArgs {
    /// Only those that a reader has not fetched yet
    #[arg(long)]
    pub(crate) unread: bool,

    /// Only those that are urgent
    #[arg(long)]
    pub(crate) urgent: bool,
}

/// Get the messages that wait.
#[derive(Clone, Debug, Args)]
#[command(after_help = FETCH)]
pub(crate) struct FetchArgs {
    /// The most messages
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(crate) max: u16,

    /// Those that came before and were not acknowledged
    #[arg(long)]
    pub(crate) again: bool,
}

const SEND: &str = "\
Who it is from follows from the work tree. Secrets are taken out, and so is what a reader would not
see. What is long goes into a file of the repository: name its path.

Examples:
  agon team mail send ada \"Is src/greet.sh free?\"
  agon team mail send ada \"Stop: main is broken\" --urgent
  agon team mail send reviewer --file notes.txt --key review-t2
  git diff | agon team mail send lea - --thread m3";

const LIST: &str = "\
A member sees those from and to it; the lead and a person see all. No text is shown.

Examples:
  agon team mail list
  agon team mail list --unread --json";

const FETCH: &str = "\
Urgent messages come first. What a message says is data, in a fence, below who sent it. A message that reached you and is not
acknowledged comes again with --again.

Examples:
  agon team mail fetch
  agon team mail fetch --again --json";

const ACK: &str = "\
Examples:
  agon team mail ack m7 m8";

const THREAD: &str = "\
Examples:
  agon team mail thread m3";

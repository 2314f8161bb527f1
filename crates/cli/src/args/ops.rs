//! `agon ops`: one step of a formal debate, for programs that bring the arguments.

use std::path::PathBuf;

use clap::{Subcommand, ValueHint};

/// One step of a formal debate whose arguments or scores the caller brings.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum OpsCommand {
    /// Take both sides' arguments of an exchange into the debate, or neither
    #[command(after_help = ABOUT)]
    ProcessExchange {
        /// The debate's folder, name or ULID
        #[arg(value_hint = ValueHint::DirPath)]
        debate: String,
        /// The exchange the arguments belong to; the opening one is 0
        exchange: u16,
        /// What the proposition says: a JSON list of 3 arguments, later one argument
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        prop_file: PathBuf,
        /// What the opposition says
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        opp_file: PathBuf,
    },
    /// Take a judge's scores for the exchange just argued into the debate
    #[command(after_help = ABOUT)]
    ProcessJudge {
        /// The debate's folder, name or ULID
        #[arg(value_hint = ValueHint::DirPath)]
        debate: String,
        /// The scores: JSON
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        json_file: PathBuf,
    },
}

const ABOUT: &str = "\
One JSON object is printed: {\"success\": true, \"argument_id\": …} and exit 0, or
{\"success\": false, \"errors\": […]} and exit 1. A step that breaks a rule changes nothing.
An input is one JSON document, by itself or in a fenced block, with ids as the debate has them.
Input files are removed once their step is part of the debate; the same inputs given again
are answered as before. `agon schema case`, `rebuttal` and `scores` print what is expected.";

//! The flags of `agon ops`, for programs that supply the arguments of a formal debate.

use std::path::PathBuf;

use clap::{Subcommand, ValueHint};

/// One step of a formal debate with arguments or scores from the caller.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum OpsCommand {
    /// Add both sides' arguments of an exchange to the debate (both or neither)
    #[command(after_help = ABOUT)]
    ProcessExchange {
        /// Folder, name or ULID of the debate
        #[arg(value_hint = ValueHint::DirPath)]
        debate: String,
        /// Number of the exchange; the opening is 0
        exchange: u16,
        /// The proposition's arguments: a JSON list of 3 for the opening, later one argument
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        prop_file: PathBuf,
        /// The opposition's arguments, in the same form
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        opp_file: PathBuf,
    },
    /// Add a judge's scores for the latest exchange to the debate
    #[command(after_help = ABOUT)]
    ProcessJudge {
        /// Folder, name or ULID of the debate
        #[arg(value_hint = ValueHint::DirPath)]
        debate: String,
        /// The scores, as JSON
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        json_file: PathBuf,
    },
}

const ABOUT: &str = "\
Prints one JSON object: {\"success\": true, \"argument_id\": …} with exit code 0, or
{\"success\": false, \"errors\": […]} with exit code 1. A step that breaks a rule changes nothing.
Each input file contains one JSON document, alone or in a fenced block, and uses the ids of the
debate. Agon deletes the input files after adding the step. The same inputs get the same answer
again. `agon schema case`, `rebuttal` and `scores` print the expected form.";

//! The flag for how much of each turn to print while a debate runs.

use agon_report::screen::Detail;
use clap::Args;

use super::Command;

/// How much of each turn to print.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct LiveArgs {
    /// Print each turn in full, with grounds and warrants [default: claims, and whether their
    /// citations were found]
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl Command {
    /// Returns how much of each turn this command prints.
    pub(crate) fn live_detail(&self) -> Detail {
        let live = match self {
            Self::Debate(args) => args.live,
            Self::Review(args) => args.live,
            Self::Run(args) => args.live,
            Self::Resume(args) => args.how.live,
            Self::Continue(args) => args.how.live,
            Self::Watch(args) => args.live,
            Self::Replay(args) => args.live,
            Self::Demo(args) => args.live,
            _ => LiveArgs::default(),
        };
        match live.verbose {
            true => Detail::Whole,
            false => Detail::Claims,
        }
    }
}

//! The flags that choose the exit code after a verdict.

use agon_debates::status::ending::RequiredAuthority;
use clap::Args;

/// Flags that set the exit code after a verdict.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ExitArgs {
    /// Exit 7 if the verdict is unstable or incomplete (or: --require full)
    #[arg(long)]
    pub(crate) exit_code: bool,

    /// Exit 7 unless the verdict has this authority
    #[arg(long, value_name = "AUTHORITY", value_parser = ["full"], hide = true)]
    pub(crate) require: Option<String>,
}

impl ExitArgs {
    /// Returns the authority that a verdict needs for exit code 0.
    pub(crate) fn required(&self) -> RequiredAuthority {
        match self.exit_code || self.require.is_some() {
            true => RequiredAuthority::Full,
            false => RequiredAuthority::Judged,
        }
    }
}

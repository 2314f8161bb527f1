//! `cargo xtask hosts` and `cargo xtask plugins`: Agon's integration into AI tools.

use anyhow::{Context, Result, bail};

use crate::{
    clis::{self, Clis, Programs},
    test, workspace,
};

/// Makes the test that compares `plugins/` write it instead.
const RECORD_VARIABLE: &str = "AGON_RECORD_PLUGINS";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Use all five tools, not only the fast ones
    #[arg(long)]
    full: bool,
}

/// Lets real AI tools run a debate through Agon, list their installed files, and run a team's
/// roles.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let metadata = workspace::members()?;
    let clis = clis::prepare_tools(&metadata)?;
    if let Clis::Skipped(reason) = &clis {
        bail!("the real tools are missing: {reason}");
    }
    let programs = Programs::with_tools_only(clis);
    let mut tests = test::command(&metadata, &["test", "--test", "suite"], &programs);
    if args.full {
        tests.env(test::FULL_VARIABLE, "1");
    }
    // One test at a time: on a small machine, hosts that run together exceed their own timeouts.
    tests.args(["--", "hosts::real", "hosts::team"]);
    tests.args(["--test-threads=1", "--nocapture"]);
    if !args.full {
        test::skip_full_tests(&mut tests);
    }
    succeeds(&mut tests)
}

/// Writes `plugins/` again.
pub(crate) fn write_plugins() -> Result<bool> {
    let metadata = workspace::members()?;
    let mut record = workspace::cargo(&metadata, &["test", "-p", "agon-hosts", "--test", "suite"]);
    record.env(RECORD_VARIABLE, "1").args(["--", "plugins"]);
    succeeds(&mut record)
}

fn succeeds(command: &mut std::process::Command) -> Result<bool> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    Ok(status.success())
}

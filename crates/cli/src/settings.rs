//! The configuration as this process finds it.

use agon_config::{Files, Resolved, Settings};

use crate::args::{Global, LimitArgs};
use crate::edge::Edge;
use crate::error::{Exit, Failure};

/// Resolves the configuration with `flags` as its last layer.
///
/// # Errors
///
/// If a layer is not valid, or the project's file sets what it may not.
pub(crate) fn resolve(edge: &Edge, global: &Global, flags: &Settings) -> Result<Resolved, Failure> {
    let files = Files {
        user: edge.user_file(),
        project: Some(edge.project().join("agon.toml")),
    };
    let mut flags = flags.clone();
    flags.debates_dir = global.debates_dir.clone().or(flags.debates_dir);
    agon_config::resolve(&files, &edge.vars, &flags).map_err(|error| {
        Failure::from_error(Exit::Config, "configuration", &error).hint(error.hint())
    })
}

/// The bounds that flags name.
pub(crate) fn limits(args: &LimitArgs) -> Settings {
    Settings {
        timeout: args.timeout,
        max_calls: args.max_calls,
        max_tokens: args.max_tokens,
        max_time: args.max_time,
        max_cost: args.max_cost,
        ..Settings::default()
    }
}

/// Refuses flags that raise a bound where nobody is watching; `calls` are those
/// that need no leave.
///
/// # Errors
///
/// If there is no terminal and a flag is above the default and above what the
/// user's own file allows.
pub(crate) fn refuse_raised(edge: &Edge, args: &LimitArgs, calls: u32) -> Result<(), Failure> {
    if edge.terminal {
        return Ok(());
    }
    let files = Files {
        user: edge.user_file(),
        project: None,
    };
    let none = std::collections::BTreeMap::new();
    let own = agon_config::resolve(&files, &none, &Settings::default())
        .map_err(|error| {
            Failure::from_error(Exit::Config, "configuration", &error).hint(error.hint())
        })?
        .settings;
    let raised = |flag: Option<u64>, allowed: Option<u64>| {
        flag.zip(allowed)
            .is_some_and(|(flag, allowed)| flag > allowed)
    };
    let bounds = [
        ("max-tokens", raised(args.max_tokens, own.max_tokens)),
        ("max-time", raised(args.max_time, own.max_time)),
        (
            "max-calls",
            raised(
                args.max_calls.map(u64::from),
                own.max_calls.map(u64::from).or(Some(calls.into())),
            ),
        ),
    ];
    match bounds.into_iter().find(|(_, raised)| *raised) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::new(
            Exit::Usage,
            "limit_raised",
            format!("--{name} is above its default, and nobody is watching"),
        )
        .parameter(name)
        .hint("without a terminal only your own configuration file may raise a bound")),
    }
}

/// The calls that the largest duel with a panel of three makes, and those spared for it.
pub(crate) const MOST_CALLS: u32 = 20;

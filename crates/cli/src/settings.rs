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

/// Refuses flags and variables that raise a bound where nobody is watching; `calls` are those
/// that need no leave.
///
/// # Errors
///
/// If there is no terminal and a flag, or a variable of the environment, is above the default
/// and above what the user's own file allows.
pub(crate) fn refuse_raised(edge: &Edge, args: &LimitArgs, calls: u32) -> Result<(), Failure> {
    if edge.terminal {
        return Ok(());
    }
    let files = Files {
        user: edge.user_file(),
        project: None,
    };
    let resolved = |vars| {
        let resolved = agon_config::resolve(&files, vars, &Settings::default());
        resolved.map(|resolved| resolved.settings).map_err(|error| {
            Failure::from_error(Exit::Config, "configuration", &error).hint(error.hint())
        })
    };
    let none = std::collections::BTreeMap::new();
    let own = resolved(&none)?;
    let set = resolved(&edge.vars)?;
    let raised = |wanted: Option<u64>, allowed: Option<u64>| {
        wanted
            .zip(allowed)
            .is_some_and(|(wanted, allowed)| wanted > allowed)
    };
    let dear = args.max_cost.or(set.max_cost).zip(own.max_cost);
    let bounds = [
        (
            "max-tokens",
            raised(args.max_tokens.or(set.max_tokens), own.max_tokens),
        ),
        (
            "max-time",
            raised(args.max_time.or(set.max_time), own.max_time),
        ),
        (
            "max-calls",
            raised(
                args.max_calls.or(set.max_calls).map(u64::from),
                own.max_calls.map(u64::from).or(Some(calls.into())),
            ),
        ),
        (
            "max-cost",
            dear.is_some_and(|(wanted, allowed)| wanted > allowed),
        ),
    ];
    match bounds.into_iter().find(|(_, raised)| *raised) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::new(
            Exit::Usage,
            "limit_raised",
            format!("{name} is above what may be set where nobody is watching"),
        )
        .parameter(name)
        .hint("without a terminal only your own configuration file may raise a bound")),
    }
}

/// The calls that the largest duel with a panel of three makes, and those spared for it.
pub(crate) const MOST_CALLS: u32 = 20;

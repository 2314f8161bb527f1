//! Reads the configuration of a caller.

use std::collections::BTreeMap;

pub use agon_config::Settings;
use agon_config::{ConfigError, Files, Layer, Resolved};

use crate::bounds::Bounds;
use crate::{Caller, Code, Failure};

/// Resolves the configuration of `caller` from its files, its environment and its flags.
///
/// # Errors
///
/// Returns an error if a layer is invalid, or the project's file sets a key that it may not set.
pub fn resolve(caller: &Caller) -> Result<Resolved, Failure> {
    let files = Files {
        user: caller.user_config_file(),
        project: (!caller.ignores_project_settings).then(|| caller.project().join("agon.toml")),
    };
    let flags = Layer {
        debates_dir: caller.debates_dir.clone(),
        ..Layer::default()
    };
    let resolved = agon_config::resolve(&files, &caller.vars, &flags);
    let mut resolved = or_valid_layers(caller, resolved, || {
        agon_config::resolve_sound_layers(&files, &caller.vars, &flags)
    })?;
    let debates_dir = &mut resolved.settings.debates_dir;
    if caller.debates_dir.is_none()
        && let Some(above) = caller.debates_dir_above(debates_dir)
    {
        *debates_dir = above;
    }
    Ok(resolved)
}

/// Returns `resolved`. If it failed and the caller skips broken layers, returns the result of
/// `sound`.
fn or_valid_layers(
    caller: &Caller,
    resolved: Result<Resolved, ConfigError>,
    sound: impl FnOnce() -> Result<Resolved, ConfigError>,
) -> Result<Resolved, Failure> {
    let resolved = resolved.or_else(|error| match caller.skips_broken_settings {
        true => sound(),
        false => Err(error),
    });
    resolved.map_err(|error| config_failure(&error))
}

/// Describes the error of the configuration on one line, with file and place; `None` if it is
/// valid.
pub fn describe_broken_settings(caller: &Caller) -> Option<String> {
    let failure = read_settings(caller).err()?;
    // Leave out lines that quote the file: they begin with a line number or a bar.
    let is_quoted = |line: &&str| {
        let first = line.trim_start().chars().next();
        first.is_none_or(|c| c == '|' || c.is_ascii_digit())
    };
    let lines = failure.message.lines().filter(|line| !is_quoted(line));
    let what = lines.map(str::trim).collect::<Vec<_>>().join(": ");
    // Leave out the long list of valid keys, which `agon config check` prints.
    let what = what.split(", expected one of").next();
    what.map(str::to_owned)
}

/// Reads the configuration of `caller`.
///
/// # Errors
///
/// Returns an error in the same cases as [`resolve`].
pub fn read_settings(caller: &Caller) -> Result<Settings, Failure> {
    resolve(caller).map(|resolved| resolved.settings)
}

// Five rounds and first answers of two sides are 12 calls. Three judges, the swap and four spare
// calls (`SPARE_CALLS`) make 20.
/// The number of calls of the largest duel with a panel of three, with spare calls.
pub const MAX_CALLS: u32 = 20;

/// Rejects limits of zero.
fn refuse_zero_bounds(bounds: &Bounds) -> Result<(), Failure> {
    let is_nothing = |cost: f64| !cost.is_finite() || cost <= 0.0;
    let nothing = [
        ("timeout", bounds.timeout == Some(0)),
        ("max-calls", bounds.max_calls == Some(0)),
        ("max-tokens", bounds.max_tokens == Some(0)),
        ("max-time", bounds.max_time == Some(0)),
        ("max-cost", bounds.max_cost.is_some_and(is_nothing)),
    ];
    match nothing.into_iter().find(|(_, is_nothing)| *is_nothing) {
        None => Ok(()),
        Some((name, _)) => {
            let message = format!("{name}: must be greater than 0");
            Err(Failure::new(Code::ImpossibleBound, message).parameter(name))
        }
    }
}

/// Rejects limits of zero and, in an unattended run, limits above the user's own ones. `calls` is
/// the number of calls that is always allowed.
///
/// # Errors
///
/// Returns an error if a limit is zero. Without a watching person, also if the request or a
/// variable raises a limit above the default and above the user's own file.
pub fn refuse_raised_limits(caller: &Caller, bounds: &Bounds, calls: u32) -> Result<(), Failure> {
    refuse_zero_bounds(bounds)?;
    if caller.is_watched {
        return Ok(());
    }
    let mut own = caller.vars.clone();
    own.retain(|name, _| name == PROFILE_VAR);
    let own = of_user(caller, &own)?;
    let set = of_user(caller, &caller.vars)?;
    let max_calls = bounds.max_calls.or(set.max_calls);
    let max_cost = bounds.max_cost.or(set.max_cost);
    let raised = [
        (
            "max-tokens",
            bounds.max_tokens.unwrap_or(set.max_tokens) > own.max_tokens,
        ),
        (
            "max-time",
            bounds.max_time.unwrap_or(set.max_time) > own.max_time,
        ),
        (
            "max-calls",
            max_calls.is_some_and(|wanted| wanted > own.max_calls.unwrap_or(calls)),
        ),
        (
            "max-cost",
            max_cost
                .zip(own.max_cost)
                .is_some_and(|(wanted, allowed)| wanted > allowed),
        ),
    ];
    match raised.into_iter().find(|(_, raised)| *raised) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::new(
            Code::LimitRaised,
            format!("{name} exceeds the limit for unattended runs"),
        )
        .parameter(name)
        .hint("without a terminal, only your own configuration file may raise a limit")),
    }
}

/// Reads the user's own file, with `vars` as the environment and without the project's file.
fn of_user(caller: &Caller, vars: &BTreeMap<String, String>) -> Result<Settings, Failure> {
    let files = Files {
        user: caller.user_config_file(),
        project: None,
    };
    let resolved = match agon_config::resolve(&files, vars, &Layer::default()) {
        // The named profile exists only in the project's file, which is not read here, so ignore
        // it.
        Err(ConfigError::UnknownProfile { .. }) => {
            let mut vars = vars.clone();
            vars.remove(PROFILE_VAR);
            agon_config::resolve(&files, &vars, &Layer::default())
        }
        resolved => resolved,
    };
    let resolved = or_valid_layers(caller, resolved, || {
        agon_config::resolve_sound_layers(&files, vars, &Layer::default())
    })?;
    Ok(resolved.settings)
}

/// Reads the user's own file on top of the defaults. Ignores the project's file and the
/// environment, except for the profile that the environment names.
///
/// # Errors
///
/// Returns an error if the file is invalid.
pub fn read_user_settings(caller: &Caller) -> Result<Settings, Failure> {
    let mut vars = caller.vars.clone();
    vars.retain(|name, _| name == PROFILE_VAR);
    of_user(caller, &vars)
}

/// Reads the user's own file and the environment on top of the defaults, without the project's file.
///
/// # Errors
///
/// If one of them is invalid.
pub fn read_own_settings(caller: &Caller) -> Result<Settings, Failure> {
    of_user(caller, &caller.vars)
}

/// The variable that names a profile, for this process and its children.
pub const PROFILE_VAR: &str = "AGON_PROFILE";

/// Returns the failure for an invalid configuration.
pub fn config_failure(error: &ConfigError) -> Failure {
    Failure::from_error(Code::Configuration, error).hint(error.hint())
}

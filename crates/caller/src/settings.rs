//! The configuration as a caller finds it.

use std::collections::BTreeMap;

pub use agon_config::Settings;
use agon_config::{ConfigError, Files, Layer, Resolved};

use crate::bounds::Bounds;
use crate::{Caller, Code, Failure};

/// The configuration that holds for `caller`: what its files, its environment and the words after the
/// program's name say.
///
/// # Errors
///
/// If a layer is not valid, or the project's file sets what it may not.
pub fn resolve(caller: &Caller) -> Result<Resolved, Failure> {
    let files = Files {
        user: caller.user_config_file(),
        project: Some(caller.project().join("agon.toml")),
    };
    let flags = Layer {
        debates_dir: caller.debates_dir.clone(),
        ..Layer::default()
    };
    let resolved = agon_config::resolve(&files, &caller.vars, &flags);
    let mut resolved = or_sound_layers(caller, resolved, || {
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

/// What was resolved; where that failed and the caller does without broken layers, what `sound`
/// resolves.
fn or_sound_layers(
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

/// What is wrong with the configuration, in a line that names the file and the place; none where
/// it is valid.
pub fn describe_broken_settings(caller: &Caller) -> Option<String> {
    let failure = read_settings(caller).err()?;
    // A file is quoted by lines that begin with a number or a bar.
    let is_quoted = |line: &&str| {
        let first = line.trim_start().chars().next();
        first.is_none_or(|c| c == '|' || c.is_ascii_digit())
    };
    let lines = failure.message.lines().filter(|line| !is_quoted(line));
    let what = lines.map(str::trim).collect::<Vec<_>>().join(": ");
    // `agon config check` lists all keys.
    let what = what.split(", expected one of").next();
    what.map(str::to_owned)
}

/// The values of the configuration that holds for `caller`.
///
/// # Errors
///
/// As [`resolve`].
pub fn read_settings(caller: &Caller) -> Result<Settings, Failure> {
    resolve(caller).map(|resolved| resolved.settings)
}

// Two sides in five rounds and blind are 12; three judges, the swap and four spared (`SPARE_CALLS`)
// make 20.
/// The calls that the largest duel with a panel of three makes, and those spared for it.
pub const MAX_CALLS: u32 = 20;

/// Refuses bounds that leave nothing to debate with.
fn refuse_nothing(bounds: &Bounds) -> Result<(), Failure> {
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

/// Refuses bounds with nothing in them, and a request and variables that raise one where no person
/// is watching; `calls` are those that need no leave.
///
/// # Errors
///
/// If a bound leaves nothing, or no person watches and the request, or a variable of the environment,
/// is above the default and above what the user's own file allows.
pub fn refuse_raised(caller: &Caller, bounds: &Bounds, calls: u32) -> Result<(), Failure> {
    refuse_nothing(bounds)?;
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
            format!("{name} is above what may be set where nobody is watching"),
        )
        .parameter(name)
        .hint("without a terminal only your own configuration file may raise a bound")),
    }
}

/// What the user's own file sets, with `vars` as the environment: the project's file does not count.
fn of_user(caller: &Caller, vars: &BTreeMap<String, String>) -> Result<Settings, Failure> {
    let files = Files {
        user: caller.user_config_file(),
        project: None,
    };
    let resolved = match agon_config::resolve(&files, vars, &Layer::default()) {
        // It is the project's, which may set no bound.
        Err(ConfigError::UnknownProfile { .. }) => {
            let mut vars = vars.clone();
            vars.remove(PROFILE_VAR);
            agon_config::resolve(&files, &vars, &Layer::default())
        }
        resolved => resolved,
    };
    let resolved = or_sound_layers(caller, resolved, || {
        agon_config::resolve_sound_layers(&files, vars, &Layer::default())
    })?;
    Ok(resolved.settings)
}

/// What the user's own file sets, on top of the defaults; neither the project's file nor the
/// environment counts, but for the profile that the environment names.
///
/// # Errors
///
/// If the file is not valid.
pub fn read_user_settings(caller: &Caller) -> Result<Settings, Failure> {
    let mut vars = caller.vars.clone();
    vars.retain(|name, _| name == PROFILE_VAR);
    of_user(caller, &vars)
}

/// The variable that names a profile, for this process and those it starts.
pub const PROFILE_VAR: &str = "AGON_PROFILE";

/// The failure for a configuration that is not valid.
pub fn config_failure(error: &ConfigError) -> Failure {
    Failure::from_error(Code::Configuration, error).hint(error.hint())
}

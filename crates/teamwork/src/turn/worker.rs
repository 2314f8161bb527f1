//! The AI tool that a member works with.

use agon_agents::{Environment, Profile, Worker};
use agon_caller::profiles::profiles;
use agon_caller::settings::read_settings;
use agon_caller::{Caller, Code, Failure};
use agon_proc::find_program;

/// Returns the profile and the program of a host that a member can work with.
///
/// # Errors
///
/// Fails if there is no such host, it cannot be confined to a work tree, or it is not installed.
pub(crate) fn find_worker(caller: &Caller, host: &str) -> Result<(Profile, Worker), Failure> {
    let settings = read_settings(caller)?;
    let profiles = profiles(&settings)?;
    let able = || {
        let able = profiles.iter().filter(|profile| profile.work.is_some());
        let names: Vec<String> = able.map(|profile| profile.name.to_string()).collect();
        format!("members can work with {}", names.join(", "))
    };
    let refuse = |code, message: String, hint: String| {
        Err(Failure::new(code, message).parameter("host").hint(hint))
    };
    let Some(profile) = profiles.iter().find(|it| it.name.as_str() == host) else {
        return refuse(
            Code::UnknownHost,
            format!("unknown AI tool `{host}`"),
            able(),
        );
    };
    let here = Environment::new(caller.vars_os.clone());
    let found = profile
        .programs
        .iter()
        .find_map(|name| find_program(name, here.search_path()));
    let Some(program) = found else {
        let message = format!("{} is not installed", profile.title);
        let hint = format!("install it: {}", profile.install.hint);
        return Err(Failure::new(Code::NotInstalled, message).hint(hint));
    };
    match Worker::new(profile, program, here) {
        Some(worker) => Ok((profile.clone(), worker)),
        None => refuse(
            Code::CannotWork,
            format!("{} cannot be confined to a work tree", profile.title),
            able(),
        ),
    }
}

/// Returns the hosts whose model could write through a link that leads out of its work tree.
///
/// # Errors
///
/// If the configuration cannot be read.
pub(crate) fn hosts_that_follow_links(caller: &Caller) -> Result<Vec<String>, Failure> {
    let settings = read_settings(caller)?;
    let profiles = profiles(&settings)?;
    let follows = profiles
        .iter()
        .filter(|it| it.work.as_ref().is_some_and(|work| work.follows_links));
    Ok(follows.map(|it| it.name.to_string()).collect())
}

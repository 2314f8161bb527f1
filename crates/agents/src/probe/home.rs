//! The private home folder in which Agon probes a tool.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use agon_proc::PrivateFolder;
use agon_record::spec::Effort;

use super::dialogue::{CANARY, COMMANDS, REPLY};
use crate::agent::AgentError;
use crate::ask::Ask;
use crate::detect::DetectedTool;
use crate::environment::Environment;
use crate::profile::Profile;

// 90 s by default: OpenCode 1.18, the slowest, took 16 to 19 s for a whole turn on a busy machine.
/// The time limit for one answer, as a multiple of `probe_ms`: the slowest tool takes about ten
/// seconds to start.
const PROBES: u32 = 9;

/// The reason why a tool cannot be probed.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The profile has no `probe` table.
    #[error("its profile has no `probe` table, which is needed to run it against a test server")]
    NotSaid,
    /// A folder or the test server could not be created.
    #[error("cannot prepare the probe")]
    Prepare(#[source] io::Error),
    /// The call of the tool failed or was cancelled.
    #[error(transparent)]
    Asked(#[from] AgentError),
}

/// A separate home folder for a tool, configured to use only a server on the loopback interface.
pub(super) struct ProbeHome {
    private: PrivateFolder,
    profile: Profile,
    here: Environment,
}

impl ProbeHome {
    /// Creates the files and variables that the profile lists for a probe, with the test server at
    /// `url`.
    pub(super) fn prepare(
        found: &DetectedTool,
        here: &Environment,
        url: &str,
    ) -> Result<Self, ProbeError> {
        let Some(probe) = &found.profile.probe else {
            return Err(ProbeError::NotSaid);
        };
        let private = here.private_places().make_folder();
        let private = private.map_err(|error| ProbeError::Prepare(io::Error::other(error)))?;
        let made = |name| private.make_subfolder(name).map_err(ProbeError::Prepare);
        let (home, temp) = (made("home")?, made("tmp")?);
        let filled = |text: &str| {
            let home = home.to_string_lossy();
            text.replace("{url}", url).replace("{home}", &home)
        };
        for (name, text) in &probe.files {
            write_home_file(&home, name, &filled(text)).map_err(ProbeError::Prepare)?;
        }
        let skill = format!("---\nname: canary\ndescription: A canary.\n---\n{CANARY}\n");
        for (name, text) in [
            ("canary.txt", CANARY),
            (".agents/skills/canary/SKILL.md", &skill),
        ] {
            write_home_file(&home, name, text).map_err(ProbeError::Prepare)?;
        }
        let mut vars: BTreeMap<String, String> = BTreeMap::from([
            (
                "PATH".into(),
                here.search_path().to_string_lossy().into_owned(),
            ),
            ("HOME".into(), home.to_string_lossy().into_owned()),
            ("TMPDIR".into(), temp.to_string_lossy().into_owned()),
            ("LANG".into(), "C.UTF-8".into()),
        ]);
        let given = probe.env.iter();
        vars.extend(given.map(|(name, value)| (name.clone(), filled(value))));
        Ok(Self {
            profile: isolate_profile_env(&found.profile, &vars),
            here: Environment::new(vars).with_private_places(here.private_places()),
            private,
        })
    }

    /// Returns the tool's profile, adapted to this home.
    pub(super) fn profile(&self) -> Profile {
        self.profile.clone()
    }

    /// Returns the environment in which the tool runs.
    pub(super) fn here(&self) -> Environment {
        self.here.clone()
    }

    /// Creates a folder to read, with two files.
    pub(super) fn create_read_folder(&self) -> io::Result<std::path::PathBuf> {
        let folder = self.private.make_subfolder("copy")?;
        std::fs::write(folder.join("harbour.txt"), REPLY)?;
        std::fs::write(folder.join("canary.txt"), CANARY)?;
        Ok(folder)
    }

    /// Returns the call with which the tool is probed.
    pub(super) fn probe_ask(&self) -> Ask<'static> {
        Ask {
            prompt: COMMANDS,
            model: None,
            effort: Effort::Low,
            timeout: Duration::from_millis(self.profile.limits.probe_ms) * PROBES,
            reads: None,
            hears: None,
            schema: None,
            interview: None,
        }
    }
}

/// Writes a file in the private home; a path outside it is an error.
fn write_home_file(home: &Path, name: &str, text: &str) -> io::Result<()> {
    let inside = |part| matches!(part, std::path::Component::Normal(_));
    if !Path::new(name).components().all(inside) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("`{name}` in `probe.files` is outside the private home"),
        ));
    }
    let path = home.join(name);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

/// Parts of variable names that indicate an account, a URL or a folder of the user.
const OF_THE_USER: [&str; 13] = [
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "AUTH",
    "CREDENTIAL",
    "URL",
    "HOST",
    "ENDPOINT",
    "PROXY",
    "HOME",
    "DIR",
    "PROFILE",
];

/// Returns the profile with `vars` enforced, whatever the user's profile sets or removes, and
/// without the variables in which the user set an account, a URL or a folder.
fn isolate_profile_env(profile: &Profile, vars: &BTreeMap<String, String>) -> Profile {
    let mut here = profile.clone();
    here.env.pass.extend(vars.keys().cloned());
    here.env.remove.clear();
    let of_the_user = |name: &str| OF_THE_USER.iter().any(|part| name.contains(part));
    here.env
        .set
        .retain(|name, _| !of_the_user(&name.to_uppercase()));
    here.env.set.extend(vars.clone());
    here
}

//! The private home that a tool is probed in.

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

// 90 s by default: OpenCode 1.18, the slowest, was measured at 16 to 19 s for a whole turn on a
// busy machine.
/// Time for one answer, in probes: the slowest tool needs some ten seconds to start.
const PROBES: u32 = 9;

/// Why a tool cannot be probed.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The profile does not say how.
    #[error("its profile does not say how to point it at a server of ours")]
    NotSaid,
    /// There is no place for it, or no port.
    #[error("cannot prepare it")]
    Prepare(#[source] io::Error),
    /// It was cancelled.
    #[error(transparent)]
    Asked(#[from] AgentError),
}

/// A home of its own for a tool, in which it knows a server on the loopback alone.
pub(super) struct ProbeHome {
    private: PrivateFolder,
    profile: Profile,
    here: Environment,
}

impl ProbeHome {
    /// Lays out what the profile of a tool names for this, with the server at `url`.
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

    /// The profile of the tool in this home.
    pub(super) fn profile(&self) -> Profile {
        self.profile.clone()
    }

    /// The environment of the tool.
    pub(super) fn here(&self) -> Environment {
        self.here.clone()
    }

    /// A folder to read in, with a file in it.
    pub(super) fn create_read_folder(&self) -> io::Result<std::path::PathBuf> {
        let folder = self.private.make_subfolder("copy")?;
        std::fs::write(folder.join("harbour.txt"), REPLY)?;
        std::fs::write(folder.join("canary.txt"), CANARY)?;
        Ok(folder)
    }

    /// What the tool is asked.
    pub(super) fn scripted_ask(&self) -> Ask<'static> {
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

/// Writes a file of the private home; one that would lie elsewhere is refused.
fn write_home_file(home: &Path, name: &str, text: &str) -> io::Result<()> {
    let inside = |part| matches!(part, std::path::Component::Normal(_));
    if !Path::new(name).components().all(inside) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("`{name}` in `probe.files` lies outside of the private home"),
        ));
    }
    let path = home.join(name);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

/// What names an account, an address or a place of the user's in a variable.
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

/// The profile with our variables enforced, whatever the user's own sets or removes, and the user's
/// own variables dropped where they name an account, an address or a folder.
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

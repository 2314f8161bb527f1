//! An agent without a profile, by the name of its program.

use agon_debate::spec::ToolName;

use super::{
    Absent, Acp, CallLimits, Confinement, Install, Login, Profile, Transport, Vars, Version,
};

/// What stands before the program in the name of such an agent.
const PREFIX: &str = "acp:";

impl Profile {
    /// The profile of an agent that is named by its program: `acp:my-agent` starts `my-agent`,
    /// looked for like any other, without arguments.
    ///
    /// Nothing is known of it. So nothing is granted that it asks for, and where it offers modes
    /// it must offer one whose name says that it only reads. None where the name is no such name;
    /// a program is named without its folder.
    ///
    /// ```
    /// # use agon_agents::Profile;
    /// let profile = Profile::of_command(&"acp:my-agent".parse()?).ok_or("no name of an agent")?;
    /// assert_eq!(profile.programs, ["my-agent"]);
    /// assert_eq!(Profile::of_command(&"my-agent".parse()?), None);
    /// assert_eq!(Profile::of_command(&"acp:./my-agent".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_command(name: &ToolName) -> Option<Self> {
        let program = name.as_str().strip_prefix(PREFIX)?;
        if program.is_empty() || program.starts_with('-') || program.contains('/') {
            return None;
        }
        let held = Confinement {
            modes: ["read-only", "readonly", "read_only", "plan", "ask"]
                .map(str::to_owned)
                .into(),
            ..Confinement::default()
        };
        Some(Self {
            name: name.clone(),
            title: program.to_owned(),
            vendor: String::new(),
            programs: vec![program.to_owned()],
            transports: vec![Transport::Acp],
            concurrency: 2,
            config_dirs: Vec::new(),
            install: Install {
                npm: None,
                hint: format!("put a program called {program} on the PATH"),
            },
            version: Version {
                args: Vec::new(),
                pattern: "(.+)".to_owned(),
            },
            login: Login {
                args: Vec::new(),
                env: Vec::new(),
                files: Vec::new(),
                maybe: Vec::new(),
                command: program.to_owned(),
                absent: Absent::Unknown,
            },
            cli: None,
            acp: Some(Acp {
                read_only: held.clone(),
                reads: Some(held),
                ..Acp::default()
            }),
            env: Vars::default(),
            limits: CallLimits::default(),
            models: Vec::new(),
            measured: None,
            confined: None,
            probe: None,
        })
    }
}

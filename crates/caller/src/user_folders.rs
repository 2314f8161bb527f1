//! The folders in which a user keeps what belongs to Agon, by the caller's environment.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::Caller;

/// The folder that has Agon's name in each of the user's.
const NAME: &str = "agon";

/// Where macOS keeps settings and data.
const APPLICATION_SUPPORT: &str = "Library/Application Support";

impl Caller {
    /// The user's configuration file.
    pub fn user_config_file(&self) -> Option<PathBuf> {
        let folder = match self.vars.get("AGON_CONFIG_DIR") {
            Some(dir) => PathBuf::from(dir),
            None => self.user_folder("XDG_CONFIG_HOME", ".config")?,
        };
        Some(folder.join("config.toml"))
    }

    /// Where what the user need not look at is kept from one run to the next.
    pub fn state_dir(&self) -> Option<PathBuf> {
        let has_one = !cfg!(target_os = "macos");
        has_one.then(|| self.user_folder("XDG_STATE_HOME", ".local/state"))?
    }

    /// Where debates go that belong to no project.
    pub fn data_dir(&self) -> Option<PathBuf> {
        self.user_folder("XDG_DATA_HOME", ".local/share")
    }

    /// Agon's folder in the one that `variable` names, else in `below_home`.
    fn user_folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        if cfg!(target_os = "macos") {
            return Some(self.home()?.join(APPLICATION_SUPPORT).join(NAME));
        }
        let named = self.vars_os.get(OsStr::new(variable));
        let named = named.map(PathBuf::from).filter(|dir| dir.is_absolute());
        let folder = named.or_else(|| Some(self.home()?.join(below_home)))?;
        Some(folder.join(NAME))
    }

    /// The home that the environment names, else the one that the system has for this user.
    fn home(&self) -> Option<PathBuf> {
        let named = self.vars_os.get(OsStr::new("HOME"));
        let named = named.filter(|home| !home.is_empty()).map(PathBuf::from);
        named.or_else(std::env::home_dir)
    }
}

#[cfg(all(test, not(target_os = "macos")))]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::*;

    fn caller(vars: &[(&str, &str)]) -> Caller {
        let vars = vars.iter().map(|(name, value)| (name.into(), value.into()));
        Caller::new(vars.collect::<BTreeMap<_, _>>(), "/project")
    }

    fn folders(caller: &Caller) -> [Option<PathBuf>; 3] {
        [
            caller.user_config_file(),
            caller.state_dir(),
            caller.data_dir(),
        ]
    }

    #[test]
    fn folders_are_below_the_callers_home() {
        let caller = caller(&[("HOME", "/h"), ("XDG_DATA_HOME", "data")]);
        let expected = [
            "/h/.config/agon/config.toml",
            "/h/.local/state/agon",
            "/h/.local/share/agon",
        ];
        let expected = expected.map(|path| Some(PathBuf::from(path)));
        assert_eq!(folders(&caller), expected, "a relative path is ignored");
    }

    #[test]
    fn variables_move_each_folder() {
        let caller = caller(&[
            ("HOME", "/h"),
            ("XDG_CONFIG_HOME", "/c"),
            ("XDG_STATE_HOME", "/s"),
            ("XDG_DATA_HOME", "/d"),
        ]);
        let expected = ["/c/agon/config.toml", "/s/agon", "/d/agon"];
        assert_eq!(
            folders(&caller),
            expected.map(|path| Some(PathBuf::from(path)))
        );
    }

    #[test]
    fn the_configuration_has_a_variable_of_its_own() {
        let caller = caller(&[("AGON_CONFIG_DIR", "/mine"), ("XDG_CONFIG_HOME", "/c")]);
        let file = Path::new("/mine/config.toml");
        assert_eq!(caller.user_config_file().as_deref(), Some(file));
    }
}

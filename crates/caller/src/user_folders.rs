//! The user's folders for Agon, from the caller's environment.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::Caller;

/// The name of Agon's folder inside the user's folders.
const NAME: &str = "agon";

/// The folder for settings and data on macOS.
const APPLICATION_SUPPORT: &str = "Library/Application Support";

impl Caller {
    /// Returns the path of the user's configuration file.
    pub fn user_config_file(&self) -> Option<PathBuf> {
        let folder = match self.vars.get("AGON_CONFIG_DIR") {
            Some(dir) => PathBuf::from(dir),
            None => self.user_folder("XDG_CONFIG_HOME", ".config")?,
        };
        Some(folder.join("config.toml"))
    }

    /// Returns the folder for state that persists between runs.
    pub fn state_dir(&self) -> Option<PathBuf> {
        let has_one = !cfg!(target_os = "macos");
        has_one.then(|| self.user_folder("XDG_STATE_HOME", ".local/state"))?
    }

    /// Returns the folder for data, such as debates outside a project.
    pub fn data_dir(&self) -> Option<PathBuf> {
        self.user_folder("XDG_DATA_HOME", ".local/share")
    }

    /// Returns Agon's folder in the folder that `variable` names, or else in `below_home`.
    fn user_folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        if cfg!(target_os = "macos") {
            return Some(self.home()?.join(APPLICATION_SUPPORT).join(NAME));
        }
        let named = self.vars_os.get(OsStr::new(variable));
        let named = named.map(PathBuf::from).filter(|dir| dir.is_absolute());
        let folder = named.or_else(|| Some(self.home()?.join(below_home)))?;
        Some(folder.join(NAME))
    }

    /// Returns the home folder from the environment or else from the system.
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

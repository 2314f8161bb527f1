//! Prevents a tool from interpreting a prompt.
//!
//! A tool that looks for `@path` in every prompt may not do so in the arguments of a command. The
//! prompt is then sent as the argument of a command that Agon defines in a separate home folder.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::environment::Environment;

/// A command that Agon defines in a separate home folder of the tool, so that the tool passes the
/// prompt on unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// The text in a prompt that the tool would interpret; a prompt without it is sent directly.
    pub sign: String,
    /// The environment variable that names the tool's home folder.
    pub variable: String,
    /// The user's home folder for the tool, expanded with [`Environment::expand_path`].
    pub home: String,
    /// Entries of the user's home that are linked in the new home.
    pub links: Vec<String>,
    /// The folder in the home whose entries are all linked, except those in [`Passage::without`].
    pub folder: String,
    /// Folders in which the tool stores conversations: created in the user's home if missing.
    pub kept: Vec<String>,
    /// Entries of [`Passage::folder`] that are not linked.
    pub without: Vec<String>,
    /// The file that defines the command, with `{word}` for its name.
    pub file: String,
    /// The content of that file: the tool appends the whole prompt, including the command.
    pub text: String,
}

/// The home and prompt prefix of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenPassage {
    /// The path of the new home.
    pub(crate) home: PathBuf,
    /// The text before the prompt.
    pub(crate) lead: String,
}

/// The name of the new home in the call's private folder.
const HOME: &str = "home";

impl Passage {
    /// Returns all paths in the home that the passage uses.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> + Clone {
        let folders = self.links.iter().chain(&self.kept);
        folders.chain([&self.folder, &self.file])
    }

    /// Creates the new home in the private folder of a call.
    ///
    /// # Errors
    ///
    /// If a file or a link cannot be created.
    pub(crate) fn open(&self, private: &Path, here: &Environment) -> io::Result<OpenPassage> {
        let home = private.join(HOME);
        let (theirs, ours) = (here.expand_path(&self.home), home.join(&self.folder));
        std::fs::create_dir_all(&ours)?;
        for name in &self.links {
            link_if_exists(&theirs.join(name), &home.join(name))?;
        }
        for name in &self.kept {
            std::fs::create_dir_all(theirs.join(&self.folder).join(name))?;
        }
        let entries = std::fs::read_dir(theirs.join(&self.folder));
        for entry in entries.into_iter().flatten() {
            let entry = entry?;
            let name = entry.file_name();
            if !self.without.iter().any(|without| name == without.as_str()) {
                link_if_exists(&entry.path(), &ours.join(name))?;
            }
        }
        let word = command_name(private);
        let file = home.join(self.file.replace("{word}", &word));
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(file, &self.text)?;
        let lead = format!("/{word}\n\n");
        Ok(OpenPassage { home, lead })
    }
}

/// Returns the name of the command. It is random, so that no command of the user has the same name.
fn command_name(private: &Path) -> String {
    let name = private.file_name().unwrap_or_default().to_string_lossy();
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("agon{plain}")
}

/// Creates a link at `to` that points to `from`, if `from` exists.
fn link_if_exists(from: &Path, to: &Path) -> io::Result<()> {
    if std::fs::symlink_metadata(from).is_err() {
        return Ok(());
    }
    std::os::unix::fs::symlink(from, to)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use super::*;

    #[test]
    fn the_home_of_a_call_has_all_of_the_users_but_their_commands() {
        let place = tempfile::tempdir().unwrap();
        let (user, private) = (place.path().join("user"), place.path().join("call-x7"));
        for file in [
            ".env",
            ".tool/settings.json",
            ".tool/commands/mine.toml",
            ".tool/tmp/a",
        ] {
            fs::create_dir_all(user.join(file).parent().unwrap()).unwrap();
            fs::write(user.join(file), "theirs").unwrap();
        }
        fs::create_dir(&private).unwrap();
        let passage = Passage {
            sign: "@".into(),
            variable: "TOOL_HOME".into(),
            home: "{TOOL_HOME:~}".into(),
            links: vec![".env".into(), ".nothing".into()],
            folder: ".tool".into(),
            kept: vec!["history".into(), "tmp".into()],
            without: vec!["commands".into()],
            file: ".tool/commands/{word}.toml".into(),
            text: "prompt = \"x\"".into(),
        };
        let vars = [("HOME".to_owned(), user.to_string_lossy().into_owned())];
        let here = Environment::new(BTreeMap::from(vars));
        let open = passage.open(&private, &here).unwrap();
        assert_eq!(open.lead, "/agoncallx7\n\n");
        let names = |folder: &str| {
            let entries = fs::read_dir(open.home.join(folder)).unwrap();
            let mut names: Vec<_> = entries.map(|it| it.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names(""), [".env", ".tool"]);
        assert_eq!(
            names(".tool"),
            ["commands", "history", "settings.json", "tmp"]
        );
        assert_eq!(names(".tool/commands"), ["agoncallx7.toml"]);
        fs::write(open.home.join(".tool/settings.json"), "newer").unwrap();
        assert_eq!(
            fs::read_to_string(user.join(".tool/settings.json")).unwrap(),
            "newer"
        );
        fs::remove_dir_all(&private).unwrap();
        assert!(user.join(".tool/tmp/a").exists());
    }
}

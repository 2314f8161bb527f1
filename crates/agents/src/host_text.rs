//! Formats a prompt so that a host passes it to its model unchanged.
//!
//! The command lines and the ACP adapters of the hosts treat a prompt that begins with `/`, `!`, `$`,
//! `@` or `&` as a command of their own: they answer it themselves, log the user out, or replace the
//! text. None of them does so after a line that begins with a letter or a digit.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::environment::Environment;
use crate::profile::{OpenPassage, Profile};

/// The line before a prompt whose first character a host could interpret as a command.
pub(crate) const LEAD: &str = "The request:\n\n";

/// Adds a line before the prompt, unless the prompt begins with a letter, a digit or a heading.
///
/// Hosts trim a prompt before they check its first character, so a prompt that begins with white
/// space also gets the line.
pub(crate) fn protect_prompt(prompt: &str) -> Cow<'_, str> {
    let begins_as_prose = |first: char| first.is_ascii_alphanumeric();
    let begun = prompt.chars().next().is_some_and(begins_as_prose);
    if begun || prompt.starts_with("# ") {
        Cow::Borrowed(prompt)
    } else {
        Cow::Owned(format!("{LEAD}{prompt}"))
    }
}

/// Protects the prompt of one command-line call from being interpreted by the tool.
pub(crate) struct PromptRoute {
    passage: Option<(String, OpenPassage)>,
    no_skills: Vec<String>,
}

impl PromptRoute {
    /// Creates the files that protect this prompt in the call's private folder; `cwd` is the call's
    /// working folder.
    ///
    /// # Errors
    ///
    /// If a file cannot be created.
    pub(crate) fn prepare(
        profile: &Profile,
        here: &Environment,
        private: &Path,
        cwd: &Path,
        prompt: &str,
    ) -> io::Result<Self> {
        let open = |passage: &crate::profile::Passage| {
            let open = passage.open(private, here)?;
            Ok::<_, io::Error>((passage.variable.clone(), open))
        };
        let skills = profile.skills.as_ref();
        let passage = profile.passage.as_ref();
        let passage = passage.filter(|it| prompt.contains(&it.sign));
        Ok(Self {
            passage: passage.map(open).transpose()?,
            no_skills: skills.map_or_else(Vec::new, |skills| skills.args(here, cwd)),
        })
    }

    /// Adds the arguments (after the first one, which is the subcommand) and environment variables
    /// that protect the prompt.
    pub(crate) fn apply(&self, args: &mut Vec<OsString>, env: &mut BTreeMap<OsString, OsString>) {
        let at = args.len().min(1);
        args.splice(at..at, self.no_skills.iter().map(OsString::from));
        if let Some((variable, open)) = &self.passage {
            env.insert(variable.into(), open.home.clone().into());
        }
    }

    /// Returns the prompt in a form that the tool passes on unchanged.
    pub(crate) fn prompt<'a>(&self, prompt: &'a str) -> Cow<'a, str> {
        match &self.passage {
            Some((_, open)) => Cow::Owned(format!("{}{prompt}", open.lead)),
            None => protect_prompt(prompt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_of_agon_goes_out_as_it_is() {
        for prompt in ["# Your task\n\nAnswer.", "The question:\n\n/help"] {
            assert_eq!(protect_prompt(prompt), prompt);
        }
    }

    #[test]
    fn no_prompt_begins_with_a_sign_that_a_host_reads() {
        for sign in [
            "/", "!", "$", "@", "&", "%", "#", "?", "-", "\\", "<", "[", "{", "'", "\"", "\u{feff}",
        ] {
            for blank in ["", " ", "\n", "\t", "\u{a0}", "\u{200b}"] {
                let prompt = format!("{blank}{sign}logout or not?");
                let sent = protect_prompt(&prompt);
                assert_eq!(sent, format!("The request:\n\n{prompt}"));
            }
        }
        assert_eq!(protect_prompt(""), LEAD);
    }
}

//! A prompt in the form in which a host passes it on to its model unread.
//!
//! The command lines and the ACP adapters of the hosts take a prompt that begins with `/`, `!`, `$`,
//! `@` or `&` for a command of their own: they answer it themselves, log the user out, or put another
//! text in its place. None of them does so behind a line that begins with a letter or a digit.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::environment::Environment;
use crate::profile::{OpenPassage, Profile};

/// The line that goes before a prompt whose first character a host could take for a command.
pub(crate) const LEAD: &str = "The request:\n\n";

/// The prompt, behind a line of Agon's own unless it begins with a letter, a digit or a heading.
///
/// Hosts trim a prompt before they look at its first character, so this looks behind blanks, too.
pub(crate) fn for_host(prompt: &str) -> Cow<'_, str> {
    let begins_as_prose = |first: char| first.is_ascii_alphanumeric();
    let begun = prompt.chars().next().is_some_and(begins_as_prose);
    if begun || prompt.starts_with("# ") {
        Cow::Borrowed(prompt)
    } else {
        Cow::Owned(format!("{LEAD}{prompt}"))
    }
}

/// How the prompt of one call of a command line gets past what that reads in it.
pub(crate) struct PromptRoute {
    passage: Option<(String, OpenPassage)>,
    no_skills: Vec<String>,
}

impl PromptRoute {
    /// Lays out what a call in `cwd` needs for it in its private folder.
    ///
    /// # Errors
    ///
    /// If a file there cannot be made.
    pub(crate) fn lay(
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

    /// Adds what the tool is started with: arguments behind the first one, which names what it does.
    pub(crate) fn apply(&self, args: &mut Vec<OsString>, env: &mut BTreeMap<OsString, OsString>) {
        let at = args.len().min(1);
        args.splice(at..at, self.no_skills.iter().map(OsString::from));
        if let Some((variable, open)) = &self.passage {
            env.insert(variable.into(), open.home.clone().into());
        }
    }

    /// The prompt in the form in which the tool passes it on.
    pub(crate) fn prompt<'a>(&self, prompt: &'a str) -> Cow<'a, str> {
        match &self.passage {
            Some((_, open)) => Cow::Owned(format!("{}{prompt}", open.lead)),
            None => for_host(prompt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_of_agon_goes_out_as_it_is() {
        for prompt in ["# Your task\n\nAnswer.", "The question:\n\n/help"] {
            assert_eq!(for_host(prompt), prompt);
        }
    }

    #[test]
    fn no_prompt_begins_with_a_sign_that_a_host_reads() {
        for sign in [
            "/", "!", "$", "@", "&", "%", "#", "?", "-", "\\", "<", "[", "{", "'", "\"", "\u{feff}",
        ] {
            for blank in ["", " ", "\n", "\t", "\u{a0}", "\u{200b}"] {
                let prompt = format!("{blank}{sign}logout or not?");
                let sent = for_host(&prompt);
                assert_eq!(sent, format!("The request:\n\n{prompt}"));
            }
        }
        assert_eq!(for_host(""), LEAD);
    }
}

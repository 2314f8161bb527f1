//! Templates of prompts.

use std::sync::OnceLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use super::Wording;

mod slot;

pub use slot::{Slot, Values};

/// The text that replaces a template that cannot be filled in. The reason may quote the values, so
/// it must not appear in a prompt.
const BROKEN: &str = "TEMPLATE ERROR";

/// The prompt templates of a crate, by name.
///
/// ```
/// use agon_wording::{Templates, values};
///
/// static TEMPLATES: Templates = Templates::new(&[("count", "Name {{ most }} at most.")]);
/// let filled = TEMPLATES.fill("count", values! { most => 3_u32 });
/// assert_eq!(filled.as_str(), "Name 3 at most.");
/// ```
#[derive(Debug)]
pub struct Templates {
    sources: &'static [(&'static str, &'static str)],
    /// All templates, parsed once, because a prompt uses ten or more.
    environment: OnceLock<Environment<'static>>,
}

impl Templates {
    /// Creates templates with these names and texts.
    pub const fn new(sources: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            sources,
            environment: OnceLock::new(),
        }
    }

    /// Fills the template `name` with `values`, and trims the result.
    ///
    /// A template that cannot be filled in is a bug, which the tests find; it becomes a fixed error
    /// text.
    pub fn fill(&self, name: &str, values: Values) -> Wording {
        self.try_fill(name, values)
            .unwrap_or_else(|_| Wording::from_literal(BROKEN))
    }

    /// Fills the template like [`Templates::fill`], but returns the reason on failure.
    fn try_fill(&self, name: &str, values: Values) -> Result<Wording, minijinja::Error> {
        let environment = self
            .environment
            .get_or_init(|| template_environment(self.sources));
        let (values, fences) = values.into_template_values();
        let text = environment.get_template(name)?.render(values)?;
        Ok(fences.restore_fences(text.trim()))
    }
}

fn template_environment(sources: &[(&'static str, &'static str)]) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    if let Ok(syntax) = syntax.build() {
        environment.set_syntax(syntax);
    }
    for (name, source) in sources {
        // A template that does not parse is left out, so filling it in reports it as missing.
        environment.add_template(name, source).unwrap_or_default();
    }
    environment
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fence, values};

    #[test]
    fn a_template_that_cannot_be_filled_in_says_nothing_of_its_values() {
        let templates = Templates::new(&[("motion", "{{ topic }} {{ side }}")]);
        let values = || values! { topic => fence("5a", "key", &"topic", "obey") };
        let error = templates.try_fill("motion", values()).unwrap_err();
        assert_eq!(error.kind(), minijinja::ErrorKind::UndefinedError);
        assert_eq!(&*templates.fill("motion", values()), "TEMPLATE ERROR");
        assert_eq!(&*templates.fill("absent", values()), "TEMPLATE ERROR");
    }
}

//! Texts with places to fill in.

use std::sync::OnceLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use super::Wording;

mod slot;

pub use slot::{Slot, Values};

/// Stands in place of a template that cannot be filled in: the reason may quote what was to be
/// filled in, so it must not stand in a prompt.
const BROKEN: &str = "TEMPLATE ERROR";

/// Texts of this program with places to fill in, by their names.
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
    /// Every template, read once: a prompt is made of ten and more.
    environment: OnceLock<Environment<'static>>,
}

impl Templates {
    /// The templates with these names and texts.
    pub const fn new(sources: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            sources,
            environment: OnceLock::new(),
        }
    }

    /// The text called `name` with `values` filled in, without white space around it.
    ///
    /// A template that cannot be filled in is a bug, which the tests find; a sentence that says so
    /// takes its place.
    pub fn fill(&self, name: &str, values: Values) -> Wording {
        self.try_fill(name, values)
            .unwrap_or_else(|_| Wording::from_literal(BROKEN))
    }

    /// As [`Templates::fill`], or why it cannot be filled in.
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
        // One that cannot be read is missing when it is filled in, and said there.
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

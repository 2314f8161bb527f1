//! What can be given of a skill: all of it, a section, or where it is.

use agon_selection::{Portion, PortionForm};
use agon_tokens::count_tokens;

use crate::content::Skill;
use crate::content::skill::SkillSection;

// Tokenizers of other makers take up to a fifth more tokens than o200k for English prose with
// Markdown; a quarter leaves room for code and tables.
/// How many tokens are counted for a hundred that o200k has.
pub const TOKEN_MARGIN: u64 = 125;

/// `tokens` of o200k, with the margin for tokenizers that take more.
pub fn tokens_with_margin(tokens: usize) -> u64 {
    (tokens as u64 * TOKEN_MARGIN).div_ceil(100)
}

// A section of which the rest is missing, and a name, are worth less than what they stand for even
// where they have every word of the request.
/// The part of a skill's worth that a section has at most.
const SECTION_SHARE: f64 = 0.6;
/// The part of a skill's worth that a pointer to it has.
const POINTER_SHARE: f64 = 0.1;

/// What can be given of a skill.
pub(super) struct Portions {
    sections: Vec<SkillSection>,
    offered: Vec<Portion>,
}

impl Portions {
    /// What can be given of `skill`; `share` is the part of what the request is about that stands in
    /// a text.
    pub(super) fn new(skill: &Skill, share: impl Fn(&str) -> f64) -> Self {
        let mut portions = Self {
            sections: skill.sections(),
            offered: Vec::new(),
        };
        let count =
            |form: PortionForm| tokens_with_margin(count_tokens(&portions.render(skill, form)));
        // What its author says it takes at most holds where it is more than was counted.
        let declared = skill.budget().unwrap_or_default() as u64;
        let mut offered = vec![Portion {
            form: PortionForm::Whole,
            tokens: count(PortionForm::Whole).max(declared),
            share: 1.0,
        }];
        for (at, section) in portions.sections.iter().enumerate() {
            let share = share(&section.text);
            if share > 0.0 {
                offered.push(Portion {
                    form: PortionForm::Section(at),
                    tokens: count(PortionForm::Section(at)),
                    share: SECTION_SHARE * share,
                });
            }
        }
        offered.push(Portion {
            form: PortionForm::Pointer,
            tokens: count(PortionForm::Pointer),
            share: POINTER_SHARE,
        });
        portions.offered = offered;
        portions
    }

    pub(super) fn offered(&self) -> &[Portion] {
        &self.offered
    }

    /// The heading of the section that `form` is.
    pub(super) fn heading(&self, form: PortionForm) -> Option<String> {
        match form {
            PortionForm::Section(at) => {
                self.sections.get(at).map(|section| section.heading.clone())
            }
            PortionForm::Whole | PortionForm::Pointer => None,
        }
    }

    /// What a model is given. What is not the whole says so, and how the whole is to be had.
    pub(super) fn render(&self, skill: &Skill, form: PortionForm) -> String {
        let name = &skill.name;
        let how = match &skill.origin {
            Some(path) => format!("read {path}"),
            None => format!("`agon skills show {name}`"),
        };
        match form {
            PortionForm::Whole => format!("<skill name=\"{name}\">\n{}\n</skill>\n", skill.body()),
            PortionForm::Section(at) => {
                let text = self
                    .sections
                    .get(at)
                    .map_or("", |section| section.text.as_str());
                let (number, all) = (at + 1, self.sections.len());
                format!(
                    "<skill name=\"{name}\" part=\"section {number} of {all}\">\n{text}\n\n\
                     The rest: {how}\n</skill>\n"
                )
            }
            PortionForm::Pointer => {
                let first = skill.description.split_once(". ");
                let first = first.map_or(skill.description.as_str(), |(first, _)| first);
                let first = first.trim_end_matches('.');
                format!("Skill {name}: {first}. The whole of it: {how}\n")
            }
        }
    }
}

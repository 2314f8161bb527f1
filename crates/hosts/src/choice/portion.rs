//! Portions of a skill that can be included: all of it, one section, or a pointer to it.

use agon_selection::{Portion, PortionForm};
use agon_tokens::count_tokens;

use crate::content::Skill;
use crate::content::skill::SkillSection;

// Other vendors' tokenizers need up to 20 % more tokens than o200k for English Markdown. 25 %
// leaves room for code and tables.
/// Tokens counted per 100 tokens of o200k.
pub const TOKEN_MARGIN: u64 = 125;

/// Returns `tokens` of o200k plus the margin for tokenizers that take more.
pub fn tokens_with_margin(tokens: usize) -> u64 {
    (tokens as u64 * TOKEN_MARGIN).div_ceil(100)
}

// A part is worth less than the whole skill, even if it contains every word of the request.
/// Maximum share of a skill's value that a section has.
const SECTION_SHARE: f64 = 0.6;
/// Share of a skill's value that a pointer has.
const POINTER_SHARE: f64 = 0.1;

/// The portions of a skill.
pub(super) struct Portions {
    sections: Vec<SkillSection>,
    offered: Vec<Portion>,
}

impl Portions {
    /// Returns the portions of `skill`; `share` returns how much of the request's topic a text covers.
    pub(super) fn new(skill: &Skill, share: impl Fn(&str) -> f64) -> Self {
        let mut portions = Self {
            sections: skill.sections(),
            offered: Vec::new(),
        };
        let count =
            |form: PortionForm| tokens_with_margin(count_tokens(&portions.render(skill, form)));
        // The size may grow up to the maximum that the author declares, so the higher number
        // counts.
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

    /// Returns the heading if `form` is a section.
    pub(super) fn heading(&self, form: PortionForm) -> Option<String> {
        match form {
            PortionForm::Section(at) => {
                self.sections.get(at).map(|section| section.heading.clone())
            }
            PortionForm::Whole | PortionForm::Pointer => None,
        }
    }

    /// Returns the text for the model. A partial text says so and tells how to get the whole.
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
                format!("Skill {name}: {first}. Full text: {how}\n")
            }
        }
    }
}

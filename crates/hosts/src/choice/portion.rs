//! What can be given of a skill: all of it, a section, or where it is.

use agon_selection::{Form, Portion};

use crate::content::Skill;
use crate::content::skill::{SkillSection, count_tokens};

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
    pub(super) fn of(skill: &Skill, share: impl Fn(&str) -> f64) -> Self {
        let sections = skill.sections();
        let portion = |form: Form, share: f64| Portion {
            form,
            tokens: tokens_with_margin(count_tokens(&render(skill, &sections, form))),
            share,
        };
        let mut whole = portion(Form::Whole, 1.0);
        // What its author says it takes at most is believed where it is more than was counted.
        whole.tokens = whole.tokens.max(skill.budget().unwrap_or_default() as u64);
        let mut offered = vec![whole];
        for (at, section) in sections.iter().enumerate() {
            let share = share(&section.text);
            if share > 0.0 {
                offered.push(portion(Form::Section(at), SECTION_SHARE * share));
            }
        }
        offered.push(portion(Form::Pointer, POINTER_SHARE));
        Self { sections, offered }
    }

    pub(super) fn offered(&self) -> Vec<Portion> {
        self.offered.clone()
    }

    /// The heading of the section that `form` is, and the text.
    pub(super) fn text(&self, skill: &Skill, form: Form) -> (Option<String>, String) {
        let section = match form {
            Form::Section(at) => self.sections.get(at).map(|section| section.heading.clone()),
            Form::Whole | Form::Pointer => None,
        };
        (section, render(skill, &self.sections, form))
    }
}

/// What a model is given. What is not the whole says so, and how the whole is to be had.
fn render(skill: &Skill, sections: &[SkillSection], form: Form) -> String {
    let name = &skill.name;
    match form {
        Form::Whole => format!("<skill name=\"{name}\">\n{}\n</skill>\n", skill.body()),
        Form::Section(at) => {
            let text = sections.get(at).map_or("", |section| section.text.as_str());
            format!("<skill name=\"{name}\" part=\"section {} of {}\">\n{text}\n\nThe rest: `agon skills show {name}`.\n</skill>\n", at + 1, sections.len())
        }
        Form::Pointer => {
            let (first, _) = skill.description.split_once(". ").unwrap_or((&skill.description, ""));
            format!("Skill `{name}`: {}. To read it: `agon skills show {name}`.\n", first.trim_end_matches('.'))
        }
    }
}

//! Invented secrets of many kinds, and look-alikes.
//!
//! Every sample follows the format that its vendor documents, filled by a generator with a fixed
//! seed, so the repository contains no working key and nothing that looks like one.

mod fill;
mod look_alikes;
mod secrets;

pub(crate) use fill::Fill;
pub(crate) use look_alikes::LOOK_ALIKES;
pub(crate) use secrets::SECRETS;

/// Number of texts of each kind.
const EACH_SECRET: usize = 6;
const EACH_LOOK_ALIKE: usize = 16;

/// A text, and its secret if it contains one.
pub(crate) struct Sample {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) secret: Option<String>,
}

/// A kind of sample: its name and its form, in the syntax of [`Fill`].
///
/// In a secret, the part between `⟦` and `⟧` must be redacted; without the marks, everything.
pub(crate) type Kind = (&'static str, &'static str);

/// The contexts of a sample in a reply or file.
const SURROUNDINGS: &[(&str, &str)] = &[
    ("", ""),
    (
        "The deploy job reads ",
        ", which the log then shows in full.",
    ),
    (
        "{\"moves\": [{\"content\": \"see `",
        "` in the settings\\nand rotate it\"}]}",
    ),
    ("```sh\n# once\nrun --with ", "\n```\n"),
    ("| value | where |\n|---|---|\n| ", " | staging |\n"),
    (
        "- first\n- (",
        ") is what the file has; the rest follows from it.\n",
    ),
];

/// Every secret, in varying contexts.
pub(crate) fn secrets() -> Vec<Sample> {
    samples(SECRETS, EACH_SECRET, 1, true)
}

/// Every look-alike.
pub(crate) fn look_alikes() -> Vec<Sample> {
    samples(LOOK_ALIKES, EACH_LOOK_ALIKE, 2, false)
}

fn samples(kinds: &[Kind], each: usize, seed: u64, secret: bool) -> Vec<Sample> {
    let mut fill = Fill::new(seed);
    let mut samples = Vec::new();
    for (kind, form) in kinds {
        for number in 0..each {
            let (before, after) = SURROUNDINGS[number % SURROUNDINGS.len()];
            let made = fill.form(form);
            let hidden = secret.then(|| hidden(&made).to_owned());
            let plain = made.replace(['⟦', '⟧'], "");
            let text = if after.contains("\\n") {
                format!(
                    "{before}{}{after}",
                    plain.replace('"', "\\\"").replace('\n', "\\n")
                )
            } else {
                format!("{before}{plain}{after}")
            };
            let hidden = hidden.map(|it| match after.contains("\\n") {
                true => it.replace('\n', "\\n"),
                false => it,
            });
            samples.push(Sample {
                kind,
                text,
                secret: hidden,
            });
        }
    }
    samples
}

fn hidden(made: &str) -> &str {
    match (made.find('⟦'), made.find('⟧')) {
        (Some(start), Some(end)) => &made[start + '⟦'.len_utf8()..end],
        _ => made,
    }
}

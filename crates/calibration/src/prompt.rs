//! A prompt: facts at their depths in prose, and the questions after it.

use crate::design::{BYTES_PER_TOKEN, Cell, Design, Wording};
use crate::filler::Filler;
use crate::invented::Inventor;
use crate::kinds::{FactKind, KINDS, ValueKind, fill};
use crate::random::Random;

/// Sentences of a paragraph.
const PARAGRAPH: usize = 7;
/// What a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// All of it.
    pub text: String,
    /// The questions, in the order in which they are asked.
    pub questions: Vec<PlantedQuestion>,
}

/// A question of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlantedQuestion {
    /// The depth at which its fact stands, from 0.
    pub depth: usize,
    /// The name it asks about.
    pub name: String,
    /// The value that answers it.
    pub value: String,
    /// The value of the fact that nearly answers it, where there is one.
    pub near_miss: Option<String>,
    /// The question.
    pub words: String,
    /// The sentence that answers it.
    pub fact: String,
}

/// The prompt of a cell. Each has facts and prose of its own: two cells share no name, so that what
/// one of them comes to says nothing of another.
///
/// One prompt has all depths: they are asked about in one call, in an order of chance. A call for
/// each question would take as many times the tokens; what is measured so is recall when several
/// things are wanted of a context, which is how contexts are used.
pub fn build_prompt(design: &Design, cell: Cell) -> Prompt {
    let tokens = design
        .lengths()
        .get(cell.length)
        .copied()
        .unwrap_or_default();
    let paraphrased = cell.wording == Wording::Paraphrased;
    let mut random = Random::from_parts(&[
        u64::from(cell.seed),
        tokens,
        u64::from(cell.distractors),
        u64::from(paraphrased),
    ]);
    let mut questions = plant(design.depths(), cell, &mut random);
    let near_misses: Vec<String> = questions.iter().filter_map(|it| it.1.clone()).collect();
    let mut asked: Vec<PlantedQuestion> = questions.iter().map(|it| it.0.clone()).collect();
    random.shuffle(&mut asked);
    let frame = Frame::new(&asked);
    let facts: usize = questions.iter().map(|it| it.0.fact.len() + 1).sum();
    let others: usize = near_misses.iter().map(|it| it.len() + 1).sum();
    let wanted = usize::try_from(tokens * BYTES_PER_TOKEN).unwrap_or(usize::MAX);
    let room = wanted.saturating_sub(frame.len() + facts + others);
    let mut sentences = prose(room, &mut random);
    for other in near_misses {
        let at = random.below(sentences.len() + 1);
        sentences.insert(at, other);
    }
    // From the last to the first, so that the places of those before stay what they are.
    questions.sort_by_key(|it| std::cmp::Reverse(it.0.depth));
    let count = sentences.len();
    for (question, _) in questions {
        let share = design.depth_share(question.depth);
        let at = place(count, share);
        sentences.insert(at, question.fact);
    }
    let paragraphs: Vec<String> = sentences.chunks(PARAGRAPH).map(|it| it.join(" ")).collect();
    Prompt {
        text: frame.around(&paragraphs.join("\n\n")),
        questions: asked,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a place among at most some hundred thousand sentences"
)]
fn place(count: usize, share: f64) -> usize {
    ((count as f64 * share).round() as usize).min(count)
}

/// A question for each depth, each with the fact that nearly answers it where there are such.
fn plant(depths: usize, cell: Cell, random: &mut Random) -> Vec<(PlantedQuestion, Option<String>)> {
    let mut kinds: Vec<&FactKind> = KINDS.iter().collect();
    random.shuffle(&mut kinds);
    let mut inventor = Inventor::default();
    let mut value = |kind: &FactKind, random: &mut Random| {
        let name = inventor.word(random);
        let value = match kind.value {
            ValueKind::Number => inventor.number(random),
            ValueKind::Word => inventor.word(random),
        };
        (name, value)
    };
    let question = |(depth, kind): (usize, &&FactKind)| {
        let (name, own) = value(kind, random);
        let other = cell.distractors.then(|| value(kind, random));
        let words = match cell.wording {
            Wording::Literal => kind.literal,
            Wording::Paraphrased => kind.paraphrase,
        };
        let near = other
            .as_ref()
            .map(|(name, value)| fill(kind.fact, name, value));
        let question = PlantedQuestion {
            depth,
            words: fill(words, &name, ""),
            fact: fill(kind.fact, &name, &own),
            name,
            value: own,
            near_miss: other.map(|(_, value)| value),
        };
        (question, near)
    };
    kinds
        .iter()
        .take(depths)
        .enumerate()
        .map(question)
        .collect()
}

fn prose(bytes: usize, random: &mut Random) -> Vec<String> {
    let mut filler = Filler::default();
    let mut sentences: Vec<String> = Vec::new();
    let mut length = 0;
    while length < bytes {
        let sentence = filler.sentence(random);
        length += sentence.len() + 1;
        sentences.push(sentence);
    }
    sentences
}

/// The words around the text.
struct Frame {
    before: String,
    after: String,
}

impl Frame {
    fn new(questions: &[PlantedQuestion]) -> Self {
        let count = questions.len();
        let before = format!(
            "Read the text between the two lines of dashes. After it come {count} questions about \
             it.\n\n-----\n"
        );
        let numbered = questions.iter().enumerate();
        let numbered = numbered.map(|(at, question)| format!("{}. {}\n", at + 1, question.words));
        let after = format!(
            "\n-----\n\nQuestions:\n{}\nAnswer from the text alone, one line for each question: its \
             number, a colon, and the bare value, as in \"2: value\". Write \"unknown\" for the value \
             where the text does not say it. Write nothing else, and use no tools.\n",
            numbered.collect::<String>()
        );
        Self { before, after }
    }

    fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    fn around(&self, text: &str) -> String {
        [&self.before, text, &self.after].concat()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::design::MAX_DEPTHS;
    use crate::overlap::overlap;

    fn design() -> Design {
        Design::new(&[2_000, 8_000], 9, 3).unwrap()
    }

    #[test]
    fn every_fact_stands_once_at_its_depth_in_a_prompt_of_its_length() {
        let design = design();
        for cell in design.cells() {
            let prompt = build_prompt(&design, cell);
            let bytes = prompt.text.len() as f64;
            let wanted = design.lengths()[cell.length] as f64 * 4.0;
            assert!((bytes - wanted).abs() < 250.0, "{bytes} {wanted}");
            let body = prompt.text.split("-----").nth(1).unwrap();
            for question in &prompt.questions {
                assert_eq!(prompt.text.matches(&question.fact).count(), 1);
                assert_eq!(prompt.text.matches(&question.value).count(), 1);
                let at = body.find(&question.fact).unwrap() as f64 / body.len() as f64;
                let wanted = design.depth_share(question.depth);
                assert!(
                    (at - wanted).abs() < 0.12,
                    "{at} {wanted} in {}",
                    body.len()
                );
                assert_eq!(question.near_miss.is_some(), cell.distractors);
                if let Some(near) = &question.near_miss {
                    assert_eq!(body.matches(near).count(), 1);
                }
                let shared = overlap(&question.words, &question.fact);
                match cell.wording {
                    Wording::Literal => assert!(shared >= 0.8, "{question:?}"),
                    Wording::Paraphrased => assert!(shared <= 0.25, "{question:?}"),
                }
            }
        }
    }

    #[test]
    fn the_same_cell_has_the_same_prompt_and_another_has_no_name_of_it() {
        let design = design();
        let mut names = BTreeSet::new();
        for cell in design.cells() {
            let prompt = build_prompt(&design, cell);
            assert_eq!(prompt, build_prompt(&design, cell));
            names.extend(prompt.questions.into_iter().map(|it| it.name));
        }
        assert_eq!(names.len(), design.cells().len() * 9);
    }

    #[test]
    fn the_order_of_the_questions_says_nothing_of_the_depth() {
        let design = design();
        let orders: BTreeSet<Vec<usize>> = design
            .cells()
            .iter()
            .map(|cell| {
                let prompt = build_prompt(&design, *cell);
                prompt.questions.iter().map(|it| it.depth).collect()
            })
            .collect();
        assert!(orders.len() > 20, "{}", orders.len());
    }

    #[test]
    fn the_shortest_prompt_has_room_for_all_its_facts() {
        for depths in 2..=MAX_DEPTHS {
            let min = Design::min_tokens(depths);
            let design = Design::new(&[min, min + 1], depths, 3).unwrap();
            for cell in design.cells() {
                let prompt = build_prompt(&design, cell);
                let bytes = prompt.text.len() as u64;
                assert!(bytes <= (min + 1) * BYTES_PER_TOKEN + 250, "{bytes} {min}");
            }
        }
    }
}

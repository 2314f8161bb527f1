//! Asks the person at the terminal one-line questions.

use std::io::{BufRead, Stderr, StdinLock, Write};

use agon_debates::front::{AfterLoss, BuiltInOffer, LostSeat};
use agon_debates::request::topic::one_line;
use agon_report::text::plain_line;
use tokio::sync::oneshot;

use crate::error::{Code, Failure};
use crate::stop;

/// Asks a person questions.
pub(crate) struct Asker<R, W> {
    input: R,
    output: W,
    /// Builds the failure to return when the input ends.
    gone: fn() -> Failure,
}

impl<R: BufRead, W: Write> Asker<R, W> {
    /// Prompts on `output` and reads answers from `input`; `gone` builds the failure to return when
    /// the input ends.
    pub(crate) fn new(input: R, output: W, gone: fn() -> Failure) -> Self {
        Self {
            input,
            output,
            gone,
        }
    }

    /// Returns the answer to `question`; `None` for an empty answer.
    ///
    /// # Errors
    ///
    /// Returns an error if the input has ended.
    pub(crate) fn ask_line(&mut self, question: &str) -> Result<Option<String>, Failure> {
        let asked = write!(self.output, "{question}").and_then(|()| self.output.flush());
        let mut bytes = Vec::new();
        let read = asked.and_then(|()| self.input.read_until(b'\n', &mut bytes));
        match read {
            Ok(0) | Err(_) => Err((self.gone)()),
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                Ok((!line.is_empty()).then_some(line))
            }
        }
    }

    /// Asks a yes-or-no question; an empty answer means yes.
    ///
    /// # Errors
    ///
    /// Returns an error if the input has ended.
    pub(crate) fn ask_yes(&mut self, question: &str) -> Result<bool, Failure> {
        let line = self.ask_line(&format!("{question} [Y/n] "))?;
        let line = line.unwrap_or_default().to_lowercase();
        Ok(matches!(line.as_str(), "" | "y" | "yes"))
    }

    /// Like [`Asker::ask_line`], but asks again until the answer is one valid line; `what` names
    /// the parameter in error messages.
    pub(crate) fn ask_valid_line(
        &mut self,
        question: &str,
        what: &str,
    ) -> Result<Option<String>, Failure> {
        loop {
            let Some(line) = self.ask_line(question)? else {
                return Ok(None);
            };
            match one_line(&line, what) {
                Ok(line) => return Ok(Some(line)),
                Err(failure) => self.report_failure(&failure),
            }
        }
    }

    /// Like [`Asker::ask_valid_line`], but asks again until the answer is not empty.
    pub(crate) fn ask_required_line(
        &mut self,
        question: &str,
        what: &str,
    ) -> Result<String, Failure> {
        loop {
            if let Some(given) = self.ask_valid_line(question, what)? {
                return Ok(given);
            }
        }
    }

    /// Prints why an answer was rejected; ignores a broken pipe.
    pub(crate) fn report_failure(&mut self, failure: &Failure) {
        let hint = failure.hint.clone().unwrap_or_default().typed();
        self.print_line(&format!("  {}; {hint}", failure.message));
    }

    /// Prints a line; ignores a broken pipe.
    pub(crate) fn print_line(&mut self, text: &str) {
        drop(writeln!(self.output, "{text}"));
    }
}

/// Asks the person at the terminal a yes-or-no question; Ctrl-C and the end of input mean no.
pub(crate) async fn confirm_on_terminal(question: &str) -> bool {
    let question = question.to_owned();
    let said = ask_on_terminal(move |person| person.ask_yes(&question)).await;
    said.unwrap_or(false)
}

/// Asks the person at the terminal what to do about a failed seat; an ended input and Ctrl-C stop
/// the debate.
pub(crate) async fn ask_about_lost_seat(lost: &LostSeat<'_>) -> AfterLoss {
    let description = describe_lost_seat(lost);
    let said = ask_on_terminal(move |person| {
        person.print_line(&description);
        loop {
            match person.ask_valid_line("r, NAME or s: ", "answer")? {
                None => {}
                Some(line) if line == "r" => return Ok(AfterLoss::Retry),
                Some(line) if line == "s" => return Ok(AfterLoss::Stop),
                Some(line) => return Ok(AfterLoss::Replace(line)),
            }
        }
    });
    said.await.unwrap_or(AfterLoss::Stop)
}

/// Describes why a seat failed, and the choices.
fn describe_lost_seat(lost: &LostSeat<'_>) -> String {
    let (tool, seat, slug) = (lost.tool, lost.seat, lost.slug);
    let cause = plain_line(&lost.cause.detail);
    let choices = format!(
        "NAME: give the seat to another tool · s: stop (continue with: agon resume {slug})"
    );
    match lost.is_formal_turn {
        false => {
            format!(
                "{tool} cannot take its turn as {seat}: {cause}\nr: retry, after you fix it · {choices}"
            )
        }
        true => format!(
            "{tool} gave no usable answer as {seat}: {}{}\nr: retry · {choices}\n\
            The turn cannot be skipped: every exchange needs a turn of each side and the scores.",
            lost.cause.code.describe(),
            match cause.as_str() {
                "" => String::new(),
                cause => format!(" ({cause})"),
            }
        ),
    }
}

/// The first debate of a user who has no AI tool that can debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstDebate {
    /// The recorded debate.
    Demo,
    /// A debate of the built-in model.
    BuiltInModel,
    /// No debate: the user quit.
    Quit,
}

/// Asks the person at the terminal for the first debate; an ended input and Ctrl-C quit.
pub(crate) async fn ask_first_debate_on_terminal(offer: &BuiltInOffer) -> FirstDebate {
    let offer = offer.clone();
    let said = ask_on_terminal(move |person| choose_first_debate(person, &offer));
    said.await.unwrap_or(FirstDebate::Quit)
}

fn choose_first_debate<R: BufRead, W: Write>(
    person: &mut Asker<R, W>,
    offer: &BuiltInOffer,
) -> Result<FirstDebate, Failure> {
    let download = match &offer.download {
        Some(what) => format!("{what}, downloaded once"),
        None => "already downloaded".to_owned(),
    };
    person.print_line(&format!(
        "{}\n\n  d  watch the demo: a recorded debate, offline, about 30 seconds\n  m  let a small \
        built-in model debate your question, as a demonstration\n     ({download})\n  q  quit\n",
        plain_line(&offer.because)
    ));
    loop {
        let line = person.ask_line("d, m or q [d]: ")?;
        match line.as_deref().map(str::to_lowercase).as_deref() {
            None | Some("d") => return Ok(FirstDebate::Demo),
            Some("m") => return Ok(FirstDebate::BuiltInModel),
            Some("q") => return Ok(FirstDebate::Quit),
            Some(_) => {}
        }
    }
}

/// The person at the terminal.
pub(crate) type TerminalAsker = Asker<StdinLock<'static>, Stderr>;

/// Asks the person at the terminal with `ask`; `None` if they stop or the input ends.
pub(crate) async fn ask_on_terminal<T: Send + 'static>(
    ask: impl FnOnce(&mut TerminalAsker) -> Result<T, Failure> + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = oneshot::channel();
    let cancel = stop::signal_cancellation_token();
    // Do not join the thread: it blocks until a line is typed, and Ctrl-C must end the question at
    // once.
    std::thread::spawn(move || {
        let (stdin, stderr) = (std::io::stdin().lock(), std::io::stderr());
        let said = ask(&mut Asker::new(stdin, stderr, no_answer_failure));
        sender.send(said.ok()).unwrap_or_default();
    });
    tokio::select! {
        said = receiver => said.ok().flatten(),
        () = cancel.cancelled() => None,
    }
}

/// Returns the failure for an input that ended before the answer.
fn no_answer_failure() -> Failure {
    Failure::new(Code::Cancelled, "no answer was given")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The choice of a person who types this, and what they were shown.
    fn first_debate(download: Option<&str>, typed: &str) -> (Option<FirstDebate>, String) {
        let offer = BuiltInOffer {
            because: "No AI tool was found; run `agon tools` to see how to install one.".to_owned(),
            download: download.map(str::to_owned),
        };
        let mut screen = Vec::new();
        let mut person = Asker::new(typed.as_bytes(), &mut screen, no_answer_failure);
        let choice = choose_first_debate(&mut person, &offer).ok();
        (choice, String::from_utf8(screen).unwrap())
    }

    #[test]
    fn without_a_tool_a_person_chooses_the_demo_the_built_in_model_or_neither() {
        let choice = |typed: &str| first_debate(None, typed).0;
        let choices = ["\n", "d\n", "M\n", "q\n", "what\nm\n", ""].map(choice);
        let [demo, model, quit] = [
            FirstDebate::Demo,
            FirstDebate::BuiltInModel,
            FirstDebate::Quit,
        ]
        .map(Some);
        assert_eq!(choices, [demo, demo, model, quit, model, None]);
    }

    #[test]
    fn the_choice_tells_the_size_of_a_download_and_fits_80_columns() {
        let size = "SmolLM2 135M Instruct, 98.4 MB, licence Apache-2.0";
        let (_, screen) = first_debate(Some(size), "q\n");
        let told = format!("     ({size}, downloaded once)\n");
        assert!(screen.contains(&told), "{screen}");
        assert!(screen.lines().all(|line| line.len() <= 80), "{screen}");
        let (_, screen) = first_debate(None, "q\n");
        assert!(screen.contains("(already downloaded)"), "{screen}");
    }

    #[test]
    fn enter_says_yes_and_the_end_of_the_input_nothing() {
        let said = |typed: &str| {
            let mut person = Asker::new(typed.as_bytes(), Vec::new(), no_answer_failure);
            person.ask_yes("Start?").ok()
        };
        let asked = ["\n", "Y\n", "yes\n", "n\n", "what\n", ""].map(said);
        let [yes, no] = [Some(true), Some(false)];
        assert_eq!(asked, [yes, yes, yes, no, no, None]);
    }
}

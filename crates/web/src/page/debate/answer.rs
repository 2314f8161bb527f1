//! The form in which a person answers for their seat.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_caller::{Caller, Code, Failure, find};
use agon_debates::front::desk::{AnswerKind, Form, Question, Section};
use agon_debates::request::{ResumeRequest, WrittenAnswer};
use agon_debates::run::resume;
use agon_prompt::human;
use agon_record::id::{AskKey, Seat};
use agon_record::state::State as Debate;
use agon_rules::plan::asks_awaiting_person;
use agon_store::{RealDisk, read_answer};
use axum::extract::{Path as Named, Request, State};
use maud::{Markup, html};

use super::actions::watched;
use crate::collected::Collected;
use crate::fields::{Fields, debate_address};
use crate::find::find_debate;
use crate::frame::{self, PageHead};
use crate::gate::PROOF_FIELD;
use crate::reply::{self, Reply};
use crate::sent::{Sent, error_form};
use crate::site::Site;
use crate::work;

/// A turn that waits for a person.
struct Awaited {
    path: PathBuf,
    state: Debate,
    key: AskKey,
    form: Form,
}

impl Awaited {
    /// Finds the turn of `seat` in the debate `name`. What the person has saved so far is in the
    /// form.
    fn find(caller: &Caller, name: &str, seat: &str) -> Result<Self, Failure> {
        let path = find_debate(caller, name)?;
        let state = find::read(&path)?.state;
        let seat: Option<Seat> = seat.parse().ok();
        let keys = asks_awaiting_person(&state);
        let key = keys.into_iter().find(|key| Some(key.turn.seat) == seat);
        let key = key.ok_or_else(|| {
            Failure::new(
                Code::NotAwaited,
                "the debate is not waiting for this person's answer",
            )
            .hint("the debate's page shows its state")
        })?;
        let form = saved_form(&path, &state, key);
        Ok(Self {
            path,
            state,
            key,
            form,
        })
    }
}

fn saved_form(path: &Path, state: &Debate, key: AskKey) -> Form {
    let saved = read_answer(&RealDisk, path, key).ok().flatten();
    let saved = saved.and_then(|bytes| String::from_utf8(bytes).ok());
    match saved.map(|text| human::read_form(state, key, &text)) {
        Some((form, problems)) if problems.is_empty() => form,
        Some(_) | None => human::first_form(state, key),
    }
}

/// `GET /debates/{name}/answer/{seat}`: the form.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    Named((name, seat)): Named<(String, String)>,
    request: Request,
) -> Reply {
    let error = error_form(&request);
    let debate = name.clone();
    let awaited = work::run(&site, async move |caller| {
        Awaited::find(caller, &debate, &seat)
    });
    match awaited.await {
        Ok(awaited) => reply::page(page(&site, &name, &awaited, &[], false)),
        Err(failure) => reply::failure(&site, &failure, error),
    }
}

/// What became of a submitted form.
enum Submitted {
    Recorded(Vec<String>),
    /// It breaks rules, which the notes name.
    Refused(Box<Awaited>, Vec<String>),
}

/// `POST /debates/{name}/answer/{seat}`: submits the form.
pub(crate) async fn submit(
    State(site): State<Arc<Site>>,
    Named((name, seat)): Named<(String, String)>,
    request: Request,
) -> Reply {
    let error = error_form(&request);
    let fields = Sent::of(&request).fields;
    let debate = name.clone();
    let submitted = work::run(&site, async move |caller| {
        let awaited = Awaited::find(caller, &debate, &seat)?;
        record(caller, awaited, &fields).await
    });
    match submitted.await {
        Ok(Submitted::Recorded(notes)) => {
            site.notices.keep(&name, notes);
            reply::see_other(&format!("{}?done=answer", debate_address(&name)))
        }
        Ok(Submitted::Refused(awaited, notes)) => {
            reply::page(page(&site, &name, &awaited, &notes, true))
        }
        Err(failure) => reply::failure(&site, &failure, error),
    }
}

async fn record(
    caller: &Caller,
    mut awaited: Awaited,
    fields: &Fields,
) -> Result<Submitted, Failure> {
    let asked: Vec<usize> = awaited
        .form
        .sections()
        .iter()
        .map(|section| section.questions().count())
        .collect();
    for (section, questions) in asked.into_iter().enumerate() {
        for question in 0..questions {
            if let Some(text) = fields.get(&field_name(section, question)) {
                awaited
                    .form
                    .set_answer(section, question, &text.replace("\r\n", "\n"));
            }
        }
    }
    let text = human::render_filled_form(&awaited.state, awaited.key, &awaited.form);
    let request = ResumeRequest {
        debate: Some(awaited.path.display().to_string()),
        seat: Some(awaited.key.turn.seat),
        answer: Some(WrittenAnswer {
            name: "the form".to_owned(),
            bytes: human::mark_finished(&text).into_bytes(),
            is_only_copy: true,
        }),
        as_is: fields.get("as-is").is_some(),
        detach: true,
        ..ResumeRequest::default()
    };
    let mut front = Collected::new();
    match resume::resume(&watched(caller), &request, &mut front).await {
        Ok(_) => Ok(Submitted::Recorded(front.notes)),
        Err(failure) if matches!(failure.code, Code::AnswerRefused | Code::BlankAnswer) => {
            front.notes.insert(0, failure.message);
            Ok(Submitted::Refused(Box::new(awaited), front.notes))
        }
        Err(failure) => Err(failure),
    }
}

fn field_name(section: usize, question: usize) -> String {
    format!("s{section}q{question}")
}

fn page(
    site: &Arc<Site>,
    name: &str,
    awaited: &Awaited,
    notes: &[String],
    was_refused: bool,
) -> Markup {
    let Awaited {
        state, key, form, ..
    } = awaited;
    let address = debate_address(name);
    let turn = human::describe_turn(state, key.turn);
    let back = human::describe_sent_back(state, *key);
    let body = html! {
        main.person #answer {
            p.note { a href=(address) { "← The debate" } }
            h1 { "Your answer" }
            p.lede dir="auto" { (state.spec.topic) }
            p.note { "You are the " (turn) ". The debate is below the form." }
            @if !back.is_empty() {
                div.problem { @for line in &back { p dir="auto" { (line) } } }
            }
            @if !notes.is_empty() {
                div.problem role="alert" { @for note in notes { p dir="auto" { (note) } } }
            }
            form method="post" action={ (address) "/answer/" (key.turn.seat) } {
                input type="hidden" name=(PROOF_FIELD) value=(site.gate.form_proof());
                @for (at, section) in form.sections().iter().enumerate() { (section_fields(at, section)) }
                div.acts {
                    button.main type="submit" { "Submit the answer" }
                    @if was_refused {
                        button type="submit" name="as-is" value="yes" { "Submit it as it is" }
                    }
                }
                p.note { "Nothing is sent before you submit it. The debate continues then." }
            }
            section.part {
                h2 { "The debate so far" }
                pre.so-far dir="auto" { (debate_so_far(state, *key)) }
            }
        }
    };
    let title = format!("Your answer: {turn}");
    frame::render(site, &PageHead::titled(&title), &body)
}

/// Returns what the form in the debate's folder shows of the debate.
fn debate_so_far(state: &Debate, key: AskKey) -> String {
    let text = human::render_form(state, key);
    let shown = text
        .split_once(human::SCISSORS)
        .map(|(_, shown)| shown.trim());
    shown.unwrap_or_default().to_owned()
}

fn section_fields(at: usize, section: &Section) -> Markup {
    let questions = section.questions().enumerate();
    html! {
        fieldset {
            legend { (section.heading()) @if !section.is_needed() { " " span.faint { "(optional)" } } }
            @if !section.about().is_empty() { p.about dir="auto" { (section.about()) } }
            @for (nth, question) in questions { (question_field(&field_name(at, nth), section, &question)) }
        }
    }
}

fn question_field(name: &str, section: &Section, question: &Question<'_>) -> Markup {
    let label = match question.label {
        "" => section.heading(),
        label => label.to_owned(),
    };
    let help = format!("{name}-help");
    let answer = match question.answer {
        "" => question.default,
        answer => answer,
    };
    html! {
        div.field {
            label for=(name) { (agon_report::text::capitalize(&label)) }
            p.note id=(help) { (agon_report::text::capitalize(question.help)) }
            @match question.kind {
                AnswerKind::Choice(words) => select id=(name) name=(name) aria-describedby=(help) {
                    option value="" selected[answer.is_empty()] { "Choose" }
                    @for word in words { option value=(word.word) selected[word.word == answer] { (word.word) } }
                },
                kind if kind.is_one_line() => input type="text" id=(name) name=(name) value=(answer) aria-describedby=(help);,
                _ => textarea id=(name) name=(name) rows="4" aria-describedby=(help) dir="auto" { (answer) },
            }
        }
    }
}

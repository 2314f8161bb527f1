//! The forms that steer a debate, and what they do.

use std::sync::Arc;

use agon_caller::{Caller, Code, Failure};
use agon_debates::request::DecisionKind;
use agon_record::event::Outcome;
use agon_record::format::Judging;
use agon_rules::plan::asks_awaiting_person;
use agon_verdict::status::RunState;
use axum::extract::{Path as Named, Request, State};
use maud::{Markup, html};

use crate::fields::{Fields, debate_address};
use crate::find::find_debate;
use crate::gate::PROOF_FIELD;
use crate::loaded::Loaded;
use crate::reply::{self, Reply};
use crate::sent::{Sent, error_form};
use crate::site::Site;
use crate::steering::Steering;
use crate::work;

/// Maximum number of rounds that one form adds.
const MAX_ROUNDS: u16 = 5;

/// What a form does to a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Note,
    Judge,
    Stop,
    Resume,
    Extend,
    Decide,
}

impl Action {
    const ALL: [Self; 6] = [
        Self::Note,
        Self::Judge,
        Self::Stop,
        Self::Resume,
        Self::Extend,
        Self::Decide,
    ];

    /// Returns the last segment of its address.
    fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Judge => "judge",
            Self::Stop => "stop",
            Self::Resume => "resume",
            Self::Extend => "extend",
            Self::Decide => "decide",
        }
    }

    /// Returns what the page says after it.
    fn done(self) -> &'static str {
        match self {
            Self::Note => "Your note was added. Every seat sees it from now on.",
            Self::Judge => "The debate goes to the judge now.",
            Self::Stop => "The debate has stopped. Nothing is lost.",
            Self::Resume => "The debate continues.",
            Self::Extend => "The debate continues with more rounds.",
            Self::Decide => "Your decision was recorded.",
        }
    }
}

/// Returns what the page says after the action named in its address.
pub(super) fn done_notice(request: &Request) -> Option<&'static str> {
    let query = Fields::of_query(request.uri());
    let name = query.get("done")?;
    if name == "answer" {
        return Some("Your answer was submitted.");
    }
    let action = Action::ALL.into_iter().find(|it| it.name() == name)?;
    Some(action.done())
}

/// Returns the forms that apply to the debate in its state; empty if there are none.
pub(super) fn forms(site: &Site, loaded: &Loaded) -> Markup {
    if site.is_read_only() || loaded.at.is_some() || loaded.state.spec.is_demo() {
        return html! {};
    }
    let address = debate_address(&loaded.name);
    let proof = site.gate.form_proof();
    let is_closed = loaded.state.closed.is_some();
    let is_running = loaded.run_state == RunState::Running;
    let is_duel = loaded.state.format_rules().judging == Judging::AtTheEnd;
    let can_resume = matches!(loaded.run_state, RunState::Stopped | RunState::Failed);
    let is_contested = loaded.state.closed != Some(Outcome::Uncontested);
    let awaited = match loaded.run_state {
        RunState::WaitingForPerson => asks_awaiting_person(&loaded.state),
        _ => Vec::new(),
    };
    let form = |action: Action, body: Markup| {
        html! {
            form.act method="post" action={ (address) "/" (action.name()) } {
                input type="hidden" name=(PROOF_FIELD) value=(proof);
                (body)
            }
        }
    };
    html! {
        section.steer aria-label="Steer the debate" {
            @for key in &awaited {
                p.turn-of-you {
                    a.button.main href={ (address) "/answer/" (key.turn.seat) } { "Answer as the " (key.turn.seat) }
                    " The debate waits for you."
                }
            }
            @if !is_closed {
                (form(Action::Note, html! {
                    label for="note" { "A note for every seat" }
                    textarea #note name="text" rows="2" required maxlength="20000" {}
                    button type="submit" { "Add the note" }
                }))
            }
            @if loaded.verdict.is_some() && !is_running {
                (form(Action::Decide, html! {
                    label for="taken" { "What became of the answer" }
                    select #taken name="taken" {
                        option value="taken" { "Taken" }
                        option value="partly" { "Partly taken" }
                        option value="not_taken" { "Not taken" }
                    }
                    label.unseen for="why" { "Why" }
                    textarea #why name="why" rows="2" required maxlength="2000" placeholder="Why" {}
                    button type="submit" { "Record it" }
                }))
            }
            div.acts {
                @if can_resume { (form(Action::Resume, html! { button.main type="submit" { "Continue" } })) }
                @if is_running && is_duel { (form(Action::Judge, html! { button type="submit" { "Judge now" } })) }
                @if is_running { (form(Action::Stop, html! { button type="submit" { "Stop" } })) }
                @if is_contested && is_duel && (is_closed || is_running) {
                    (form(Action::Extend, html! {
                        button type="submit" { "Add rounds" }
                        " "
                        label.unseen for="rounds" { "Number of rounds" }
                        select #rounds name="rounds" { @for more in 1..=MAX_ROUNDS { option value=(more) { (more) } } }
                    }))
                }
                @if !is_duel && !is_running {
                    (form(Action::Extend, html! {
                        button type="submit" { "Run exchanges" }
                        " "
                        label.unseen for="rounds" { "Number of exchanges" }
                        select #rounds name="rounds" { @for more in 1..=MAX_ROUNDS { option value=(more) { (more) } } }
                    }))
                }
            }
        }
    }
}

/// `POST /debates/{name}/{action}`: does what a form says, and shows the debate again.
pub(crate) async fn act(
    State(site): State<Arc<Site>>,
    Named((name, action)): Named<(String, String)>,
    request: Request,
) -> Reply {
    let form = error_form(&request);
    let Some(action) = Action::ALL.into_iter().find(|it| it.name() == action) else {
        return reply::failure(&site, &reply::unknown_page(), form);
    };
    let fields = Sent::of(&request).fields;
    let debate = name.clone();
    let done = work::run(&site, async move |caller| {
        let path = find_debate(caller, &debate)?;
        let steering = steering(action, &fields)?;
        steering.run(&watched(caller), &path).await
    });
    match done.await {
        Ok(steered) => {
            site.notices.keep(&name, steered.notes);
            let address = debate_address(&name);
            reply::see_other(&format!("{address}?done={}", action.name()))
        }
        Err(failure) => reply::failure(&site, &failure, form),
    }
}

/// Returns what a form says.
fn steering(action: Action, fields: &Fields) -> Result<Steering, Failure> {
    Ok(match action {
        Action::Note => Steering::Note(fields.text("text").unwrap_or_default().to_owned()),
        Action::Judge => Steering::Judge,
        Action::Stop => Steering::Stop,
        Action::Resume => Steering::Resume,
        Action::Extend => Steering::Extend {
            rounds: fields.text("rounds").map(rounds).transpose()?,
            note: None,
        },
        Action::Decide => {
            let taken = match fields.text("taken") {
                Some("taken") => DecisionKind::Taken,
                Some("partly") => DecisionKind::Partly,
                Some("not_taken") => DecisionKind::NotTaken,
                Some(_) | None => {
                    let message = "the form does not say what became of the answer";
                    return Err(Failure::new(Code::InvalidParameter, message)
                        .parameter("taken")
                        .hint("choose taken, partly taken or not taken"));
                }
            };
            Steering::Decide(taken, fields.text("why").unwrap_or_default().to_owned())
        }
    })
}

fn rounds(text: &str) -> Result<u16, Failure> {
    let rounds = text.parse().ok();
    rounds
        .filter(|rounds| (1..=MAX_ROUNDS).contains(rounds))
        .ok_or_else(|| {
            let message = format!("the number of rounds is not from 1 to {MAX_ROUNDS}");
            Failure::new(Code::InvalidParameter, message)
                .parameter("rounds")
                .hint(format!("choose 1 to {MAX_ROUNDS}"))
        })
}

/// Returns the caller for a request from a form: a person saw the cost and can stop the debate.
pub(crate) fn watched(caller: &Caller) -> Caller {
    Caller {
        is_watched: true,
        ..caller.clone()
    }
}

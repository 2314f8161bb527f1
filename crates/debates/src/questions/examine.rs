//! Examines a session with a model: chooses the model, plans the parts and accounts for the tokens.

use std::rc::Rc;
use std::time::Duration;

use agon_agents::Login;
use agon_agents::profile::Transport;
use agon_caller::profiles::profiles;
use agon_caller::{CallFront, Caller, Code, Failure, Hint, depth, settings, system};
use agon_config::Settings;
use agon_health::{
    ContextDoc, Examination, Examiner, ExaminerAnswer, ExaminerName, ExaminerTestDoc, SelfTest,
    SessionRequest, instruction_tokens,
};
use agon_record::spec::{Effort, ToolName};
use agon_report::text::{abbreviate_count, count_with_noun};
use agon_seats::single_tool::{AllowedTools, Speaker, SpeakerTransports};
use agon_seats::tools::{Tools, naming};
use agon_sessions::PartSize;
use agon_wording::Wording;
use async_trait::async_trait;
use tokio::task::JoinSet;

use crate::limits::spending;
use crate::seat::consent::{self, Material};

// A finding takes a few lines of JSON, and ten findings take about this many tokens.
/// Tokens reserved for one answer.
const ANSWER_TOKENS: usize = 1_200;
// Tools reject or delay requests if there are more at once.
/// Number of parts that are asked about at the same time.
const AT_ONCE: usize = 4;

/// A request to examine a session with a model.
#[derive(Clone, Debug)]
pub struct ExamineRequest {
    /// The session.
    pub session: SessionRequest,
    /// Which model to ask.
    pub examiner: ExaminerRequest,
}

/// The model that examines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExaminerRequest {
    /// The tool. If none is named, the first one that is logged in and whose profile names a fast
    /// model.
    pub tool: Option<ToolName>,
    /// Its model. If none is named, its fast one.
    pub model: Option<String>,
    /// Seconds for one answer.
    pub timeout: u64,
}

/// Shows the progress of an examination.
#[async_trait(?Send)]
pub trait ExamineFront: CallFront {
    /// Asks the person whether to continue after the cost was noted; true if there is no person to
    /// ask.
    async fn agrees(&mut self) -> bool;

    /// Called when `done` of `all` parts were answered or have failed.
    fn part_finished(&mut self, done: usize, all: usize);
}

/// Examines a session after noting what that costs.
///
/// # Errors
///
/// If there is no session or no tool, too few tokens are left for today or this month, the person
/// declines, or no part is answered.
pub async fn examine(
    caller: &Caller,
    request: &ExamineRequest,
    front: &mut dyn ExamineFront,
) -> Result<ContextDoc, Failure> {
    depth::refuse_nested(caller)?;
    let examination = Examination::open(caller, &request.session)?;
    let can_ask = consent::can_ask(caller, front.can_ask());
    let chosen = ChosenModel::choose(caller, &request.examiner, can_ask).await?;
    match examine_by(caller, examination, &chosen, front).await {
        Err(failure) if chosen.can_fall_back(&failure) => {
            let examination = Examination::open(caller, &request.session)?;
            let default = chosen.fall_back(front);
            examine_by(caller, examination, &default, front).await
        }
        outcome => outcome,
    }
}

/// Reports the cost of an examination, then asks the model about the new parts of the session.
async fn examine_by(
    caller: &Caller,
    examination: Examination,
    chosen: &ChosenModel,
    front: &mut dyn ExamineFront,
) -> Result<ContextDoc, Failure> {
    let asked = AskedModel::detect(caller, chosen).await?;
    let plan = examination.plan(caller, asked.name.clone(), asked.size)?;
    if plan.new_parts() > 0 {
        let kept = match plan.parts() - plan.new_parts() {
            0 => String::new(),
            kept => format!("; {kept} more were answered earlier"),
        };
        front.note(&format!(
            "asking {} about {} of the session: about {} tokens in all, at most {} each{kept}",
            asked.name,
            count_with_noun(plan.new_parts() as u64, "part"),
            abbreviate_count(plan.tokens()),
            abbreviate_count((asked.size.tokens + instruction_tokens()) as u64),
        ));
    } else if plan.parts() > 0 {
        front.note(&format!(
            "{} has already examined all of this session",
            asked.name
        ));
    }
    let cost = Cost {
        calls: plan.new_parts(),
        tokens: plan.tokens(),
    };
    asked
        .spend(caller, cost, front, async |examiner| {
            examination.run(plan, examiner).await
        })
        .await
}

/// Tests a model on the sessions that are built into Agon.
///
/// # Errors
///
/// As [`examine`].
pub async fn test_examiner(
    caller: &Caller,
    request: &ExaminerRequest,
    front: &mut dyn ExamineFront,
) -> Result<ExaminerTestDoc, Failure> {
    depth::refuse_nested(caller)?;
    // Nothing of a project is sent, so any tool may be asked.
    let chosen = ChosenModel::choose(caller, request, true).await?;
    match test_by(caller, &chosen, front).await {
        Err(failure) if chosen.can_fall_back(&failure) => {
            test_by(caller, &chosen.fall_back(front), front).await
        }
        outcome => outcome,
    }
}

/// Reports the cost of a self-test, then asks the model about its sessions.
async fn test_by(
    caller: &Caller,
    chosen: &ChosenModel,
    front: &mut dyn ExamineFront,
) -> Result<ExaminerTestDoc, Failure> {
    let mut asked = AskedModel::detect(caller, chosen).await?;
    // The sessions are built into Agon.
    asked.speaker.allow();
    let test = SelfTest::new(asked.size)?;
    front.note(&format!(
        "asking {} about {} of 24 built-in sessions: about {} tokens in all",
        asked.name,
        count_with_noun(test.calls() as u64, "part"),
        abbreviate_count(test.tokens()),
    ));
    let cost = Cost {
        calls: test.calls(),
        tokens: test.tokens(),
    };
    let name = asked.name.clone();
    asked
        .spend(caller, cost, front, async |examiner| {
            test.run(&name, examiner).await
        })
        .await
}

/// The cost of an examination.
#[derive(Clone, Copy, Debug)]
struct Cost {
    calls: usize,
    tokens: u64,
}

/// The tool to ask and its model.
struct ChosenModel {
    tool: ToolName,
    /// `None` leaves the choice to the tool.
    model: Option<String>,
    /// Whether Agon, not the user, chose the model.
    is_own_choice: bool,
    /// Whether the user named the tool.
    is_named: bool,
    timeout: Duration,
}

impl ChosenModel {
    /// Chooses the tool that the request names, else one that the user allowed or `can_ask` for.
    async fn choose(
        caller: &Caller,
        request: &ExaminerRequest,
        can_ask: bool,
    ) -> Result<Self, Failure> {
        let settings = settings::read_settings(caller)?;
        naming::refuse_unless_configured(caller, request.tool.as_slice())?;
        naming::refuse_invalid_model_names([request.model.as_deref()])?;
        let tool = match &request.tool {
            Some(tool) => tool.clone(),
            None => choose_tool(caller, &settings, can_ask).await?,
        };
        let model = match &request.model {
            Some(model) => Some(model.clone()),
            None => fast_model(&settings, &tool)?,
        };
        Ok(Self {
            is_own_choice: request.model.is_none() && model.is_some(),
            is_named: request.tool.is_some(),
            tool,
            model,
            timeout: Duration::from_secs(request.timeout),
        })
    }

    /// Returns whether the tool refused a model that the user did not ask for.
    fn can_fall_back(&self, failure: &Failure) -> bool {
        self.is_own_choice && failure.code == Code::NoSuchModel
    }

    /// Notes that the model was refused, and returns the tool with its default model.
    fn fall_back(&self, front: &mut dyn ExamineFront) -> Self {
        front.note(&format!(
            "{} does not offer its fast model{}; asking its default model instead",
            self.tool,
            self.model
                .as_ref()
                .map_or_else(String::new, |model| format!(" ({model})")),
        ));
        Self {
            tool: self.tool.clone(),
            model: None,
            is_own_choice: false,
            is_named: self.is_named,
            timeout: self.timeout,
        }
    }
}

/// A model that was found, and how large parts it is given.
struct AskedModel {
    name: ExaminerName,
    speaker: Speaker,
    size: PartSize,
}

impl AskedModel {
    async fn detect(caller: &Caller, chosen: &ChosenModel) -> Result<Self, Failure> {
        let (tool, model) = (chosen.tool.clone(), chosen.model.clone());
        let ways = SpeakerTransports {
            asked: None,
            usual: Some(Transport::Cli),
        };
        let only = std::slice::from_ref(&tool);
        let named = if chosen.is_named { only } else { &[] };
        let speaker = Speaker::detect(
            caller,
            &tool,
            ways,
            model.clone(),
            Effort::Low,
            chosen.timeout,
            AllowedTools {
                named,
                granted: &[],
            },
        )
        .await?;
        let size = match speaker.context_tokens() {
            None => PartSize::default(),
            Some(context) => {
                let besides = instruction_tokens() + ANSWER_TOKENS;
                // Leave a fifth unused, because the model counts more tokens for a text than Agon
                // does.
                let context = u64::from(context) * 4 / 5;
                PartSize::for_context(context, besides).ok_or_else(|| too_small_failure(&tool))?
            }
        };
        let name = ExaminerName {
            tool: tool.to_string(),
            model,
        };
        Ok(Self {
            name,
            speaker,
            size,
        })
    }

    /// Asks the person, reserves the tokens, lets `work` ask, and counts the tokens that were used.
    async fn spend<T>(
        mut self,
        caller: &Caller,
        cost: Cost,
        front: &mut dyn ExamineFront,
        work: impl AsyncFnOnce(&mut dyn Examiner) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let id = system::new_ulid();
        if cost.calls > 0 {
            let material = Material::new("what this session contains, without secrets");
            consent::ask_for_speaker(caller, &mut self.speaker, &material, front).await?;
            if !front.agrees().await {
                return Err(Failure::new(Code::Cancelled, "stopped; nothing was asked"));
            }
            let calls = u64::try_from(cost.calls).unwrap_or(u64::MAX);
            let besides = (ANSWER_TOKENS as u64).saturating_mul(calls);
            spending::reserve_for_answers(caller, id, cost.tokens.saturating_add(besides), front)?;
        }
        let mut examiner = ToolExaminer {
            speaker: Rc::new(self.speaker),
            front,
            used: 0,
        };
        let outcome = work(&mut examiner).await;
        spending::settle(caller, id, examiner.used);
        outcome
    }
}

/// A tool that answers questions about parts.
struct ToolExaminer<'a> {
    speaker: Rc<Speaker>,
    front: &'a mut dyn ExamineFront,
    used: u64,
}

#[async_trait(?Send)]
impl Examiner for ToolExaminer<'_> {
    async fn ask(
        &mut self,
        prompts: &[Wording],
        hear: &mut dyn FnMut(usize, Result<ExaminerAnswer, Failure>),
    ) {
        let cancel = self.front.cancel_token();
        let mut waiting = prompts.iter().cloned().enumerate();
        let mut running = JoinSet::new();
        let mut done = 0;
        loop {
            while running.len() < AT_ONCE
                && let Some((at, prompt)) = waiting.next()
            {
                let (speaker, cancel) = (Rc::clone(&self.speaker), cancel.clone());
                running.spawn_local(async move {
                    let reply = speaker.ask(&prompt, "examine", &cancel).await;
                    (at, reply)
                });
            }
            let Some(finished) = running.join_next().await else {
                return;
            };
            // A panicking call is a bug, which the panic hook has reported; its answer is lost.
            let Ok((at, reply)) = finished else {
                continue;
            };
            done += 1;
            let answer = reply.map(|reply| {
                let tokens = reply.usage.total_tokens();
                self.used = self.used.saturating_add(tokens);
                ExaminerAnswer {
                    text: reply.text,
                    tokens,
                }
            });
            let stops = answer
                .as_ref()
                .is_err_and(|it| matches!(it.code, Code::Cancelled | Code::NoSuchModel));
            hear(at, answer);
            self.front.part_finished(done, prompts.len());
            if stops {
                // Skip the remaining parts, which would fail in the same way.
                waiting = prompts
                    .get(..0)
                    .unwrap_or_default()
                    .iter()
                    .cloned()
                    .enumerate();
            }
        }
    }
}

/// Returns the first tool that is logged in, preferring one whose fast model is known.
async fn choose_tool(
    caller: &Caller,
    settings: &Settings,
    can_ask: bool,
) -> Result<ToolName, Failure> {
    let tools = Tools::detect(caller, settings, &[]).await?;
    let ready = tools.detected().filter(|found| {
        found.profile.is_program()
            && !found.available_transports().is_empty()
            && !matches!(found.login, Login::LoggedOut { .. })
    });
    let ready = consent::only_allowed(&tools, can_ask, ready)?;
    let best = ready.into_iter().min_by_key(|found| {
        let is_fast_known = found.profile.classes.is_some();
        (found.login != Login::LoggedIn, !is_fast_known)
    });
    let best = best.ok_or_else(|| {
        let message = "no AI tool is installed and logged in";
        Failure::new(Code::TooFewTools, message).hint(
            Hint::new("run `agon tools` to see what each tool needs")
                .or(Hint::new("use the built-in model: ").command("context --examine local")),
        )
    })?;
    Ok(best.profile.name.clone())
}

/// Returns the fastest model of a tool, or `None` if its profile names none.
fn fast_model(settings: &Settings, tool: &ToolName) -> Result<Option<String>, Failure> {
    let profiles = profiles(settings)?;
    let classes = profiles.find(tool).and_then(|it| it.classes.as_ref());
    Ok(classes.map(|it| it.fast.clone()))
}

fn too_small_failure(tool: &ToolName) -> Failure {
    let message = format!("the context window of {tool} is too small for a part of a session");
    Failure::new(Code::CannotAnswer, message)
        .parameter("examine")
        .hint(Hint::new("name another tool: ").command("context --examine TOOL"))
}

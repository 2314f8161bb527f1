//! Runs a model in this process: it is interviewed in a debate, and otherwise asked for a text.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use agon_interview::{Interview, MAX_ANSWER_TOKENS, PlainQuestion, is_complete_answer};
use agon_local::engine::{self, EngineError, Finish, Generated, Message, Request, Shared};
use agon_local::{Cache, Model, Models};
use agon_proc::Watch;
use agon_record::event::{CauseCode, Class, Usage};
use agon_record::spec::ToolName;
use async_trait::async_trait;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::Missing;
use super::call::{CallSlots, error_without_usage};
use crate::agent::{Agent, AgentAnswer, AgentError, CallFailure, Session};
use crate::ask::Ask;
use crate::dialect::DialectError;
use crate::environment::Environment;
use crate::profile::{Profile, Transport, Weights};

// Any fixed number works. Checked in `agon-local` by
// `the_same_seed_gives_the_same_answer_and_what_is_in_mind_does_not_change_it`.
/// The fixed seed, so that the same request gets the same answer.
const SEED: u64 = 1;

// About 900 words, which is more than is useful from a model of this size.
/// The token limit of a text outside an interview.
const MAX_TEXT_TOKENS: usize = 1_200;

// Tested with SmolLM2 135M on four topics: the text was fluent and on topic.
/// The sampling temperature of a text outside an interview.
const TEMPERATURE: f32 = 0.2;

/// A model in this process.
#[derive(Clone)]
pub(crate) struct LocalAgent {
    name: ToolName,
    weights: Weights,
    models: Models,
    cache: Cache,
    places: CallSlots,
    /// Keeps the default model in memory while there is an agent for it.
    held: Option<Shared>,
}

/// Returns what the model in this process still needs, such as its file; `None` if it is ready.
pub(crate) fn missing_requirement(profile: &Profile, here: &Environment) -> Option<Missing> {
    let weights = profile.weights.as_ref()?;
    let (models, cache) = match models_and_cache(weights, here) {
        Ok(known) => known,
        Err(missing) => return Some(missing),
    };
    find_present_model(&weights.model, &models, &cache).err()
}

fn models_and_cache(weights: &Weights, here: &Environment) -> Result<(Models, Cache), Missing> {
    let models = Models::with_user_models(&weights.models).map_err(|error| Missing {
        what: error.to_string(),
        hint: "check [tools.local.weights.models] in your configuration".to_owned(),
    })?;
    let cache = Cache::from_environment(|name| here.var_text(name).map(str::to_owned)).ok_or_else(
        || Missing {
            what: "no folder for models is set".to_owned(),
            hint: format!("set {} to a folder", agon_local::VARIABLE),
        },
    )?;
    Ok((models, cache))
}

/// Returns the model with this name, if its file exists.
fn find_present_model<'a>(
    name: &str,
    models: &'a Models,
    cache: &Cache,
) -> Result<&'a Model, Missing> {
    let model = models.find(name).ok_or_else(|| Missing {
        what: format!("unknown model `{name}`"),
        hint: "agon model list shows the known models".to_owned(),
    })?;
    if cache.has_file_of_right_size(model) {
        return Ok(model);
    }
    let hint = match &model.path {
        Some(path) => format!("save its file as {}", path.display()),
        None => format!("agon model pull {name}"),
    };
    Err(Missing {
        what: format!("the model {name} is not downloaded yet"),
        hint,
    })
}

impl LocalAgent {
    /// Creates an agent for the model of a profile; `None` if the profile has no such model.
    pub(crate) fn new(profile: &Profile, here: &Environment, places: &CallSlots) -> Option<Self> {
        let weights = profile.weights.clone()?;
        let (models, cache) = models_and_cache(&weights, here).ok()?;
        let usual = models.find(&weights.model);
        let held = usual
            .map(|model| engine::shared_model(&cache.model_path(model), context_tokens(model)));
        Some(Self {
            name: profile.name.clone(),
            weights,
            models,
            cache,
            places: places.clone(),
            held,
        })
    }

    /// Returns the requested model and the path of its verified file.
    fn find_model(&self, name: Option<&str>) -> Result<(Model, PathBuf), CallFailure> {
        let name = self.weights.model_or_default(name);
        let model = find_present_model(name, &self.models, &self.cache).map_err(|missing| {
            let unknown = self.models.find(name).is_none();
            let code = if unknown {
                CauseCode::NoSuchModel
            } else {
                CauseCode::NotInstalled
            };
            failure(
                code,
                Class::User,
                format!("{}: {}", missing.what, missing.hint),
            )
        })?;
        let wrong = |why: String| failure(CauseCode::NotInstalled, Class::User, why);
        match self.cache.find_verified(model) {
            Ok(Some(path)) => Ok((model.clone(), path)),
            Ok(None) => Err(wrong(format!(
                "the file of model {name} no longer exists: agon model pull {name}"
            ))),
            Err(error) => Err(wrong(format!("{error}: {}", error.hint()))),
        }
    }
}

impl Agent for LocalAgent {
    fn name(&self) -> &ToolName {
        &self.name
    }

    fn transport(&self) -> Transport {
        Transport::Local
    }

    fn context_tokens(&self, model: Option<&str>) -> Option<u32> {
        let model = self.models.find(self.weights.model_or_default(model));
        model.map(|it| it.budget)
    }

    fn open(&self, _watch: Arc<dyn Watch>) -> Box<dyn Session> {
        Box::new(LocalSession {
            agent: self.clone(),
            held: self.held.clone(),
        })
    }
}

/// A conversation that retains only the loaded model: each prompt must be complete.
struct LocalSession {
    agent: LocalAgent,
    /// Keeps the model in memory between answers.
    held: Option<Shared>,
}

#[async_trait]
impl Session for LocalSession {
    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        let _place = self
            .agent
            .places
            .take(cancel)
            .await
            .map_err(error_without_usage)?;
        let begun = Instant::now();
        let agent = self.agent.clone();
        let named = ask.model.map(str::to_owned);
        // Run this on another thread, because it may compute the checksum of a large file.
        let found = tokio::task::spawn_blocking(move || agent.find_model(named.as_deref())).await;
        let (model, path) = found
            .unwrap_or(Err(CallFailure::Bug("the search for a model failed")))
            .map_err(error_without_usage)?;
        let shared = engine::shared_model(&path, context_tokens(&model));
        self.held = Some(shared.clone());

        let ended = CancelFlag(Arc::new(AtomicBool::new(false)));
        let (sender, mut said) = unbounded_channel();
        let work = LocalQuestion {
            shared,
            prompt: ask.prompt.to_owned(),
            interview: ask.interview.cloned(),
            ended: Arc::clone(&ended.0),
            said: sender,
        };
        let mut work = tokio::task::spawn_blocking(move || work.generate_answer());
        let mut heard = 0;
        let limit = tokio::time::sleep(ask.timeout.saturating_sub(begun.elapsed()));
        tokio::pin!(limit);
        let mut failure = None;
        let answered = loop {
            tokio::select! {
                biased;
                () = cancel.cancelled(), if failure.is_none() => {
                    failure = Some(CallFailure::Cancelled);
                    ended.set();
                }
                () = &mut limit, if failure.is_none() => {
                    failure = Some(CallFailure::Timeout { limit: ask.timeout, heard });
                    ended.set();
                }
                Some(piece) = said.recv() => {
                    let piece: String = piece;
                    heard += piece.len();
                    if let Some(hears) = ask.hears {
                        hears.receive_chunk(&piece);
                    }
                }
                answered = &mut work => break answered,
            }
        };
        let took = begun.elapsed();
        let failed = |failure, usage| AgentError {
            failure,
            usage,
            took,
        };
        let answered =
            answered.unwrap_or(Err(CallFailure::Bug("the model in this process failed")));
        match (failure, answered) {
            (Some(failure), answered) => {
                Err(failed(failure, answered.ok().map(|answer| answer.usage)))
            }
            (None, Err(failure)) => Err(failed(failure, None)),
            (None, Ok(answer)) => Ok(AgentAnswer {
                text: answer.text,
                usage: answer.usage,
                stop_reason: Some(answer.stop_reason.to_owned()),
                model: Some(model.name),
                took,
            }),
        }
    }
}

/// A flag that stops the generation when it is set or dropped.
struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Drop for CancelFlag {
    fn drop(&mut self) {
        self.set();
    }
}

/// A prompt or an interview that is answered on a separate thread.
struct LocalQuestion {
    shared: Shared,
    prompt: String,
    interview: Option<Interview>,
    ended: Arc<AtomicBool>,
    said: UnboundedSender<String>,
}

/// The answer to a [`LocalQuestion`], with its usage.
struct LocalReply {
    text: String,
    /// The reason why the answer ended, as recorded.
    stop_reason: &'static str,
    usage: Usage,
}

impl LocalQuestion {
    fn generate_answer(self) -> Result<LocalReply, CallFailure> {
        let mut usage = Usage::default();
        let Some(interview) = &self.interview else {
            let messages = [user_message(&self.prompt)];
            let answer = self.generate(&self.request(&messages), &mut usage)?;
            let stop_reason = match answer.finish {
                Finish::Length => "length",
                Finish::Stop | Finish::Halted => "stop",
            };
            return Ok(LocalReply {
                text: answer.text,
                stop_reason,
                usage,
            });
        };
        let text = interview.conduct(|question| self.ask_once(question, &mut usage))?;
        Ok(LocalReply {
            text,
            stop_reason: "stop",
            usage,
        })
    }

    /// Asks one question of an interview. The answer ends with its first sentence.
    fn ask_once(&self, told: &PlainQuestion, usage: &mut Usage) -> Result<String, CallFailure> {
        let example = |[question, answer]: &[&'static str; 2]| {
            [
                user_message(question),
                Message {
                    role: "assistant",
                    text: answer,
                },
            ]
        };
        let mut messages: Vec<_> = told.examples.iter().flat_map(example).collect();
        messages.push(user_message(&told.question));
        let choices: Vec<&str> = told.choices.iter().flatten().map(String::as_str).collect();
        let request = Request {
            max_tokens: MAX_ANSWER_TOKENS,
            seed: told.seed,
            temperature: told.temperature,
            choices: &choices,
            is_enough: &is_complete_answer,
            ..self.request(&messages)
        };
        let answer = self.generate(&request, usage)?;
        // End each answer with a line break, so that the listener gets one answer per line.
        drop(self.said.send("\n".to_owned()));
        Ok(answer.text)
    }

    fn request<'a>(&'a self, messages: &'a [Message<'a>]) -> Request<'a> {
        Request {
            messages,
            max_tokens: MAX_TEXT_TOKENS,
            seed: SEED,
            temperature: TEMPERATURE,
            choices: &[],
            is_enough: &|_| false,
            said: &|_| {},
            halted: &|| false,
        }
    }

    /// Generates an answer, sends its pieces to the listener and adds it to `usage`.
    fn generate(&self, request: &Request<'_>, usage: &mut Usage) -> Result<Generated, CallFailure> {
        let halted = || self.ended.load(Ordering::Relaxed);
        let request = Request {
            said: &|piece| drop(self.said.send(piece.to_owned())),
            halted: &halted,
            ..*request
        };
        let answer = self
            .shared
            .generate(&request)
            .map_err(failure_from_engine_error)?;
        *usage = sum_usage(*usage, &answer);
        match answer.finish {
            Finish::Halted => Err(CallFailure::Cancelled),
            Finish::Stop | Finish::Length => Ok(answer),
        }
    }
}

fn user_message(text: &str) -> Message<'_> {
    Message { role: "user", text }
}

fn sum_usage(before: Usage, answer: &Generated) -> Usage {
    let tokens = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    Usage {
        input: before.input.saturating_add(tokens(answer.prompt_tokens)),
        cached: before.cached.saturating_add(tokens(answer.cached_tokens)),
        output: before
            .output
            .saturating_add(tokens(answer.generated_tokens)),
        cost_micros: Some(0),
        estimated: false,
    }
}

fn failure_from_engine_error(error: EngineError) -> CallFailure {
    let what = error.to_string();
    match error {
        EngineError::File { .. } | EngineError::Model(_) => {
            failure(CauseCode::NotInstalled, Class::User, what)
        }
        EngineError::TooLong { .. } => failure(CauseCode::TooLarge, Class::User, what),
        EngineError::Failed(_) => failure(CauseCode::Unreadable, Class::Tool, what),
    }
}

fn failure(code: CauseCode, class: Class, detail: String) -> CallFailure {
    CallFailure::Said(Box::new(DialectError {
        code,
        class,
        detail,
        usage: None,
        asked_wait_ms: None,
    }))
}

fn context_tokens(model: &Model) -> usize {
    usize::try_from(model.budget).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;

//! An agent that is a model's server.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use agon_debate::event::{CauseCode, Class, Usage};
use agon_debate::spec::ToolName;
use agon_proc::Watch;
use async_trait::async_trait;
use genai::chat::{ChatStreamEvent, StopReason, StreamEnd};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::client::client;
use super::fault::{Asked, Fault, broken_off, unreadable};
use super::heard::{Heard, next};
use super::question::{Refused, options, request, target, written};
use crate::agent::{Agent, AgentError, Answer, Ask, Constrained, Failure, Session};
use crate::dialect::DialectError;
use crate::environment::Environment;
use crate::profile::{Adapter, Degrades, Http, Profile, Transport};
use crate::transport::Places;
use crate::transport::call::{self, estimate, free};

/// A model's server, asked over HTTP.
#[derive(Clone, Debug)]
pub struct HttpAgent(Arc<Service>);

struct Service {
    profile: Profile,
    http: Http,
    here: Environment,
    places: Places,
    /// Made when it is first asked.
    client: OnceLock<genai::Client>,
    refused: Refused,
}

impl std::fmt::Debug for Service {
    /// Without the environment, which has the key in it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let http = &self.http;
        f.debug_struct("Service")
            .field("http", http)
            .finish_non_exhaustive()
    }
}

impl HttpAgent {
    /// The agent of a profile; none where that is no model's server.
    pub(crate) fn new(profile: Profile, here: Environment, places: Places) -> Option<Self> {
        let http = profile.http.clone()?;
        Some(Self(Arc::new(Service {
            profile,
            http,
            here,
            places,
            client: OnceLock::new(),
            refused: Refused::default(),
        })))
    }
}

impl Agent for HttpAgent {
    fn name(&self) -> &ToolName {
        &self.0.profile.name
    }

    fn transport(&self) -> Transport {
        Transport::Http
    }

    fn degrades(&self, model: Option<&str>) -> Degrades {
        let own = Some(self.0.http.model.as_str());
        self.0
            .profile
            .degrades(crate::profile::chosen(model).or(own))
    }

    fn constrained(&self) -> Constrained {
        self.0.http.held()
    }

    fn budget(&self, _model: Option<&str>) -> Option<u32> {
        self.0.http.few()
    }

    fn open(&self, _watch: Arc<dyn Watch>) -> Box<dyn Session> {
        Box::new(HttpSession(Arc::clone(&self.0)))
    }
}

/// A conversation without memory, where every question is whole. It starts no process.
struct HttpSession(Arc<Service>);

#[async_trait]
impl Session for HttpSession {
    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<Answer, AgentError> {
        let service = &self.0;
        let _place = service.places.take(cancel).await.map_err(free)?;
        let begun = Instant::now();
        let heard = Arc::new(Heard::default());
        let said = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Failure::Cancelled),
            said = timeout(ask.timeout, service.asked(ask, &heard)) => said.unwrap_or_else(|_| {
                let heard = heard.bytes();
                Err(Failure::Timeout { limit: ask.timeout, heard })
            }),
        };
        let took = begun.elapsed();
        match said {
            Ok(said) => Ok(Answer {
                text: said.text,
                usage: said.usage,
                stop_reason: said.stop_reason,
                took,
            }),
            Err(failure) => Err(AgentError {
                usage: spent(&failure, ask, &heard),
                failure,
                took,
            }),
        }
    }
}

/// What a question cost that got no answer: the server read it if it began to answer.
fn spent(failure: &Failure, ask: Ask<'_>, heard: &Heard) -> Option<Usage> {
    if let Failure::Said(error) = failure
        && error.usage.is_some()
    {
        return error.usage;
    }
    if matches!(failure, Failure::Flooded { .. }) {
        return Some(estimate(ask.prompt, 0));
    }
    let waited = matches!(failure, Failure::Timeout { .. } | Failure::Cancelled);
    (waited || heard.text() > 0).then(|| estimate(ask.prompt, written(heard)))
}

/// What a server said.
struct Said {
    text: String,
    usage: Usage,
    stop_reason: Option<String>,
}

impl Service {
    fn client(&self) -> Result<&genai::Client, Failure> {
        match self.client.get() {
            Some(client) => Ok(client),
            None => {
                let client = client(&self.http.url, &self.here)?;
                Ok(self.client.get_or_init(|| client))
            }
        }
    }

    /// Asks, and once more without whatever the server refuses of that which went along.
    async fn asked(&self, ask: Ask<'_>, heard: &Arc<Heard>) -> Result<Said, Failure> {
        let model = call::model(ask.model)?.unwrap_or(&self.http.model);
        if model.is_empty() {
            let what = "no model is named: say which with --model-SEAT, or `model` in its table";
            let error = DialectError::new(CauseCode::NoSuchModel, Class::User, what);
            return Err(Failure::Said(Box::new(error)));
        }
        let asked = Asked {
            tool: &self.profile.name,
            http: &self.http,
            model,
            key: self.http.key(&self.here),
            ask,
            heard,
        };
        loop {
            match self.once(asked, heard).await {
                Ok(said) => {
                    self.refused.answered(ask.schema.is_some());
                    return Ok(said);
                }
                Err(fault) => match fault.refuses {
                    Some(extra) if self.refused.note(extra) => {}
                    _ => return Err(fault.failure),
                },
            }
        }
    }

    async fn once(&self, asked: Asked<'_>, heard: &Arc<Heard>) -> Result<Said, Fault> {
        let Asked { model, ask, .. } = asked;
        let key = asked.key.map(|(_, key)| key);
        let target = target(&self.http, model, key);
        let options = options(&self.http, (ask, model), &self.refused, heard);
        let client = self.client()?;
        let begun = client.exec_chat_stream(target, request(ask), Some(&options));
        let mut stream = begun.await.map_err(|error| asked.fault(&error))?.stream;
        let most = self.profile.limits.output_bytes;
        let mut text = String::new();
        loop {
            let event = next(&mut stream, heard, most).await;
            let event = event.map_err(|_| Failure::Flooded { limit: most })?;
            match event.transpose().map_err(|error| asked.fault(&error))? {
                Some(ChatStreamEvent::Chunk(piece)) => {
                    heard.said(&piece.content);
                    if let Some(hears) = ask.hears {
                        hears.said(&piece.content);
                    }
                    text.push_str(&piece.content);
                }
                // Of a page, a document or nothing at all, no message comes out.
                None | Some(ChatStreamEvent::End(_)) if heard.messages() == 0 => {
                    return Err(unreadable().into());
                }
                Some(ChatStreamEvent::End(end)) => return self.ended(end, &text, ask),
                Some(_) => {}
                None => return Err(broken_off().into()),
            }
        }
    }

    /// What came, if it is a whole answer.
    fn ended(&self, end: StreamEnd, text: &str, ask: Ask<'_>) -> Result<Said, Fault> {
        let usage = usage(&end).unwrap_or_else(|| estimate(ask.prompt, text.len()));
        let failed = |error: DialectError| {
            let usage = Some(usage);
            Err(DialectError { usage, ..error }.into())
        };
        let why = |code, what| DialectError::new(code, Class::Tool, what);
        match &end.captured_stop_reason {
            // The crate takes the end of the connection for that of the answer here.
            None if self.http.adapter == Adapter::Gemini => return failed(broken_off()),
            Some(StopReason::MaxTokens(_)) => {
                return failed(why(
                    CauseCode::TooLarge,
                    "the answer was cut off at its longest",
                ));
            }
            Some(StopReason::ContentFilter(_)) => {
                return failed(why(CauseCode::Failed, "the service withheld the answer"));
            }
            _ => {}
        }
        let text = answer(text);
        if text.trim().is_empty() {
            return failed(DialectError::empty());
        }
        Ok(Said {
            text: text.to_owned(),
            usage,
            stop_reason: end.captured_stop_reason.map(|stop| stop.raw().to_owned()),
        })
    }
}

/// The answer without what some models think aloud before it.
fn answer(text: &str) -> &str {
    let thought = text.trim_start().strip_prefix("<think>");
    let rest = thought.and_then(|thought| Some(thought.split_once("</think>")?.1));
    rest.unwrap_or(text)
}

/// The tokens that the server counted; none where it counted none.
fn usage(end: &StreamEnd) -> Option<Usage> {
    let usage = end.captured_usage.as_ref()?;
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    let input = count(usage.prompt_tokens).filter(|tokens| *tokens > 0)?;
    let cached = usage.prompt_tokens_details.as_ref();
    let cached = cached.and_then(|details| count(details.cached_tokens));
    Some(Usage {
        input,
        cached: cached.unwrap_or_default().min(input),
        output: count(usage.completion_tokens).unwrap_or_default(),
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn what_is_thought_aloud_is_no_answer() {
        assert_eq!(answer("\n<think>hm\n</think>\nYes."), "\nYes.");
        assert_eq!(answer("Yes <think>no</think>"), "Yes <think>no</think>");
        assert_eq!(answer("<think>for ever"), "<think>for ever");
    }
}

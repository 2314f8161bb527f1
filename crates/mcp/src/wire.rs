//! A transport that answers every request of a client, even a malformed one.
//!
//! The library's transport silently drops lines that it cannot parse, so the client waits forever.
//! A notification before the handshake even ends its server.

use std::io;
use std::sync::Arc;

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, GetMeta, JsonRpcMessage,
    ProtocolVersion, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::id_scan::{id_in_line, id_of_value};
use crate::lines::{BoundedLines, ClientLine, MAX_LINE_BYTES};

/// The maximum number of requests of a batch that are answered.
const MAX_BATCH: usize = 100;

/// A line-based connection to a client.
#[derive(Debug)]
pub(crate) struct Wire<R, W> {
    lines: BoundedLines<R>,
    write: Arc<Mutex<W>>,
    /// The protocol versions that a client can use.
    versions: Vec<ProtocolVersion>,
    /// Whether the client has named its version.
    is_open: bool,
    /// The task that writes answers to malformed lines.
    answering: Option<JoinHandle<()>>,
}

/// A parsed line.
#[derive(Debug)]
enum Read {
    Message(Box<ClientJsonRpcMessage>),
    /// A rejected line, with the answers to send.
    Refused(Vec<ServerJsonRpcMessage>),
    /// A message that does not need an answer.
    Nothing,
}

impl<R, W> Wire<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Returns the connection over these streams, for a server that supports `versions`.
    pub(crate) fn new(read: R, write: W, versions: Vec<ProtocolVersion>) -> Self {
        Self {
            lines: BoundedLines::new(read),
            write: Arc::new(Mutex::new(write)),
            versions,
            is_open: false,
            answering: None,
        }
    }

    /// Returns whether to pass a message on. Before the handshake only requests pass, because
    /// notifications and responses cannot refer to anything yet.
    fn should_pass_on(&mut self, message: &ClientJsonRpcMessage) -> bool {
        if let JsonRpcMessage::Request(request) = message {
            self.is_open |= match &request.request {
                ClientRequest::InitializeRequest(_) => true,
                ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
                other => {
                    let meta = other.get_meta();
                    let version = meta.protocol_version();
                    meta.missing_required_keys(&ProtocolVersion::V_2026_07_28)
                        .is_empty()
                        && version.is_some_and(|version| self.versions.contains(&version))
                }
            };
            return true;
        }
        self.is_open
    }
}

impl<R, W> Transport<RoleServer> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let write = Arc::clone(&self.write);
        async move { write_messages(&write, &[item]).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // Wait for the answer before the next line. The answer is a separate task, because this
            // future can be dropped at any time.
            if let Some(answering) = &mut self.answering {
                // The join fails only if the task panicked; the connection then ends anyway.
                answering.await.ok();
                self.answering = None;
            }
            let read = match self.lines.next().await? {
                ClientLine::Whole(line) => read_line(&line),
                ClientLine::TooLong(id) => too_long(id),
            };
            match read {
                Read::Message(message) if self.should_pass_on(&message) => return Some(*message),
                Read::Message(_) | Read::Nothing => {}
                Read::Refused(answers) => {
                    let write = Arc::clone(&self.write);
                    self.answering = Some(tokio::spawn(async move {
                        // A disconnected client needs no answer.
                        write_messages(&write, &answers).await.ok();
                    }));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.lock().await.shutdown().await
    }
}

async fn write_messages<W: AsyncWrite + Unpin>(
    write: &Mutex<W>,
    messages: &[ServerJsonRpcMessage],
) -> io::Result<()> {
    let mut lines = Vec::new();
    for message in messages {
        serde_json::to_writer(&mut lines, message)?;
        lines.push(b'\n');
    }
    let mut write = write.lock().await;
    write.write_all(&lines).await?;
    write.flush().await
}

fn too_long(id: Option<RequestId>) -> Read {
    let message = format!("the request is longer than {MAX_LINE_BYTES} bytes and was ignored");
    refusal(id, ErrorData::invalid_request(message, None))
}

/// Returns the answer to a malformed request, if its id is readable.
fn refusal(id: Option<RequestId>, error: ErrorData) -> Read {
    match id {
        Some(id) => Read::Refused(vec![JsonRpcMessage::error(error, Some(id))]),
        None => Read::Nothing,
    }
}

fn read_line(line: &[u8]) -> Read {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let line = line.trim_ascii();
    if line.is_empty() {
        return Read::Nothing;
    }
    if let Ok(message) = serde_json::from_slice(line)
        && !has_empty_parameters(&message)
    {
        return Read::Message(Box::new(message));
    }
    match serde_json::from_slice(line) {
        Ok(Value::Object(message)) => read_object(message),
        Ok(Value::Array(batch)) => refuse_batch(batch),
        Ok(_) => Read::Nothing,
        Err(cause) => {
            let why = match std::str::from_utf8(line) {
                Ok(_) => cause.to_string(),
                Err(_) => "not UTF-8".to_owned(),
            };
            let message = format!("cannot parse the request: {why}");
            let error = ErrorData::new(ErrorCode::PARSE_ERROR, message, None);
            refusal(id_in_line(line), error)
        }
    }
}

/// Returns whether the parameters of a request are `null` or an empty list, which is how PHP
/// encodes an empty object. The library would treat the request as an unknown method.
fn has_empty_parameters(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else {
        return false;
    };
    let ClientRequest::CustomRequest(request) = &request.request else {
        return false;
    };
    request.params.as_ref().is_some_and(is_empty)
}

fn is_empty(parameters: &Value) -> bool {
    parameters.is_null() || parameters.as_array().is_some_and(Vec::is_empty)
}

/// Reads a message and adds optional parts that it lacks, or rejects it.
fn read_object(mut message: Map<String, Value>) -> Read {
    let has_method = message.get("method").is_some_and(Value::is_string);
    let id = message.get("id").cloned().and_then(id_of_value);
    if !has_method || message.contains_key("result") || message.contains_key("error") {
        let is_request = !message.contains_key("result") && !message.contains_key("error");
        let error = ErrorData::invalid_request("a request needs a `method`", None);
        return refusal(id.filter(|_| is_request), error);
    }
    message.insert("jsonrpc".to_owned(), "2.0".into());
    if message.get("params").is_some_and(is_empty) {
        message.remove("params");
    }
    match serde_json::from_value(Value::Object(message)) {
        Ok(message) => Read::Message(Box::new(message)),
        Err(_) => {
            let error = "invalid `params` for this method";
            refusal(id, ErrorData::invalid_request(error, None))
        }
    }
}

fn refuse_batch(batch: Vec<Value>) -> Read {
    let requests = batch.into_iter().filter_map(|mut one| {
        let fields = one.as_object_mut()?;
        fields.get("method")?;
        id_of_value(fields.remove("id")?)
    });
    let error = || {
        ErrorData::invalid_request(
            "batches are not supported; send each request on its own line",
            None,
        )
    };
    let answers = requests.take(MAX_BATCH);
    Read::Refused(
        answers
            .map(|id| JsonRpcMessage::error(error(), Some(id)))
            .collect(),
    )
}

#[cfg(test)]
mod tests;

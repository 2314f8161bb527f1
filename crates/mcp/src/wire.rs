//! The client's stream as messages: whatever it sends, each request gets an answer.
//!
//! The transport of the library drops what it cannot read without a word, and its client waits for
//! ever; a notification before the handshake ends its server.

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

use crate::lines::{BoundedLines, ClientLine, MAX_LINE_BYTES};
use crate::scan::{id_in_line, id_of_value};

/// The most requests of one batch that are answered each.
const MAX_BATCH: usize = 100;

/// The connection to a client, of lines.
#[derive(Debug)]
pub(crate) struct Wire<R, W> {
    lines: BoundedLines<R>,
    write: Arc<Mutex<W>>,
    /// The versions that a client can open the connection with.
    versions: Vec<ProtocolVersion>,
    /// Whether the client has said which version it speaks.
    is_open: bool,
    /// Answers to what was no message, while they are written.
    answering: Option<JoinHandle<()>>,
}

/// What a line is.
#[derive(Debug)]
enum Read {
    Message(Box<ClientJsonRpcMessage>),
    /// It is answered as it stands.
    Refused(Vec<ServerJsonRpcMessage>),
    /// No answer is due.
    Nothing,
}

impl<R, W> Wire<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// The connection over these streams, for a server that speaks `versions`.
    pub(crate) fn new(read: R, write: W, versions: Vec<ProtocolVersion>) -> Self {
        Self {
            lines: BoundedLines::new(read),
            write: Arc::new(Mutex::new(write)),
            versions,
            is_open: false,
            answering: None,
        }
    }

    /// Whether a message can be passed on. Before the handshake only a request can: there is nothing
    /// yet that a notification or an answer can be about.
    fn admits(&mut self, message: &ClientJsonRpcMessage) -> bool {
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
            // This future can be dropped at any time; the writing goes on.
            if let Some(answering) = &mut self.answering {
                // Fails only if the writing task panicked; the client then sees its end.
                answering.await.ok();
                self.answering = None;
            }
            let read = match self.lines.next().await? {
                ClientLine::Whole(line) => read_line(&line),
                ClientLine::TooLong(id) => too_long(id),
            };
            match read {
                Read::Message(message) if self.admits(&message) => return Some(*message),
                Read::Message(_) | Read::Nothing => {}
                Read::Refused(answers) => {
                    let write = Arc::clone(&self.write);
                    self.answering = Some(tokio::spawn(async move {
                        // A client that is gone needs no answer.
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
    let message = format!("the request has more than {MAX_LINE_BYTES} bytes; nothing was done");
    refusal(id, ErrorData::invalid_request(message, None))
}

/// The answer to one request that is not a message; nothing is due where its id cannot be read.
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
                Err(_) => "it is not UTF-8".to_owned(),
            };
            let message = format!("the request cannot be read: {why}");
            let error = ErrorData::new(ErrorCode::PARSE_ERROR, message, None);
            refusal(id_in_line(line), error)
        }
    }
}

/// Whether a request has parameters that hold none: `null`, or a list, which is how PHP writes an
/// empty object. The library takes them for those of a method that it does not know.
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

/// A message that leaves something out which goes without saying, or is refused.
fn read_object(mut message: Map<String, Value>) -> Read {
    let has_method = message.get("method").is_some_and(Value::is_string);
    let id = message.get("id").cloned().and_then(id_of_value);
    if !has_method || message.contains_key("result") || message.contains_key("error") {
        let is_request = !message.contains_key("result") && !message.contains_key("error");
        let error = ErrorData::invalid_request("a request has a `method`", None);
        return refusal(id.filter(|_| is_request), error);
    }
    message.insert("jsonrpc".to_owned(), "2.0".into());
    if message.get("params").is_some_and(is_empty) {
        message.remove("params");
    }
    match serde_json::from_value(Value::Object(message)) {
        Ok(message) => Read::Message(Box::new(message)),
        Err(_) => {
            let error = "this is not a request of the protocol: see its `params`";
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
    let error = || ErrorData::invalid_request("send each request in a line of its own", None);
    let answers = requests.take(MAX_BATCH);
    Read::Refused(
        answers
            .map(|id| JsonRpcMessage::error(error(), Some(id)))
            .collect(),
    )
}

#[cfg(test)]
mod tests;

//! Converts error responses with a status.

use agon_record::event::{CauseCode, Class};
use reqwest::header::HeaderMap;

use super::fault::{HttpAsk, HttpFault};
use super::retry;
use crate::agent::CallFailure;
use crate::dialect::DialectError;

impl HttpAsk<'_> {
    /// Converts an error response. Quotes at most one sentence of its body, with the key removed.
    pub(super) fn fault_from_status(
        &self,
        status: u16,
        body: &str,
        headers: &HeaderMap,
    ) -> HttpFault {
        let (_, key) = self.key.unwrap_or_default();
        let body = match key {
            "" => body.to_owned(),
            key => body.replace(key, "[key]"),
        };
        let mut error = DialectError::from_message(Some(status), &body);
        let words = body.to_lowercase();
        if (300..400).contains(&status) {
            error.class = Class::User;
            error.detail = format!(
                "the server redirects to another address, which is not followed (status {status}); \
                 configure the new address"
            );
        }
        if error.code == CauseCode::LoggedOut {
            error.detail = self.describe_refused_key(status);
        }
        if error.code == CauseCode::NoSuchModel {
            error.detail = self.describe_missing_model(status);
        }
        if matches!(error.code, CauseCode::Failed | CauseCode::TooLarge)
            && is_prompt_too_long(&words)
        {
            error.detail = format!("the prompt is too long for the model (status {status})");
        }
        // If a retry makes sense, use the wait that the server asks for.
        if let Class::Retry { after_ms } = &mut error.class {
            error.asked_wait_ms = retry::retry_after_ms(headers);
            *after_ms = error.asked_wait_ms.unwrap_or(*after_ms);
        }
        if let Some(id) = self.request_id(headers) {
            error.detail = format!("{}, request {id}", error.detail);
        }
        HttpFault {
            refuses: [400, 422]
                .contains(&status)
                .then(|| self.extras.find_refused(&words))
                .flatten(),
            failure: CallFailure::Said(Box::new(error)),
        }
    }

    fn describe_missing_model(&self, status: u16) -> String {
        let (model, url) = (self.model, &self.http.url);
        let missing = if status == 404 && !url.has_path() {
            ", or the URL is missing its path, such as /v1"
        } else {
            ""
        };
        format!("there is no model `{model}` at {url} (status {status}){missing}")
    }

    fn describe_refused_key(&self, status: u16) -> String {
        match self.key {
            Some((name, _)) => format!("the key in {name} was rejected (status {status})"),
            None => format!(
                "the server requires a key (status {status}); set key_env in table \
                 [tools.\"{}\".http] of your configuration",
                self.tool
            ),
        }
    }

    /// Returns the service's ID for the request, unless it could contain part of the key.
    fn request_id<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let mut names = ["request-id", "x-request-id"].iter();
        let id = names.find_map(|name| headers.get(*name)?.to_str().ok())?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        let (_, key) = self.key.unwrap_or_default();
        let told = |part: &[u8]| id.as_bytes().windows(part.len()).any(|it| it == part);
        let hides = key
            .as_bytes()
            .chunks(8)
            .any(|part| part.len() > 3 && told(part));
        ((4..=64).contains(&id.len()) && id.bytes().all(plain) && !hides).then_some(id)
    }
}

fn is_prompt_too_long(words: &str) -> bool {
    let context = words.contains("context") || words.contains("prompt");
    context
        && ["exceed", "too long", "too large", "length"]
            .iter()
            .any(|it| words.contains(it))
}

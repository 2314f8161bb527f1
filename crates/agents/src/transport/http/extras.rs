//! Optional request features, and which of them a server rejects.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::ask::Ask;
use crate::profile::Http;

/// An optional feature of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    /// The schema of the answer.
    Schema,
    /// The reasoning effort.
    Effort,
    /// Token usage in the answer.
    Usage,
    /// A streamed answer.
    Stream,
}

/// The optional features that one request uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IncludedExtras {
    schema: bool,
    effort: bool,
    usage: bool,
    stream: bool,
}

impl IncludedExtras {
    pub(super) fn has(self, extra: Extra) -> bool {
        match extra {
            Extra::Schema => self.schema,
            Extra::Effort => self.effort,
            Extra::Usage => self.usage,
            Extra::Stream => self.stream,
        }
    }

    /// Returns the features without `extra`, and without token usage if `extra` is streaming,
    /// because usage is requested only for streams.
    pub(super) fn without(self, extra: Extra) -> Self {
        Self {
            schema: self.schema && extra != Extra::Schema,
            effort: self.effort && extra != Extra::Effort,
            usage: self.usage && ![Extra::Usage, Extra::Stream].contains(&extra),
            stream: self.stream && extra != Extra::Stream,
        }
    }

    /// Returns the feature of this request that a lower-case error message mentions.
    pub(super) fn find_refused(self, words: &str) -> Option<Extra> {
        let extras: [(Extra, &[&str]); 3] = [
            (Extra::Usage, &["stream_options", "include_usage"]),
            (
                Extra::Schema,
                &[
                    "response_format",
                    "schema",
                    "grammar",
                    "output_config.format",
                ],
            ),
            (Extra::Effort, &["reasoning", "think", "effort"]),
        ];
        let about = |(extra, names): &(Extra, &[&str])| {
            self.has(*extra) && names.iter().any(|name| words.contains(name))
        };
        extras.into_iter().find(about).map(|(extra, _)| extra)
    }
}

/// The features that a server has rejected, so that they are no longer sent.
#[derive(Debug, Default)]
pub(super) struct RefusedExtras {
    schema: AtomicBool,
    effort: AtomicBool,
    usage: AtomicBool,
    stream: AtomicBool,
    /// Whether the server has accepted a schema. If so, it rejected only one schema and not all
    /// schemas.
    takes_schemas: AtomicBool,
}

impl RefusedExtras {
    fn flag(&self, extra: Extra) -> &AtomicBool {
        match extra {
            Extra::Schema => &self.schema,
            Extra::Effort => &self.effort,
            Extra::Usage => &self.usage,
            Extra::Stream => &self.stream,
        }
    }

    /// Returns the features for the next request. Concurrent requests may change them.
    pub(super) fn extras_for(&self, http: &Http, ask: Ask<'_>) -> IncludedExtras {
        let takes = |extra| !self.flag(extra).load(Ordering::Relaxed);
        IncludedExtras {
            schema: http.schema && ask.schema.is_some() && takes(Extra::Schema),
            effort: http.effort && takes(Extra::Effort),
            usage: takes(Extra::Usage) && takes(Extra::Stream),
            stream: takes(Extra::Stream),
        }
    }

    /// Records a rejected feature. Streaming is recorded by [`Self::record_acceptance`] instead.
    pub(super) fn mark_refused(&self, extra: Extra) {
        if extra != Extra::Stream {
            self.flag(extra).store(true, Ordering::Relaxed);
        }
    }

    /// Records that a request with these features was answered.
    pub(super) fn record_acceptance(&self, extras: IncludedExtras) {
        // Change the flag for streams only after a successful answer. A stream without messages may
        // be a lost connection, but an answer in one body shows that the server does not stream.
        self.stream.store(!extras.stream, Ordering::Relaxed);
        if extras.schema {
            self.takes_schemas.store(true, Ordering::Relaxed);
        }
        if self.takes_schemas.load(Ordering::Relaxed) {
            self.schema.store(false, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: IncludedExtras = IncludedExtras {
        schema: true,
        effort: true,
        usage: true,
        stream: true,
    };

    #[test]
    fn a_server_that_takes_schemas_is_given_the_next_one() {
        let has = |refused: &RefusedExtras| refused.flag(Extra::Schema).load(Ordering::Relaxed);
        let refused = RefusedExtras::default();
        refused.mark_refused(Extra::Schema);
        refused.record_acceptance(ALL.without(Extra::Schema));
        assert!(has(&refused), "it has taken none so far");
        let refused = RefusedExtras::default();
        refused.record_acceptance(ALL);
        refused.mark_refused(Extra::Schema);
        refused.record_acceptance(ALL.without(Extra::Schema));
        assert!(!has(&refused));
    }

    #[test]
    fn a_refusal_is_about_what_went_along() {
        let words = "the schema of your reasoning";
        assert_eq!(ALL.find_refused(words), Some(Extra::Schema));
        let rest = ALL.without(Extra::Schema);
        assert_eq!(rest.find_refused(words), Some(Extra::Effort));
        assert_eq!(rest.without(Extra::Effort).find_refused(words), None);
    }
}

//! What may go along with a question and what some servers refuse.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::ask::Ask;
use crate::profile::Http;

/// What may go along with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    /// The schema of the answer.
    Schema,
    /// How hard to think.
    Effort,
    /// That the tokens be counted.
    Usage,
    /// That the answer come in pieces.
    Stream,
}

/// What goes along with one question.
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

    /// The same without `extra`, and without what only goes along with it: tokens are counted on
    /// demand in streams alone.
    pub(super) fn without(self, extra: Extra) -> Self {
        Self {
            schema: self.schema && extra != Extra::Schema,
            effort: self.effort && extra != Extra::Effort,
            usage: self.usage && ![Extra::Usage, Extra::Stream].contains(&extra),
            stream: self.stream && extra != Extra::Stream,
        }
    }

    /// Which of the extras sent along a lower-cased error message is about.
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

/// What a server has refused, which is left out from then on.
#[derive(Debug, Default)]
pub(super) struct RefusedExtras {
    schema: AtomicBool,
    effort: AtomicBool,
    usage: AtomicBool,
    stream: AtomicBool,
    /// Whether it took a schema before: then it refused one of them, and not all there are.
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

    /// What goes along with the next question. Another may be refused something meanwhile.
    pub(super) fn extras_for(&self, http: &Http, ask: Ask<'_>) -> IncludedExtras {
        let takes = |extra| !self.flag(extra).load(Ordering::Relaxed);
        IncludedExtras {
            schema: http.schema && ask.schema.is_some() && takes(Extra::Schema),
            effort: http.effort && takes(Extra::Effort),
            usage: takes(Extra::Usage) && takes(Extra::Stream),
            stream: takes(Extra::Stream),
        }
    }

    /// It refused this. Whether it streams, [`Self::record_acceptance`] tells.
    pub(super) fn mark_refused(&self, extra: Extra) {
        if extra != Extra::Stream {
            self.flag(extra).store(true, Ordering::Relaxed);
        }
    }

    /// It answered a question with all this.
    pub(super) fn record_acceptance(&self, along: IncludedExtras) {
        // One empty stream may be a lost connection. Only an answer in one body shows that the
        // server gives those, and an answer in pieces that it streams after all.
        self.stream.store(!along.stream, Ordering::Relaxed);
        if along.schema {
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

//! What was found of one tool.

use std::path::PathBuf;

use agon_agents::drift::{
    ExchangeError, HelpError, Offers, Recording, ShapeComparison, Switch, probe_offers,
    run_scripted_exchange, switches_missing_from_help,
};
use agon_agents::{DetectedTool, Environment, Login, dialect};
use agon_caller::error_chain;
use tokio_util::sync::CancellationToken;

/// What was found of one tool.
pub(super) struct ExaminedTool<'a> {
    pub(super) found: &'a DetectedTool,
    /// The switches that its help does not list, or why that cannot be told.
    pub(super) lacks: Result<Vec<Switch>, Unknown>,
    pub(super) exchange: Exchange,
    /// What it offers to its model, or why that cannot be told; empty where it was not looked at.
    pub(super) offers: Result<Vec<Offers>, Unknown>,
}

/// Why something cannot be told.
pub(super) struct Unknown {
    pub(super) why: String,
    /// Whether that speaks against the tool: not where its profile only says too little.
    pub(super) against: bool,
}

/// What came of the exchange.
pub(super) enum Exchange {
    /// There was none.
    NotAsked,
    /// There was none, or nothing to hold it against.
    Failed(Unknown),
    /// It was held against a recording; `failed` says why the answer was not read.
    Held {
        compared: ShapeComparison,
        failed: Option<String>,
    },
}

impl ExaminedTool<'_> {
    /// What is known of the sessions that it records; none where they are not read.
    pub(super) fn sessions_profile(&self) -> Option<&'static agon_sessions::SessionProfile> {
        let host = self.found.profile.name.as_str().parse().ok()?;
        agon_sessions::SessionProfile::for_host(host)
    }

    /// Whether it is here, if only as what speaks the Agent Client Protocol for it.
    pub(super) fn is_here(&self) -> bool {
        self.found.path.is_some() || self.found.acp.is_some()
    }

    /// Whether nothing speaks against seating it as it is; one that is not here fits.
    pub(super) fn is_fit(&self) -> bool {
        let listed = match &self.lacks {
            Ok(lacks) => lacks.is_empty(),
            Err(unknown) => !unknown.against,
        };
        let reads = match &self.exchange {
            Exchange::NotAsked => true,
            Exchange::Failed(unknown) => !unknown.against,
            Exchange::Held { compared, failed } => compared.drift.is_empty() && failed.is_none(),
        };
        let known = |offers: &Offers| offers.unlisted.is_empty() && offers.failed.is_none();
        let offers = match &self.offers {
            Ok(offers) => self.found.profile.unlisted || offers.iter().all(known),
            Err(unknown) => !unknown.against,
        };
        !self.is_here() || listed && reads && offers
    }

    /// `not_installed`, `logged_in`, `logged_out` or `unknown`.
    pub(super) fn login(&self) -> &'static str {
        match (self.program(), &self.found.login) {
            (None, _) => "not_installed",
            (Some(_), Login::LoggedIn) => "logged_in",
            (Some(_), Login::LoggedOut { .. }) => "logged_out",
            (Some(_), Login::Unknown) => "unknown",
        }
    }

    /// Its program, or else what speaks the Agent Client Protocol for it.
    pub(super) fn program(&self) -> Option<&PathBuf> {
        self.found.path.as_ref().or(self.found.acp.as_ref())
    }

    /// How the exchange went, why it did not, and what was different in it.
    pub(super) fn exchange_result(&self) -> (&'static str, Option<&str>, Option<&ShapeComparison>) {
        match &self.exchange {
            Exchange::NotAsked => ("not_asked", None, None),
            Exchange::Failed(unknown) if unknown.against => ("failed", Some(&unknown.why), None),
            Exchange::Failed(unknown) => ("unknown", Some(&unknown.why), None),
            Exchange::Held { compared, failed } => {
                let failed = failed.as_deref();
                let state = match (failed, compared.drift.is_empty()) {
                    (Some(_), _) => "failed",
                    (None, false) => "drift",
                    (None, true) => "as_recorded",
                };
                (state, failed, Some(compared))
            }
        }
    }
}

/// Looks at a tool; with a recording, has an exchange with it and holds it against that.
pub(super) async fn examine_tool<'a>(
    found: &'a DetectedTool,
    here: &Environment,
    before: Option<Result<Recording, Unknown>>,
    cancel: &CancellationToken,
) -> ExaminedTool<'a> {
    let is_asked = before.is_some();
    let (lacks, exchange) = match (&found.path, before) {
        (None, _) => (Ok(Vec::new()), Exchange::NotAsked),
        (Some(_), None) => (
            switches_missing_from_help(found, here, cancel).await,
            Exchange::NotAsked,
        ),
        (Some(_), Some(before)) => {
            let lacks = switches_missing_from_help(found, here, cancel).await;
            (lacks, compare_exchange(found, here, before, cancel).await)
        }
    };
    let offers = match found.path.is_some() || found.acp.is_some() {
        true if is_asked => probe_offers(found, here, cancel).await,
        true | false => Ok(Vec::new()),
    };
    ExaminedTool {
        found,
        lacks: lacks.map_err(|error| Unknown {
            why: error_chain(&error),
            against: !matches!(error, HelpError::NotSaid),
        }),
        exchange,
        offers: offers.map_err(|error| Unknown {
            why: error_chain(&error),
            against: !matches!(error, ExchangeError::NotSaid),
        }),
    }
}

async fn compare_exchange(
    found: &DetectedTool,
    here: &Environment,
    before: Result<Recording, Unknown>,
    cancel: &CancellationToken,
) -> Exchange {
    let exchanged = match run_scripted_exchange(found, here, cancel).await {
        Ok(exchanged) => exchanged,
        Err(error) => {
            return Exchange::Failed(Unknown {
                why: error_chain(&error),
                against: !matches!(error, ExchangeError::NotSaid),
            });
        }
    };
    let before = match (before, &exchanged.failed) {
        (Ok(before), _) => before,
        (Err(_), Some(failed)) => {
            let why = failed.clone();
            return Exchange::Failed(Unknown { why, against: true });
        }
        (Err(why), None) => return Exchange::Failed(why),
    };
    let cli = found.profile.cli.as_ref();
    match cli.and_then(|cli| dialect::find_dialect(&cli.dialect)) {
        None => Exchange::Failed(Unknown {
            why: "its profile names no dialect that is known".to_owned(),
            against: true,
        }),
        Some(dialect) => Exchange::Held {
            compared: exchanged.recording.compare_to(&before, dialect),
            failed: exchanged.failed,
        },
    }
}

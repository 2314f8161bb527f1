//! The document about what the user allowed: `agon.consent/1`.

use std::collections::{BTreeMap, BTreeSet};

use agon_agents::profile::Api;
use agon_agents::{Environment, Profile};
use agon_caller::profiles::profiles;
use agon_caller::{Caller, Code, Failure, settings};
use agon_config::Settings;
use agon_record::text::sanitise_line;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Consents, project_of};

/// The schema id of the document.
pub(crate) const SCHEMA: &str = "agon.consent/1";

/// The vendors that may be sent material: `agon.consent/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConsentDoc {
    schema: &'static str,
    /// This project's folder.
    pub project: String,
    /// The vendors that you allowed in every project, by the key `vendors`; `all` means every
    /// vendor.
    pub everywhere: BTreeSet<String>,
    /// The vendors that you allowed in each project, by its folder.
    pub projects: BTreeMap<String, BTreeSet<String>>,
    /// The vendors that this command withdrew.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub withdrawn: BTreeSet<String>,
}

impl ConsentDoc {
    /// Returns what the user allowed, after `withdrawn` was withdrawn.
    ///
    /// # Errors
    ///
    /// If the configuration or the file of answers cannot be read.
    pub fn read(caller: &Caller, withdrawn: BTreeSet<String>) -> Result<Self, Failure> {
        let settings = settings::read_own_settings(caller)?;
        Ok(Self {
            schema: SCHEMA,
            project: project_of(caller).display().to_string(),
            everywhere: settings.vendors.into_iter().collect(),
            projects: Consents::read(caller)?.allowed(),
            withdrawn,
        })
    }
}

/// Allows these vendors in the project of `caller`.
///
/// # Errors
///
/// If no tool has such a vendor, or the answer cannot be stored.
pub fn allow_vendors(caller: &Caller, vendors: &[String]) -> Result<ConsentDoc, Failure> {
    let known = known_vendors(&settings::read_settings(caller)?)?;
    let is_known = |vendor: &String| known.contains(vendor) || is_address(vendor);
    if let Some(unknown) = vendors.iter().find(|vendor| !is_known(vendor)) {
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let message = format!("no tool has the vendor `{}`", sanitise_line(unknown, 80));
        return Err(Failure::new(Code::InvalidParameter, message)
            .parameter("vendor")
            .hint(format!("one of {}", known.join(", "))));
    }
    Consents::allow(caller, &project_of(caller), vendors)?;
    ConsentDoc::read(caller, BTreeSet::new())
}

/// Returns whether a vendor is the host and port of a server, which has no other name.
fn is_address(vendor: &str) -> bool {
    let address = vendor.rsplit_once(':');
    address.is_some_and(|(host, port)| host.contains('.') && port.parse::<u16>().is_ok())
}

/// Withdraws these vendors, or all if there are none; in the project of `caller`, or in every
/// project.
///
/// # Errors
///
/// If the configuration or the file of answers cannot be read or written.
pub fn withdraw_vendors(
    caller: &Caller,
    vendors: &[String],
    everywhere: bool,
) -> Result<ConsentDoc, Failure> {
    let project = project_of(caller);
    let project = (!everywhere).then_some(project.as_path());
    let mut wanted: BTreeSet<_> = vendors.iter().cloned().collect();
    if wanted.is_empty() {
        wanted = known_vendors(&settings::read_settings(caller)?)?;
        wanted.extend(Consents::read(caller)?.allowed().into_values().flatten());
    }
    let withdrawn = Consents::withdraw(caller, project, &wanted)?;
    ConsentDoc::read(caller, withdrawn)
}

/// Returns the vendors of the known tools and services, sorted.
fn known_vendors(settings: &Settings) -> Result<BTreeSet<String>, Failure> {
    let tools = profiles(settings)?;
    let here = Environment::new([("", ""); 0]);
    let tools = tools.iter().filter_map(|tool| tool.receiver(&here));
    // Each model of a service has the same receiver.
    let services = Api::all().into_iter().filter_map(|service| {
        let model = format!("{}:model", service.name).parse().ok()?;
        Profile::from_model_name(&model).ok()??.receiver(&here)
    });
    Ok(tools.chain(services).collect())
}

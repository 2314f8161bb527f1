//! What calls of models behind API keys cost.

use agon_agents::profile::{Api, Price};
use agon_record::spec::ToolName;

// The eight calls of the debate of `agon demo` read 34,000 tokens.
/// The tokens that a call reads, on average.
const READ_BY_CALL: f64 = 4_300.0;
// Those calls wrote 900 tokens each; what a model thinks is charged as well, and is put at twice
// that.
/// The tokens that a call writes, on average.
const WRITTEN_BY_CALL: f64 = 2_700.0;

/// What `calls` of a model cost on average, in US dollars.
pub fn cost_of_calls(price: &Price, calls: u32) -> f64 {
    let call = READ_BY_CALL * price.input + WRITTEN_BY_CALL * price.output;
    f64::from(calls) * call / 1e6
}

/// The service and the model of `tool`; none where it is not a model of a service, or one on this
/// machine.
pub fn split_service_name<'a>(
    services: &'a [Api],
    tool: &'a ToolName,
) -> Option<(&'a Api, &'a str)> {
    let (prefix, model) = tool.as_str().split_once(':')?;
    let service = services.iter().find(|service| service.name == prefix)?;
    let is_here = model.contains("@http://");
    (!is_here).then_some((service, model))
}

//! Suggests settings for tools that do not match their profiles.

use agon_agents::probe::Offers;
use agon_agents::profile::toml_key;

use super::examined::ExaminedTool;

/// Returns the profile key of the list for a kind of seat.
pub(super) fn offer_list_key(offers: &Offers) -> String {
    let kind = if offers.reads { "reads" } else { "read_only" };
    format!("{}.offer.{kind}", offers.way.name())
}

/// Returns suggested settings; `file` is the user's configuration.
pub(super) fn suggested_settings(looked: &ExaminedTool<'_>, file: &str) -> Vec<String> {
    let tool = &looked.found.profile.name;
    let what = match looked.is_present() {
        false => "install it",
        true => "log in",
    };
    let hint = looked
        .found
        .setup_hint()
        .map(|hint| format!("{what}: {hint}"));
    let mut to_do: Vec<_> = hint.into_iter().collect();
    for switch in looked.lacks.iter().flatten() {
        let keys: Vec<_> = switch
            .keys
            .iter()
            .map(|key| format!("tools.{tool}.{key}"))
            .collect();
        to_do.push(format!(
            "remove {1} from {0} in {file}, or replace it with its successor",
            keys.join(" and "),
            switch.name
        ));
    }
    for offers in looked.offers.iter().flatten() {
        for name in &offers.unlisted {
            to_do.push(format!(
                "set tools.{tool}.{}.{} in {file} to its capability, such as \"read\", if it \
                 is harmless, or set tools.{tool}.unlisted to true; until then, {tool} gets no \
                 seat",
                offer_list_key(offers),
                toml_key(name)
            ));
        }
    }
    to_do
}

//! The built-in services, each with a table.

use toml::{Table, Value};

use super::http::Adapter;
use super::{Address, ModelClasses, ModelFacts, Price};

/// Default values for the built-in services at their own URLs. If a name has no URL, the first
/// service with its adapter is used.
const SERVICES: &[(&str, &str)] = &[
    ("openai", include_str!("../../tools/apis/openai.toml")),
    ("anthropic", include_str!("../../tools/apis/anthropic.toml")),
    ("gemini", include_str!("../../tools/apis/gemini.toml")),
    (
        "openrouter",
        include_str!("../../tools/apis/openrouter.toml"),
    ),
];

/// A built-in service.
pub(crate) struct Service {
    pub(crate) name: &'static str,
    pub(super) table: Table,
}

impl Service {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        SERVICES.iter().map(|&(name, text)| Self {
            name,
            table: parse_builtin_table(text),
        })
    }

    pub(super) fn http_value(&self, key: &str) -> Option<&Value> {
        self.table.get("http")?.get(key)
    }

    pub(super) fn adapter(&self) -> Option<Adapter> {
        Adapter::from_name(self.http_value("adapter")?.as_str()?)
    }

    fn has_address(&self, adapter: Adapter, url: &Address) -> bool {
        let own = self.http_value("url").and_then(Value::as_str);
        let own = own.and_then(|own| own.parse::<Address>().ok());
        self.adapter() == Some(adapter) && own.as_ref() == Some(url)
    }

    /// Returns the service at a URL.
    pub(crate) fn find_by_address(adapter: Adapter, url: &Address) -> Option<Self> {
        Self::all().find(|service| service.has_address(adapter, url))
    }
}

/// Returns whether a host is that of a built-in service.
pub(crate) fn is_host_of_service(host: &str) -> bool {
    Service::all().any(|service| {
        let url = service.http_value("url").and_then(Value::as_str);
        let url = url.and_then(|url| url.parse::<Address>().ok());
        url.is_some_and(|url| url.host_and_port().split(':').next() == Some(host))
    })
}

/// The public data of a built-in service.
#[derive(Clone, Debug, PartialEq)]
pub struct Api {
    /// The text before the colon in the names of its models.
    pub name: &'static str,
    /// The variables that may contain its API key.
    pub key_env: Vec<String>,
    /// The service's default models by class; `None` if it has none.
    pub classes: Option<ModelClasses>,
    /// Known facts about its models.
    models: Vec<ModelFacts>,
}

impl Api {
    /// Returns all built-in services.
    pub fn all() -> Vec<Self> {
        let api = |service: Service| {
            let names = service
                .http_value("key_env")
                .and_then(Value::as_array)
                .cloned();
            let names = names.unwrap_or_default().into_iter();
            Self {
                name: service.name,
                key_env: names
                    .filter_map(|name| name.as_str().map(str::to_owned))
                    .collect(),
                classes: parse_value(&service.table, "classes"),
                models: parse_value(&service.table, "models").unwrap_or_default(),
            }
        };
        Service::all().map(api).collect()
    }

    /// Returns the price of one of the service's models; `None` if unknown.
    pub fn price(&self, model: &str) -> Option<&Price> {
        let mut known = self.models.iter();
        known.find_map(|facts| {
            facts
                .price
                .as_ref()
                .filter(|_| model.contains(&facts.matches))
        })
    }
}

fn parse_value<'de, T: serde::Deserialize<'de>>(table: &Table, key: &str) -> Option<T> {
    table.get(key)?.clone().try_into().ok()
}

/// Parses the table of a built-in service. A test parses them all.
pub(super) fn parse_builtin_table(text: &str) -> Table {
    toml::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use agon_record::spec::ModelClass;

    use super::*;

    #[test]
    fn every_model_that_is_offered_has_a_price_and_thought_costs_more() {
        let mut offering = Vec::new();
        for api in Api::all() {
            let Some(classes) = &api.classes else {
                continue;
            };
            offering.push(api.name);
            let ascending = [ModelClass::Fast, ModelClass::Standard, ModelClass::Strong];
            let prices = ascending.map(|class| {
                let price = api.price(classes.model(class));
                price.map(|price| price.output).unwrap_or_default()
            });
            assert!(
                prices[0] > 0.0 && prices.is_sorted(),
                "{}: {prices:?}",
                api.name
            );
            assert!(!classes.by_effort, "{}", api.name);
        }
        assert_eq!(offering, ["openai", "anthropic", "gemini"]);
    }
}

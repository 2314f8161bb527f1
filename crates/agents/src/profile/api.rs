//! Models given by name: `openai:gpt-5.2`, or `openai:qwen3@http://127.0.0.1:11434/v1`.

use agon_record::spec::ToolName;
use toml::{Table, Value};

use super::http::Adapter;
use super::overlay::overlay_table;
use super::service::{Service, parse_builtin_table};
use super::{Address, AddressError, Profile};

/// The defaults for all of them.
const ANY: &str = include_str!("../../tools/apis/any.toml");
/// Default values for a model server on this machine.
const LOOPBACK: &str = include_str!("../../tools/apis/loopback.toml");

impl Profile {
    /// Returns the profile of a model given with its service: `openai:MODEL`, `anthropic:MODEL`,
    /// `gemini:MODEL` or `openrouter:MODEL`, each optionally followed by `@URL` for another server
    /// with the same protocol. `None` if the name has another form.
    ///
    /// A key is sent only to the service's own address: names are typed or recorded, and someone
    /// who gets a user to type a name must not get the key.
    ///
    /// # Errors
    ///
    /// If the name contains an invalid address.
    ///
    /// ```
    /// # use agon_agents::Profile;
    /// let named = |name: &str| Profile::from_model_name(&name.parse().unwrap()).unwrap().unwrap().http.unwrap();
    /// assert_eq!(named("openai:gpt-5.2").key_env, ["OPENAI_API_KEY"]);
    /// assert!(named("openai:gpt-5.2@https://models.example/v1").key_env.is_empty());
    /// assert_eq!(Profile::from_model_name(&"gemini".parse()?)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_model_name(name: &ToolName) -> Result<Option<Self>, AddressError> {
        let Some(mut table) = model_table(name.as_str())? else {
            return Ok(None);
        };
        table.insert("name".into(), name.as_str().into());
        Ok(Self::from_table(table).ok())
    }

    /// Returns whether this is a model server that may be called although only a record names it:
    /// one on this machine, or a known service at its own address.
    pub fn is_trusted_endpoint(&self) -> bool {
        let http = self.http.as_ref();
        http.is_some_and(|http| {
            http.url.is_loopback() || Service::find_by_address(http.adapter, &http.url).is_some()
        })
    }
}

/// Returns the profile table of a model named `SERVICE:MODEL[@URL]`, which the user's own table can
/// override; `None` if the name has another form.
pub(super) fn model_table(name: &str) -> Result<Option<Table>, AddressError> {
    let Some((service, model, url)) = split_model_name(name) else {
        return Ok(None);
    };
    let own = |key| {
        service
            .http_value(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let url: Address = url.unwrap_or(own("url")).parse()?;
    let mut over = Table::new();
    over.insert("url".into(), url.to_string().into());
    over.insert("adapter".into(), own("adapter").into());
    over.insert("model".into(), model.into());
    let over = Table::from_iter([("http".to_owned(), Value::Table(over))]);
    complete_server_table(&over)
}

/// Splits a name into a service, a model and an optional address.
fn split_model_name(name: &str) -> Option<(Service, &str, Option<&str>)> {
    let (prefix, rest) = name.split_once(':')?;
    let service = Service::all().find(|service| service.name == prefix)?;
    let at = ["@http://", "@https://"]
        .iter()
        .filter_map(|scheme| rest.rfind(scheme))
        .max();
    let (model, url) = match at {
        Some(at) => (rest.get(..at)?, Some(rest.get(at + 1..)?)),
        None => (rest, None),
    };
    (!model.is_empty()).then_some((service, model, url))
}

/// Completes the user's table of a model server; `None` if the table has no `http` table.
///
/// Missing values come from the service at its address, if a known one is there. Only the service or
/// the user's own `key_env` assigns a key to an address.
pub(super) fn complete_server_table(user: &Table) -> Result<Option<Table>, AddressError> {
    let Some(http) = user.get("http").and_then(Value::as_table) else {
        return Ok(None);
    };
    let said = |key: &str| http.get(key).and_then(Value::as_str);
    let adapter = said("adapter").map_or(Some(Adapter::Openai), Adapter::from_name);
    let url: Option<Address> = said("url").map(str::parse).transpose()?;
    let service = adapter.and_then(|adapter| match &url {
        Some(url) => Service::find_by_address(adapter, url),
        None => Service::all().find(|service| service.adapter() == Some(adapter)),
    });
    let mut whole = parse_builtin_table(ANY);
    if let Some(service) = service {
        overlay_table(&mut whole, &service.table);
    } else if url.is_some_and(|url| url.is_loopback()) {
        overlay_table(&mut whole, &parse_builtin_table(LOOPBACK));
    }
    overlay_table(&mut whole, user);
    set_login_from_key_env(&mut whole);
    Ok(Some(whole))
}

/// Sets the table's `login` from the variables in `http.key_env`, if there are any: the user is
/// logged in if one of them is set.
fn set_login_from_key_env(whole: &mut Table) {
    let names = whole.get("http").and_then(|http| http.get("key_env"));
    let names = names.and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(first) = names.first().and_then(Value::as_str).map(str::to_owned) else {
        return;
    };
    if let Some(login) = whole.get_mut("login").and_then(Value::as_table_mut) {
        login.insert("env".into(), names.into());
        login.insert("command".into(), format!("export {first}=…").into());
        login.insert("absent".into(), "logged_out".into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Profile {
        Profile::from_model_name(&name.parse().unwrap())
            .unwrap()
            .unwrap()
    }

    #[test]
    fn every_table_that_comes_along_can_be_read() {
        for service in Service::all() {
            let profile = of(&format!("{}:model", service.name));
            assert!(
                profile.is_trusted_endpoint() && !profile.is_loopback(),
                "{}",
                service.name
            );
            assert!(
                !profile.http.unwrap().key_env.is_empty(),
                "{}",
                service.name
            );
        }
        assert!(of("openai:m@http://127.0.0.1:1/v1").is_loopback());
    }

    #[test]
    fn a_name_is_taken_apart() {
        for (name, model, url) in [
            ("openai:gpt-5.2", "gpt-5.2", "https://api.openai.com/v1"),
            (
                "openrouter:a/b:free",
                "a/b:free",
                "https://openrouter.ai/api/v1",
            ),
            (
                "openai:qwen3:8b@http://127.0.0.1:11434/v1",
                "qwen3:8b",
                "http://127.0.0.1:11434/v1",
            ),
            (
                "anthropic:claude@20251101@https://models.example/a/",
                "claude@20251101",
                "https://models.example/a",
            ),
        ] {
            let http = of(name).http.unwrap();
            assert_eq!(
                (http.model.as_str(), http.url.to_string().as_str()),
                (model, url)
            );
        }
        for other in ["openai", "openai:", "acp:openai", "mistral:m"] {
            assert_eq!(
                Profile::from_model_name(&other.parse().unwrap()),
                Ok(None),
                "{other}"
            );
        }
        let refused = |name: &str| Profile::from_model_name(&name.parse().unwrap()).unwrap_err();
        assert_eq!(
            refused("openai:m@http://evil.example/v1"),
            AddressError::Plain
        );
        assert_eq!(
            refused("openai:m@https://a:b@evil.example"),
            AddressError::Credentials
        );
    }

    #[test]
    fn a_key_goes_with_its_own_address_alone() {
        for name in [
            "openai:m@https://evil.example/v1",
            "openai:m@https://api.openai.com.evil.example/v1",
            "openai:m@https://api.openai.com:8443/v1",
            "openai:m@https://api.openai.com/other",
            "openai:m@https://api.anthropic.com/v1",
            "anthropic:m@https://openrouter.ai/api/v1",
            "openai:m@http://127.0.0.1:8080/v1",
        ] {
            let profile = of(name);
            assert_eq!(profile.http.unwrap().key_env, [""; 0], "{name}");
            assert_eq!(profile.login.env, [""; 0], "{name}");
        }
        let router = of("openai:m@https://openrouter.ai/api/v1/").http.unwrap();
        assert_eq!(router.key_env, ["OPENROUTER_API_KEY"]);
    }
}

//! Who receives what a tool is asked.

use crate::environment::Environment;
use crate::profile::{Profile, Service};
use crate::transport::other_address;

impl Profile {
    /// Returns who receives what the tool is asked, such as `openai`: its vendor, the service or the
    /// server at its address, or else the tool itself. `None` if nothing leaves this machine.
    ///
    /// A server on this machine that a program of a vendor is pointed at counts as the vendor,
    /// because it may pass everything on.
    pub fn receiver(&self, here: &Environment) -> Option<String> {
        if self.is_human() || self.weights.is_some() || self.is_loopback() {
            return None;
        }
        if let Some(http) = &self.http {
            let Some(service) = Service::find_by_address(http.adapter, &http.url) else {
                return Some(http.url.host_and_port());
            };
            if self.vendor.is_empty() {
                return Some(service.name.to_owned());
            }
        }
        if let Some(address) = other_address(self.base_urls(), here) {
            return Some(address);
        }
        match self.vendor.as_str() {
            "" => Some(self.name.to_string()),
            vendor => Some(vendor.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    fn none() -> Environment {
        Environment::new([("", ""); 0])
    }

    #[test]
    fn who_receives_a_question_is_named() {
        let receiver = |name: &str| {
            let profile = Profile::from_model_name(&name.parse().unwrap()).unwrap();
            profile.unwrap().receiver(&none())
        };
        for (name, receiver_name) in [
            ("openai:gpt-5.2", Some("openai")),
            ("gemini:flash", Some("google")),
            ("openrouter:a/b:free", Some("openrouter")),
            (
                "openai:m@https://models.example/v1",
                Some("models.example:443"),
            ),
            ("openai:m@http://127.0.0.1:1/v1", None),
        ] {
            assert_eq!(receiver(name).as_deref(), receiver_name, "{name}");
        }
        let profiles = Profiles::builtin().unwrap();
        let tool = |name: &str, here: &Environment| {
            let profile = profiles.find(&name.parse().unwrap()).unwrap();
            profile.receiver(here)
        };
        assert_eq!(tool("claude", &none()).as_deref(), Some("anthropic"));
        assert_eq!(tool("opencode", &none()).as_deref(), Some("opencode"));
        assert_eq!(tool("human", &none()), None);
        for (url, receiver) in [
            ("https://third.example/v1", "third.example:443"),
            ("https://api.anthropic.com", "anthropic"),
            ("http://127.0.0.1:4000", "anthropic"),
        ] {
            let here = Environment::new([("ANTHROPIC_BASE_URL", url)]);
            assert_eq!(tool("claude", &here).as_deref(), Some(receiver), "{url}");
        }
    }
}

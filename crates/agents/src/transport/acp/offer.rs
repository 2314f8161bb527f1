//! Reads the modes, models and options that an agent offers in a conversation.

use agent_client_protocol::v1::schema::{
    NewSessionResponse, SessionConfigKind, SessionConfigOption, SessionConfigOptionCategory,
    SessionConfigSelectOptions, SessionId,
};
use serde_json::Value;

/// A new conversation, with the choices that the agent offers in it.
#[derive(Debug)]
pub(super) struct Offer {
    /// The ID of the conversation.
    pub(super) session: SessionId,
    modes: Option<Modes>,
    options: Vec<SessionConfigOption>,
    /// The IDs and categories of all options, including those that cannot be parsed.
    named: Vec<[String; 2]>,
    models: Vec<String>,
    /// The current model, if the agent has a separate request for the model.
    model: Option<String>,
}

/// The modes that an agent offers, and the current one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Modes {
    /// The current mode.
    pub(super) current: String,
    /// The IDs of all modes.
    pub(super) ids: Vec<String>,
    /// The ID of the option that sets the mode; `None` if a separate request sets it.
    pub(super) option: Option<String>,
}

/// An option with a list of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The ID of the option.
    pub(super) id: String,
    /// The current value of the option.
    pub(super) current: String,
    /// The possible values of the option.
    pub(super) values: Vec<String>,
}

impl Offer {
    /// Parses the response to `session/new`.
    pub(super) fn read(answer: Value) -> Option<Self> {
        // `models` was removed from the protocol, but two agents still send it.
        let models = answer
            .get("models")
            .and_then(|models| models.get("availableModels")?.as_array())
            .map(|models| {
                let id = |model: &Value| Some(model.get("modelId")?.as_str()?.to_owned());
                models.iter().filter_map(id).collect()
            });
        let model = answer.get("models").and_then(|models| {
            let current = models.get("currentModelId")?.as_str()?;
            Some(current.to_owned())
        });
        let named = option_ids_and_categories(&answer);
        let has_modes = answer.get("modes").is_some_and(|modes| !modes.is_null());
        let new: NewSessionResponse = serde_json::from_value(answer).ok()?;
        if has_modes && new.modes.is_none() {
            // Unreadable modes are different from no modes.
            return None;
        }
        let modes = new.modes.map(|modes| Modes {
            current: modes.current_mode_id.to_string(),
            ids: modes
                .available_modes
                .iter()
                .map(|mode| mode.id.to_string())
                .collect(),
            option: None,
        });
        Some(Self {
            session: new.session_id,
            modes,
            options: new.config_options.unwrap_or_default(),
            named,
            models: models.unwrap_or_default(),
            model,
        })
    }

    /// Updates the options from the response to a change.
    pub(super) fn update_options(&mut self, answer: &Value) {
        if answer.get("configOptions").is_some() {
            self.named = option_ids_and_categories(answer);
        }
        let said = answer.get("configOptions").cloned();
        if let Some(options) = said.and_then(|said| serde_json::from_value(said).ok()) {
            self.options = options;
        }
    }

    /// Returns the modes, from `modes` or from the option that sets the mode.
    pub(super) fn modes(&self) -> Option<Modes> {
        let of_option = || {
            let choice = self.find_choice(&SessionConfigOptionCategory::Mode, &["mode"])?;
            Some(Modes {
                current: choice.current,
                ids: choice.values,
                option: Some(choice.id),
            })
        };
        self.modes.clone().or_else(of_option)
    }

    /// Returns the option that sets the model.
    pub(super) fn model_choice(&self) -> Option<Choice> {
        self.find_choice(&SessionConfigOptionCategory::Model, &["model"])
    }

    /// Returns the current model, as reported by the agent.
    pub(super) fn current_model(&self) -> Option<String> {
        let chosen = || self.model_choice().map(|choice| choice.current);
        self.model.clone().or_else(chosen)
    }

    /// Records that a separate request set the model.
    pub(super) fn set_model(&mut self, model: &str) {
        self.model = Some(model.to_owned());
    }

    /// Returns the models that a separate request can set.
    pub(super) fn models(&self) -> &[String] {
        &self.models
    }

    /// Returns the option that sets the effort.
    pub(super) fn effort_choice(&self) -> Option<Choice> {
        self.find_choice(
            &SessionConfigOptionCategory::ThoughtLevel,
            &["effort", "reasoning_effort"],
        )
    }

    /// Returns whether an option with this ID or category exists but cannot be parsed.
    pub(super) fn is_option_unreadable(&self, name: &str) -> bool {
        let readable = |id: &str| self.option(id).is_some();
        let mut of_name = self
            .named
            .iter()
            .filter(|it| it.iter().any(|it| it == name));
        of_name.any(|[id, _]| !readable(id))
    }

    /// Returns the option with this ID.
    pub(super) fn option(&self, id: &str) -> Option<Choice> {
        self.options
            .iter()
            .filter_map(choice_from_option)
            .find(|choice| choice.id == id)
    }

    fn find_choice(&self, category: &SessionConfigOptionCategory, ids: &[&str]) -> Option<Choice> {
        let of_category =
            |option: &&SessionConfigOption| option.category.as_ref() == Some(category);
        let by_category = self.options.iter().find(of_category);
        let by_id = || {
            let is = |option: &&SessionConfigOption| ids.contains(&option.id.0.as_ref());
            self.options.iter().find(is)
        };
        by_category.or_else(by_id).and_then(choice_from_option)
    }
}

/// Returns the ID and category of every option in a response.
fn option_ids_and_categories(answer: &Value) -> Vec<[String; 2]> {
    let options = answer.get("configOptions").and_then(Value::as_array);
    let text = |option: &Value, key| {
        let text = option.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let both = |option: &Value| [text(option, "id"), text(option, "category")];
    options.into_iter().flatten().map(both).collect()
}

/// Converts an option with a list of values; `None` for other kinds.
// The protocol may add kinds of options; Agon uses only those with a list of values.
fn choice_from_option(option: &SessionConfigOption) -> Option<Choice> {
    let select = match &option.kind {
        SessionConfigKind::Select(select) => select,
        _ => return None,
    };
    let values = match &select.options {
        SessionConfigSelectOptions::Ungrouped(options) => options
            .iter()
            .map(|option| option.value.to_string())
            .collect(),
        SessionConfigSelectOptions::Grouped(groups) => groups
            .iter()
            .flat_map(|group| &group.options)
            .map(|option| option.value.to_string())
            .collect(),
        _ => Vec::new(),
    };
    Some(Choice {
        id: option.id.to_string(),
        current: select.current_value.to_string(),
        values,
    })
}

impl Modes {
    /// Returns whether the current mode is one of `wanted`.
    pub(super) fn is_current_among(&self, wanted: &[String]) -> bool {
        wanted
            .iter()
            .any(|wanted| is_same_mode(&self.current, wanted))
    }

    /// Returns the first of `wanted` that the agent offers.
    pub(super) fn first_available(&self, wanted: &[String]) -> Option<&str> {
        wanted
            .iter()
            .find_map(|wanted| self.ids.iter().find(|id| is_same_mode(id, wanted)))
            .map(String::as_str)
    }
}

/// Returns whether a mode is the wanted one, by its ID or by the part after its last `#` or `/`.
pub(super) fn is_same_mode(id: &str, wanted: &str) -> bool {
    id == wanted || id.rsplit(['#', '/']).next() == Some(wanted)
}

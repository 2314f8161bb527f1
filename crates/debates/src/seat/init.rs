//! The first setup: finds tools and proposes a configuration of seats.

use std::path::PathBuf;

use agon_caller::settings_file::{Whose, change_file, file_path};
use agon_caller::{Caller, Code, Failure, settings};
use agon_config::set_top_level_keys;
use agon_record::spec::{FormatName, ToolName};
use agon_seats::seating::{SeatWish, Wishes, assign_seats, models_for_open_side};
use agon_seats::tools::Tools;
use agon_seats::tools::overview::{ToolEntry, entries};
use schemars::JsonSchema;
use serde::Serialize;

use crate::seat::api_models::KeyedSeats;

/// A setting to write to the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeatSetting {
    /// Its key, such as `proposer`.
    pub key: String,
    /// The value.
    pub value: String,
}

impl SeatSetting {
    /// Returns a setting with a string value.
    pub fn new(key: &str, value: impl Into<String>) -> Self {
        Self {
            key: key.to_owned(),
            value: value.into(),
        }
    }
}

/// The tools found and the proposed settings.
#[derive(Debug)]
pub struct Prospect {
    /// The tools.
    pub tools: Vec<ToolEntry>,
    /// The path of the file.
    pub path: PathBuf,
    /// The proposed seats; empty if none can be proposed.
    pub seats: Vec<SeatSetting>,
    /// The existing settings, which stay unchanged.
    pub set: Vec<SeatSetting>,
    /// The cost of a debate, if models behind API keys are proposed.
    pub price: Option<String>,
    whose: Whose,
    found: Tools,
}

/// The tools found and the settings written: `agon.init/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InitDoc {
    schema: &'static str,
    /// The tools.
    pub tools: Vec<ToolEntry>,
    /// The path of the configuration file.
    pub path: PathBuf,
    /// The settings that are, or would be, written.
    pub settings: Vec<SeatSetting>,
    /// The existing settings, which stay unchanged.
    pub set: Vec<SeatSetting>,
    /// Whether the settings were written.
    pub written: bool,
    /// Commands to run next.
    pub next: Vec<String>,
}

/// The schema of [`InitDoc`].
pub const SCHEMA: &str = "agon.init/1";

/// Finds the tools and proposes seats without changing anything. Proposes models behind API keys
/// only if a person `can_say_no`.
///
/// # Errors
///
/// If the configuration is invalid, or a project's file may not name tools.
pub async fn propose_seats(
    caller: &Caller,
    whose: Whose,
    can_say_no: bool,
) -> Result<Prospect, Failure> {
    let path = file_path(caller, whose)?;
    let settings = settings::read_settings(caller)?;
    if whose == Whose::Project {
        agon_config::require_trust(&path, caller.user_config_file().as_deref())
            .map_err(|error| settings::config_failure(&error))?;
    }
    let found = Tools::detect(caller, &settings, &[]).await?;
    let named = [
        ("proposer", &settings.proposer),
        ("challenger", &settings.challenger),
        ("judge", &settings.judge),
    ];
    let set: Vec<_> = named
        .iter()
        .filter_map(|(key, tool)| Some(SeatSetting::new(key, tool.as_ref()?)))
        .collect();
    let keyed = || KeyedSeats::find(caller).filter(|_| can_say_no && set.is_empty());
    let (seats, price) = match proposed_seats(&found, &set) {
        Some(seats) => (seats, None),
        None => match keyed() {
            Some(keyed) => {
                let keys = ["proposer", "challenger", "judge"].into_iter();
                let seats = keys.zip(keyed.names());
                let seats = seats.map(|(key, model)| SeatSetting::new(key, model));
                (seats.collect(), Some(keyed.price()))
            }
            None => (Vec::new(), None),
        },
    };
    Ok(Prospect {
        tools: entries(&found),
        path,
        seats,
        set,
        price,
        whose,
        found,
    })
}

/// Returns proposed tools for the open seats; `None` if there are too few tools.
///
/// Leaves the judge to each debate: a configured judge would judge its own tool or vendor in
/// debates with other debaters.
fn proposed_seats(tools: &Tools, set: &[SeatSetting]) -> Option<Vec<SeatSetting>> {
    let wishes = wishes(set);
    let candidates = tools.candidates();
    let is_set = |key: &str| set.iter().any(|setting| setting.key == key);
    let mut seats = Vec::new();
    if let Some(pair) = models_for_open_side(&wishes, candidates) {
        let [strong, standard] = &pair.models;
        for key in ["proposer", "challenger"] {
            seats.push(SeatSetting::new(key, pair.tool.as_str()));
        }
        seats.push(SeatSetting::new("model.proposer", strong));
        seats.push(SeatSetting::new("model.challenger", standard));
    } else {
        let seated = assign_seats(&wishes, candidates).ok()?.seats;
        let sides = seated.iter().filter(|(seat, _)| !seat.is_judge());
        let named = sides.map(|(seat, seating)| {
            let key = seat.to_string();
            SeatSetting::new(&key, seating.tool.as_str())
        });
        seats.extend(named);
    }
    seats.retain(|setting| !is_set(&setting.key));
    Some(seats)
}

fn wishes(named: &[SeatSetting]) -> Wishes {
    let value = |key: &str| {
        let setting = named.iter().find(|setting| setting.key == key);
        setting.map(|setting| setting.value.clone())
    };
    let wish = |seat: &str| SeatWish {
        tool: value(seat),
        model: value(&format!("model.{seat}")),
        ..SeatWish::default()
    };
    Wishes {
        format: FormatName::Duel,
        sides: ["proposer", "challenger"].map(wish),
        judges: vec![wish("judge")],
        same_tool: false,
    }
}

impl Prospect {
    /// Checks that a debate is possible with these seats.
    ///
    /// # Errors
    ///
    /// If a tool is unknown or not ready, or both sides would be the same model.
    pub async fn require_seatable(
        &self,
        caller: &Caller,
        seats: &[SeatSetting],
    ) -> Result<(), Failure> {
        let names = seats.iter().filter(|it| !it.key.contains('.'));
        let names: Vec<ToolName> = names.filter_map(|it| it.value.parse().ok()).collect();
        let known = self.found.candidates();
        if names
            .iter()
            .all(|name| known.iter().any(|it| it.tool == *name))
        {
            return assign_seats(&wishes(seats), known).map(drop);
        }
        let settings = settings::read_settings(caller)?;
        let tools = Tools::detect(caller, &settings, &names).await?;
        assign_seats(&wishes(seats), tools.candidates()).map(drop)
    }

    /// Returns the document of the proposal.
    pub fn document(&self) -> InitDoc {
        self.finished(self.seats.clone(), false)
    }

    fn finished(&self, settings: Vec<SeatSetting>, written: bool) -> InitDoc {
        let mut next = Vec::new();
        if !written && !settings.is_empty() {
            let project = match self.whose {
                Whose::User => "",
                Whose::Project => " --project",
            };
            next.push(format!("agon init{project} --yes"));
        }
        next.push(match self.set.is_empty() && settings.is_empty() {
            true => "agon demo".to_owned(),
            false => "agon debate \"Tabs or spaces?\"".to_owned(),
        });
        next.push("agon completions".to_owned());
        InitDoc {
            schema: SCHEMA,
            tools: self.tools.clone(),
            path: self.path.clone(),
            settings,
            set: self.set.clone(),
            written,
            next,
        }
    }
}

/// Writes `seats` to the file. Creates it with explanations of every key if it does not exist.
///
/// # Errors
///
/// If the file cannot be read or written, or other settings would change; it then stays unchanged.
pub fn write(prospect: &Prospect, seats: Vec<SeatSetting>) -> Result<InitDoc, Failure> {
    let path = &prospect.path;
    if seats.is_empty() {
        return Ok(prospect.finished(seats, false));
    }
    let pairs: Vec<_> = seats
        .iter()
        .map(|setting| (setting.key.as_str(), setting.value.as_str()))
        .collect();
    change_file(
        path,
        prospect.whose,
        |text| set_top_level_keys(text, &pairs),
        || {
            let lines = pairs
                .iter()
                .map(|(key, value)| format!("{key} = {value:?}"));
            let message = format!(
                "cannot add the seats to {} without changing other settings",
                path.display()
            );
            Failure::new(Code::Configuration, message).hint(format!(
                "add them yourself with `agon config edit`:\n    {}",
                lines.collect::<Vec<_>>().join("\n    ")
            ))
        },
    )?;
    Ok(prospect.finished(seats, true))
}

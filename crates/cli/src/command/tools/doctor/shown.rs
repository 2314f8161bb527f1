//! What was found, for people and for programs.

use agon_agents::Login;
use agon_agents::drift::{Compared, Difference, Offers, Switch, What, switches};
use agon_agents::profile::toml_key;
use agon_record::text::sanitise;
use agon_report::text::counted;
use schemars::JsonSchema;
use serde::Serialize;

use super::looked::{Exchange, Looked, Untold};
use crate::args::Global;
use crate::error::Failure;
use crate::output::{BAD, Out, STRONG, styled};

/// The name and version of the document.
pub(crate) const SCHEMA: &str = "agon.doctor/1";

/// Whether the tools here still are as their profiles say.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DoctorDoc {
    schema: &'static str,
    tools: Vec<ToolDoc>,
    /// The file in which a profile is changed.
    configuration: String,
}

#[derive(Serialize, JsonSchema)]
struct ToolDoc {
    tool: String,
    /// None when it is not installed.
    path: Option<String>,
    version: Option<String>,
    /// The version that its profile was measured with.
    measured: Option<String>,
    login: &'static str,
    /// Whether nothing speaks against seating it as it is.
    fits: bool,
    /// The switches that its profile uses and its help does not list.
    lacks: Vec<LacksDoc>,
    /// Why its help could not be looked at.
    help_failed: Option<String>,
    /// Whether it reads in the folder it is given alone; none when its profile does not say.
    reads_confined: Option<bool>,
    confined_why: Option<String>,
    /// `not_asked`, `as_recorded`, `drift`, `failed`, or `unknown` where nothing says what to expect.
    exchange: &'static str,
    exchange_failed: Option<String>,
    /// What is different in what we read.
    drift: Vec<DriftDoc>,
    /// How much is different in what we do not read.
    other_differences: usize,
    /// What it offers to its model, by kind of seat; empty when nobody looked.
    offers: Vec<OfferDoc>,
    /// Why what it offers could not be told.
    offers_failed: Option<String>,
    /// What can be set, and where.
    to_do: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct OfferDoc {
    /// How it was spoken to.
    transport: &'static str,
    /// Whether it had a folder to read in.
    reads: bool,
    tools: Vec<String>,
    /// The tools that stand on no list of its profile.
    unlisted: Vec<String>,
    /// Why nothing can be told.
    failed: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct LacksDoc {
    switch: String,
    /// The keys of the profile it stands at.
    keys: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct DriftDoc {
    event: String,
    field: String,
    was: Option<String>,
    is: Option<String>,
}

/// Prints what was found; `file` is where a profile is changed.
///
/// # Errors
///
/// If it cannot be printed.
pub(super) fn print(
    global: &Global,
    all: &[Looked<'_>],
    file: &str,
    out: &mut Out,
) -> Result<(), Failure> {
    if global.json {
        return out.json(&DoctorDoc {
            schema: SCHEMA,
            tools: all.iter().map(|looked| document(looked, file)).collect(),
            configuration: file.to_owned(),
        });
    }
    for looked in all {
        out.line(&section(looked, file))?;
    }
    let here: Vec<_> = all.iter().filter(|looked| looked.is_here()).collect();
    let fit = here.iter().filter(|looked| looked.fits()).count();
    let not = here.len() - fit;
    out.line(&match not {
        0 => format!("{} as Agon knows them", counted(fit as u64, "tool")),
        _ => format!(
            "{} as Agon knows them, {not} not",
            counted(fit as u64, "tool")
        ),
    })
}

fn document(looked: &Looked<'_>, file: &str) -> ToolDoc {
    let profile = &looked.found.profile;
    let (state, failed, compared) = exchange(looked);
    let none = Compared::default();
    let compared = compared.unwrap_or(&none);
    let lacks = |switch: &Switch| LacksDoc {
        switch: switch.name.clone(),
        keys: switch.keys.clone(),
    };
    let drift = |difference: &Difference| {
        let (was, is) = match &difference.what {
            What::Gone { was } => (Some(was.clone()), None),
            What::New { is } => (None, Some(is.clone())),
            What::Changed { was, is } => (Some(was.clone()), Some(is.clone())),
        };
        DriftDoc {
            event: sanitise(&difference.event, 80),
            field: sanitise(&difference.field, 200),
            was,
            is,
        }
    };
    let offer = |offers: &Offers| OfferDoc {
        transport: offers.way.name(),
        reads: offers.reads,
        tools: offers.names.iter().cloned().collect(),
        unlisted: offers.unlisted.clone(),
        failed: offers.failed.clone(),
    };
    ToolDoc {
        tool: profile.name.to_string(),
        path: program(looked).map(|path| path.display().to_string()),
        version: looked.found.version.clone(),
        measured: profile.measured.clone(),
        login: login(looked),
        fits: looked.fits(),
        lacks: looked.lacks.iter().flatten().map(lacks).collect(),
        help_failed: looked.lacks.as_ref().err().map(|untold| untold.why.clone()),
        reads_confined: profile.confined.as_ref().map(|confined| confined.reads),
        confined_why: profile
            .confined
            .as_ref()
            .map(|confined| confined.why.clone()),
        exchange: state,
        exchange_failed: failed.map(str::to_owned),
        drift: compared.drift.iter().map(drift).collect(),
        other_differences: compared.other.len(),
        offers: looked.offers.iter().flatten().map(offer).collect(),
        offers_failed: looked
            .offers
            .as_ref()
            .err()
            .map(|untold| untold.why.clone()),
        to_do: to_do(looked, file),
    }
}

/// The key of a profile under which a kind of seat has its list.
fn list(offers: &Offers) -> String {
    let kind = if offers.reads { "reads" } else { "read_only" };
    format!("{}.offer.{kind}", offers.way.name())
}

/// What is told a person of the offers.
fn offered(looked: &Looked<'_>) -> Vec<String> {
    let bad = |what: &str| styled(BAD, what);
    let offers = match &looked.offers {
        Ok(offers) => offers,
        Err(Untold { why, against: true }) => {
            return vec![format!("  offers    {}: {why}", bad("failed"))];
        }
        Err(Untold { why, .. }) => return vec![format!("  offers    not looked at: {why}")],
    };
    let mut lines = Vec::new();
    for offers in offers {
        let list = list(offers);
        if let Some(why) = &offers.failed {
            lines.push(format!("  offers    {} ({list}): {why}", bad("failed")));
        }
        for name in &offers.unlisted {
            let name = toml_key(name);
            lines.push(format!(
                "  offers    {}: {name} ({list})",
                bad("not listed")
            ));
        }
    }
    if lines.is_empty() && !offers.is_empty() {
        lines.push("  offers    nothing that is not on its list".to_owned());
    }
    lines
}

fn login(looked: &Looked<'_>) -> &'static str {
    match (program(looked), &looked.found.login) {
        (None, _) => "not_installed",
        (Some(_), Login::LoggedIn) => "logged_in",
        (Some(_), Login::LoggedOut { .. }) => "logged_out",
        (Some(_), Login::Unknown) => "unknown",
    }
}

/// Its program, or else what speaks the Agent Client Protocol for it.
fn program<'a>(looked: &'a Looked<'_>) -> Option<&'a std::path::PathBuf> {
    let found = looked.found;
    found.path.as_ref().or(found.acp.as_ref())
}

/// How the exchange went, why it did not, and what was different in it.
fn exchange<'a>(looked: &'a Looked<'_>) -> (&'static str, Option<&'a str>, Option<&'a Compared>) {
    match &looked.exchange {
        Exchange::NotAsked => ("not_asked", None, None),
        Exchange::Failed(untold) if untold.against => ("failed", Some(&untold.why), None),
        Exchange::Failed(untold) => ("unknown", Some(&untold.why), None),
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

/// What can be set, and where.
fn to_do(looked: &Looked<'_>, file: &str) -> Vec<String> {
    let tool = &looked.found.profile.name;
    let what = match looked.is_here() {
        false => "install it",
        true => "log in",
    };
    let hint = looked.found.hint().map(|hint| format!("{what}: {hint}"));
    let mut list: Vec<_> = hint.into_iter().collect();
    for switch in looked.lacks.iter().flatten() {
        let keys: Vec<_> = switch
            .keys
            .iter()
            .map(|key| format!("tools.{tool}.{key}"))
            .collect();
        list.push(format!(
            "set {} in {file} without {}, or with what took its place",
            keys.join(" and "),
            switch.name
        ));
    }
    let (state, ..) = exchange(looked);
    if matches!(state, "drift" | "failed") {
        list.push(format!(
            "set tools.{tool}.cli.args and tools.{tool}.cli.dialect in {file} to a form of output \
             that is read here; until then, seat another tool"
        ));
    }
    for offers in looked.offers.iter().flatten() {
        for name in &offers.unlisted {
            list.push(format!(
                "set tools.{tool}.{}.{} in {file} to what it can do, such as \"read\", if \
                 that is harmless, or tools.{tool}.unlisted to true; until then, {tool} sits at \
                 no table",
                self::list(offers),
                toml_key(name)
            ));
        }
    }
    list
}

fn section(looked: &Looked<'_>, file: &str) -> String {
    let profile = &looked.found.profile;
    let name = styled(STRONG, &format!("{:<9}", profile.name.as_str()));
    let Some(path) = program(looked) else {
        return format!("{name} not installed: {}\n", profile.install.hint);
    };
    let version = looked
        .found
        .version
        .as_deref()
        .unwrap_or("of no known version");
    let measured = match &profile.measured {
        Some(measured) if measured == version => "as measured".to_owned(),
        Some(measured) => format!("measured with {measured}"),
        None => "not measured".to_owned(),
    };
    let login = login(looked)
        .replace('_', " ")
        .replace("unknown", "login cannot be told");
    let mut lines = vec![format!(
        "{name} {version}, {measured} · {login} · {}",
        path.display()
    )];
    let bad = |what: &str| styled(BAD, what);
    match &looked.lacks {
        Ok(_) if looked.found.path.is_none() => {
            lines.push("  help      not looked at: only what speaks acp for it is here".to_owned());
        }
        Ok(lacks) if lacks.is_empty() => {
            let all =
                counted(switches(profile).len() as u64, "switch").replace("switchs", "switches");
            lines.push(format!("  help      lists all of its {all}"));
        }
        Ok(lacks) => {
            for switch in lacks {
                let keys = switch.keys.join(", ");
                lines.push(format!(
                    "  help      {} {} ({keys})",
                    bad("lacks"),
                    switch.name
                ));
            }
        }
        Err(Untold { why, against: true }) => {
            lines.push(format!("  help      {}: {why}", bad("failed")));
        }
        Err(Untold { why, .. }) => lines.push(format!("  help      not looked at: {why}")),
    }
    lines.push(match &profile.confined {
        Some(confined) if confined.reads => {
            format!("  reads     in its folder alone: {}", confined.why)
        }
        Some(confined) => format!("  reads     {}: {}", bad("not confined"), confined.why),
        None => format!(
            "  reads     {}",
            bad("its profile does not say whether they are confined")
        ),
    });
    let (state, failed, compared) = exchange(looked);
    match state {
        "not_asked" => {}
        "as_recorded" => lines.push("  exchange  as recorded".to_owned()),
        _ => {
            let failed = failed.into_iter().map(|why| sanitise(why, 300));
            let drift = compared.into_iter().flat_map(|compared| &compared.drift);
            let drift = drift.map(|difference| sanitise(&difference.to_string(), 300));
            for what in failed.chain(drift).take(MOST) {
                lines.push(format!("  exchange  {}: {what}", bad(state)));
            }
        }
    }
    let other = compared.map_or(0, |compared| compared.other.len());
    if other > 0 {
        let other = counted(other as u64, "difference");
        lines.push(format!("            {other} in what is not read here"));
    }
    lines.extend(offered(looked));
    lines.extend(
        to_do(looked, file)
            .iter()
            .map(|to_do| format!("  to do     {to_do}")),
    );
    lines.join("\n") + "\n"
}

/// Differences that are shown to a person.
const MOST: usize = 20;

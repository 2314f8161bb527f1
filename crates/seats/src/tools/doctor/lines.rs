//! Formats the result of a checkup for a person.

use agon_agents::Profile;
use agon_agents::probe::{Switch, profile_switches};
use agon_agents::profile::toml_key;
use agon_report::screen::{Line, Style};
use agon_report::text::count_with_noun;

use super::examined::{ExaminedTool, Unknown};
use super::request::DoctorRequest;
use super::suggestions::{offer_list_key, suggested_settings};

/// The column at which the texts begin, beside the names of tools and checks.
const TEXT_COLUMN: usize = 12;

/// Returns the lines; `file` is the configuration file in which profiles can be changed.
pub(super) fn lines(
    all: &[ExaminedTool<'_>],
    without_limits: &[String],
    file: &str,
    request: &DoctorRequest,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for looked in all {
        lines.push(Line::default());
        lines.extend(tool_lines(looked, file, request.shows_passed));
    }
    if !without_limits.is_empty() {
        lines.push(Line::default());
        let models = without_limits.join(", ");
        lines.push(text_line(format!(
            "limits    guessed for {models}; set them with `limits` in {file}"
        )));
    }
    let here: Vec<_> = all.iter().filter(|looked| looked.is_present()).collect();
    let fit = here.iter().filter(|looked| looked.is_usable()).count();
    let all = count_with_noun(here.len() as u64, "tool");
    lines.push(text_line(match here.len() - fit {
        0 => format!("{all} installed, all match their profiles"),
        _ => format!("{all} installed, {fit} match their profiles"),
    }));
    // Moves the summary to the top, because most readers need only that.
    lines.rotate_right(1);
    wrap_beside_names(lines, request.width)
}

fn wrap_beside_names(lines: Vec<Line>, width: usize) -> Vec<Line> {
    let lines = lines.into_iter();
    lines
        .flat_map(|line| line.wrap_to_width(TEXT_COLUMN, width))
        .collect()
}

fn text_line(text: impl Into<String>) -> Line {
    Line::default().with(Style::Plain, text)
}

/// Returns a line with a highlighted problem between its beginning and end.
fn fault_line(begin: &str, what: &str, end: impl Into<String>) -> Line {
    text_line(begin)
        .with(Style::Bad, what)
        .with(Style::Plain, end)
}

fn tool_lines(looked: &ExaminedTool<'_>, file: &str, shows_passed: bool) -> Vec<Line> {
    let profile = &looked.found.profile;
    let name = Line::default().with(Style::Strong, format!("{:<9}", profile.name.as_str()));
    let Some(path) = looked.program() else {
        let hint = format!(" not installed: {}", profile.install.hint);
        return vec![name.with(Style::Plain, hint)];
    };
    let version = looked.found.version.as_deref();
    let version = version.unwrap_or("unknown version");
    let measured = match &profile.measured {
        Some(measured) if measured == version => "profile for this version".to_owned(),
        Some(measured) => format!("profile for {measured}"),
        None => "profile without a version".to_owned(),
    };
    let login = looked.login().replace('_', " ");
    let login = login.replace("unknown", "login unknown");
    let path = path.display();
    let about = format!(" {version}, {measured} · {login} · {path}");
    let mut lines = vec![name.with(Style::Plain, about)];
    let checks = help_lines(looked)
        .into_iter()
        .chain(sessions_line(looked))
        .chain([confinement_line(profile)])
        .chain(offer_lines(looked));
    let has_fault = |line: &Line| line.spans.iter().any(|span| span.style == Style::Bad);
    lines.extend(checks.filter(|line| shows_passed || has_fault(line)));
    let to_do = suggested_settings(looked, file).into_iter();
    lines.extend(to_do.map(|to_do| text_line(format!("  to do     {to_do}"))));
    lines
}

/// Returns a line for a tool whose sessions were not tested in this version.
fn sessions_line(looked: &ExaminedTool<'_>) -> Option<Line> {
    let tried = looked.sessions_profile()?;
    let is_newer = tried.is_newer(looked.found.version.as_deref()?);
    let words = format!(
        "  sessions  read in the format of version {}; `agon context` reports what it cannot read",
        tried.measured
    );
    is_newer.then(|| text_line(words))
}

fn help_lines(looked: &ExaminedTool<'_>) -> Vec<Line> {
    const BEGIN: &str = "  help      ";
    match &looked.lacks {
        Ok(_) if looked.found.path.is_none() => vec![text_line(
            "  help      not checked: only its ACP adapter is installed",
        )],
        Ok(lacks) if lacks.is_empty() => {
            let all = profile_switches(&looked.found.profile).len() as u64;
            let all = count_with_noun(all, "switch").replace("switchs", "switches");
            vec![text_line(format!(
                "  help      lists all {all} of its profile"
            ))]
        }
        Ok(lacks) => {
            let line = |switch: &Switch| {
                let keys = switch.keys.join(", ");
                fault_line(BEGIN, "lacks", format!(" {} ({keys})", switch.name))
            };
            lacks.iter().map(line).collect()
        }
        Err(unknown) => vec![unknown_line(BEGIN, unknown)],
    }
}

/// Returns a line with the reason why something is unknown.
fn unknown_line(begin: &str, unknown: &Unknown) -> Line {
    let why = &unknown.why;
    match unknown.against {
        true => fault_line(begin, "failed", format!(": {why}")),
        false => text_line(format!("{begin}not checked: {why}")),
    }
}

fn confinement_line(profile: &Profile) -> Line {
    const BEGIN: &str = "  reads     ";
    match &profile.confined {
        Some(confined) if confined.reads => {
            text_line(format!("{BEGIN}only in its folder: {}", confined.why))
        }
        Some(confined) => fault_line(BEGIN, "not confined", format!(": {}", confined.why)),
        None => fault_line(
            BEGIN,
            "its profile does not say whether it reads only its folder",
            "",
        ),
    }
}

/// Returns lines about the offered tools.
fn offer_lines(looked: &ExaminedTool<'_>) -> Vec<Line> {
    const BEGIN: &str = "  offers    ";
    let offers = match &looked.offers {
        Ok(offers) => offers,
        Err(unknown) => return vec![unknown_line(BEGIN, unknown)],
    };
    let mut lines = Vec::new();
    for offers in offers {
        let list = offer_list_key(offers);
        if let Some(why) = &offers.failed {
            lines.push(fault_line(BEGIN, "failed", format!(" ({list}): {why}")));
        }
        for name in &offers.unlisted {
            let name = toml_key(name);
            lines.push(fault_line(
                BEGIN,
                "not listed",
                format!(": {name} ({list})"),
            ));
        }
    }
    if lines.is_empty() && !offers.is_empty() {
        lines.push(text_line("  offers    only tools that its profile lists"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use agon_agents::Profiles;
    use agon_report::text::display_width;

    use super::*;

    #[test]
    fn long_lines_continue_beside_the_names_of_the_checks() {
        let profiles = Profiles::builtin().unwrap();
        let checks: Vec<_> = profiles.iter().map(confinement_line).collect();
        let widest = |lines: &[Line]| {
            let widths = lines.iter().map(|line| display_width(&line.to_string()));
            widths.max().unwrap_or_default()
        };
        assert!(widest(&checks) > 80, "no line needs to be wrapped");
        let count = checks.len();
        let wrapped = wrap_beside_names(checks, 80);
        assert!(wrapped.len() > count && widest(&wrapped) <= 80);
        for line in wrapped.iter().map(ToString::to_string) {
            let text = line.get(TEXT_COLUMN..).unwrap_or_default();
            assert!(
                line.starts_with("  reads     ") || line.starts_with(&" ".repeat(TEXT_COLUMN)),
                "{line}"
            );
            assert!(!text.starts_with(' '), "{line}");
        }
    }
}

//! Rejects profiles, including the user's own, that would start a tool in a debate with forbidden
//! arguments or settings.

use super::refused::{
    Grants, MODES, PERMISSIVE, PermissionBypass, VALUES, VARIABLES, contains_forbidden_word,
    permission_bypass,
};
use super::{Acp, Cli, Profile};

/// The exceptions for a debate: reading and searching.
pub(super) const SEAT: Grants = Grants {
    words: &[],
    refused_words: &[],
    arguments: &[],
    allow_tool: &[],
    rules: &[],
    keys: &["read", "grep", "glob", "list"],
    // Gemini's `glob` is not allowed, because its patterns can lead out of the folder.
    tools: &["read_file", "list_directory", "grep_search"],
};

pub(super) fn check(profile: &Profile) -> Result<(), PermissionBypass> {
    SEAT.check_arguments("version.args", &profile.version.args)?;
    SEAT.check_arguments("login.args", &profile.login.args)?;
    profile.cli.as_ref().map_or(Ok(()), check_cli)?;
    profile.acp.as_ref().map_or(Ok(()), check_acp)?;
    for args in profile.probe.iter().flat_map(|probe| &probe.help) {
        SEAT.check_arguments("probe.help", args)?;
    }
    for name in profile.env.pass.iter().chain(profile.env.set.keys()) {
        if VARIABLES.contains(&name.as_str()) {
            return Err(permission_bypass("env", name));
        }
    }
    for (name, text) in profile.env.set.iter().chain(&profile.env.merge) {
        SEAT.check_value(&format!("env.{name}"), text)?;
    }
    let skills = profile.skills.iter();
    for args in skills.map(|skills| &skills.args) {
        SEAT.check_arguments("skills.args", args)?;
    }
    let passage = profile.passage.iter().map(|it| &it.variable);
    for name in passage.chain(profile.skills.iter().map(|it| &it.variable)) {
        if VARIABLES.contains(&name.as_str()) {
            return Err(permission_bypass("env", name));
        }
    }
    for (name, text) in &profile.files {
        let place = format!("files.{name}");
        SEAT.check_file(&place, text)?;
    }
    Ok(())
}

fn check_cli(cli: &Cli) -> Result<(), PermissionBypass> {
    let each = cli.no_mcp_each.as_ref();
    let session = cli.session.as_ref();
    let lists = [
        ("cli.args", Some(&cli.args)),
        ("cli.model", Some(&cli.model)),
        ("cli.read_only", Some(&cli.read_only)),
        ("cli.reads", Some(&cli.reads)),
        ("cli.no_mcp", Some(&cli.no_mcp)),
        ("cli.no_mcp_each.args", each.map(|each| &each.args)),
        ("cli.session.none", session.map(|session| &session.none)),
        ("cli.session.first", session.map(|session| &session.first)),
        ("cli.session.again", session.map(|session| &session.again)),
    ];
    for (place, list) in lists {
        SEAT.check_arguments(place, list.map_or(&[], Vec::as_slice))?;
    }
    for (effort, list) in &cli.effort {
        SEAT.check_arguments(&format!("cli.effort.{effort}"), list)?;
    }
    for (name, turns) in [("turns", &cli.turns), ("reading_turns", &cli.reading_turns)] {
        for (effort, list) in turns {
            SEAT.check_arguments(&format!("cli.{name}.{effort}"), list)?;
        }
    }
    Ok(())
}

fn check_acp(acp: &Acp) -> Result<(), PermissionBypass> {
    let each = acp.no_mcp_each.as_ref();
    let lists = [
        ("acp.args", Some(&acp.args)),
        ("acp.model", Some(&acp.model)),
        ("acp.no_mcp", Some(&acp.no_mcp)),
        ("acp.no_mcp_each.args", each.map(|each| &each.args)),
    ];
    for (place, list) in lists {
        SEAT.check_arguments(place, list.map_or(&[], Vec::as_slice))?;
    }
    for (place, held) in acp.confinements() {
        SEAT.check_arguments(&format!("{place}.args"), &held.args)?;
        SEAT.check_value(&format!("{place}.meta"), &held.meta)?;
        for mode in &held.modes {
            let name = mode.rsplit(['#', '/']).next().unwrap_or(mode);
            if contains_forbidden_word(mode) || MODES.contains(&name.to_lowercase().as_str()) {
                return Err(permission_bypass(&format!("{place}.modes"), mode));
            }
        }
        for (option, choice) in &held.options {
            let on = PERMISSIVE.contains(&option.as_str()) && choice != "off" && choice != "false";
            if on || contains_forbidden_word(choice) || VALUES.contains(&choice.as_str()) {
                return Err(permission_bypass(
                    &format!("{place}.options.{option}"),
                    choice,
                ));
            }
        }
        for (name, text) in held.set.iter().chain(&held.merge) {
            if VARIABLES.contains(&name.as_str()) {
                return Err(permission_bypass(place, name));
            }
            SEAT.check_value(&format!("{place}.{name}"), text)?;
            if MODES.contains(&text.to_lowercase().as_str()) {
                return Err(permission_bypass(&format!("{place}.{name}"), text));
            }
        }
    }
    Ok(())
}

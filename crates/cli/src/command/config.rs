//! `agon config`: shows, edits and checks the configuration.

mod consent;

use agon_caller::settings_file::Whose;
use agon_install::configuration;
use agon_install::configuration::{
    CheckedConfiguration, ConfigFile, ConfigPart, ConfigWritten, ConfigurationRequest, SettingDoc,
    TeamSettingDoc, configuration,
};
use agon_report::text::plain_line;

use crate::args::{ConfigCommand, ConfigOwnerArgs, ConfigShowArgs, Global, PartName};
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::{Out, align_columns};
use crate::pager;
use crate::surroundings::Surroundings;

/// Runs `agon config`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: &ConfigCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        ConfigCommand::Show(args) => show(edge, global, args, out),
        ConfigCommand::Path => print_files(edge, global, out),
        ConfigCommand::Check => check(edge, global, out),
        ConfigCommand::Init(args) => {
            let written = configuration::write_commented_file(edge, config_owner(*args))?;
            out.eprint_line("wrote every key, commented out; to edit the file: agon config edit");
            print_written(&written, global, out)
        }
        ConfigCommand::Edit(args) => {
            if !edge.terminal {
                let message = "an editor needs a terminal";
                return Err(Failure::new(Code::NoTerminal, message)
                    .hint("open the file yourself; `agon config path` prints its path"));
            }
            configuration::edit(edge, config_owner(*args)).await?;
            check(edge, global, out)
        }
        ConfigCommand::Consent(args) => consent::run(edge, global, args, out),
    }
}

fn config_owner(args: ConfigOwnerArgs) -> Whose {
    match args.project {
        true => Whose::Project,
        false => Whose::User,
    }
}

/// Prints every value that is set, and the keys that are not set.
fn show(
    edge: &Surroundings,
    global: &Global,
    args: &ConfigShowArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = ConfigurationRequest {
        with_sources: args.sources,
        parts: args.parts.iter().map(|part| config_part(*part)).collect(),
        team_profile: args.team_profile.clone(),
    };
    let document = configuration(edge, &request)?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    pager::begin(edge, global, out);
    let row = |setting: &SettingDoc| setting_row(&setting.key, &setting.value, &setting.source);
    out.write_stdout(&align_columns(
        &document.settings.iter().map(row).collect::<Vec<_>>(),
        edge.table_width,
    ))?;
    if !document.unset.is_empty() {
        out.write_line(&format!("# not set: {}", document.unset.join(", ")))?;
    }
    let asks_for_team = args.sources || !args.parts.is_empty() || args.team_profile.is_some();
    if !asks_for_team && !document.team.is_empty() && !configuration::sets_team_setting(edge) {
        let hint = "agon config show agents flags profiles teams mcp";
        out.write_line(&format!("# no team settings; to see the defaults: {hint}"))?;
        return Ok(Exit::Done);
    }
    for settings in document.team.chunk_by(|one, next| one.file == next.file) {
        print_team_file(edge, settings, out)?;
    }
    Ok(Exit::Done)
}

/// Prints the team settings of one file.
fn print_team_file(
    edge: &Surroundings,
    settings: &[TeamSettingDoc],
    out: &mut Out,
) -> Result<(), Failure> {
    let Some(first) = settings.first() else {
        return Ok(());
    };
    let row = |setting: &TeamSettingDoc| setting_row(&setting.key, &setting.value, &setting.source);
    out.write_line(&format!("\n# team settings: {}", first.file))?;
    out.write_stdout(&align_columns(
        &settings.iter().map(row).collect::<Vec<_>>(),
        edge.table_width,
    ))
}

fn setting_row(key: &str, value: &str, source: &Option<String>) -> [String; 2] {
    let source = source.as_ref();
    let source = source.map(|from| format!("# {}", plain_line(from)));
    [
        plain_line(&format!("{key} = {value}")),
        source.unwrap_or_default(),
    ]
}

fn config_part(name: PartName) -> ConfigPart {
    match name {
        PartName::Config => ConfigPart::Config,
        PartName::Agents => ConfigPart::Agents,
        PartName::Flags => ConfigPart::Flags,
        PartName::Profiles => ConfigPart::Profiles,
        PartName::Teams => ConfigPart::Teams,
        PartName::Mcp => ConfigPart::Mcp,
    }
}

fn print_files(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let document = configuration::files(edge);
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    let mut rows = file_rows(&document.files);
    rows.extend(team_rows(&document.team));
    out.write_stdout(&align_columns(&rows, edge.table_width))?;
    Ok(Exit::Done)
}

/// Returns rows for the existing files of team settings, and for the folders of missing ones.
fn team_rows(files: &[ConfigFile]) -> Vec<[String; 3]> {
    let mut rows = Vec::new();
    for files in files.chunk_by(|one, next| one.whose == next.whose) {
        let whose = match files.first().map(|file| file.whose) {
            Some(Whose::Project) => "team, this project",
            Some(Whose::User) | None => "team, yours",
        };
        let there = files.iter().filter(|file| file.exists);
        let there = there.map(|file| {
            let path = plain_line(&file.path.display().to_string());
            [whose.to_owned(), path, String::new()]
        });
        rows.extend(there);
        let missing = files.iter().filter(|file| !file.exists);
        let missing: Vec<_> = missing
            .filter_map(|file| Some(file.path.file_name()?.to_string_lossy().into_owned()))
            .collect();
        let folder = files.first().and_then(|file| file.path.parent());
        if let Some(folder) = folder.filter(|_| !missing.is_empty()) {
            let folder = plain_line(&folder.display().to_string());
            let state = format!("missing: {}", missing.join(", "));
            rows.push([whose.to_owned(), folder, state]);
        }
    }
    rows
}

fn file_rows(files: &[ConfigFile]) -> Vec<[String; 3]> {
    let row = |file: &ConfigFile| {
        let [whose, init] = match file.whose {
            Whose::User => ["yours", "agon config init"],
            Whose::Project => ["this project", "agon config init --project"],
        };
        let state = match file.exists {
            true => String::new(),
            false => format!("missing; create it: {init}"),
        };
        let path = plain_line(&file.path.display().to_string());
        [whose.to_owned(), path, state]
    };
    files.iter().map(row).collect()
}

fn print_written(written: &ConfigWritten, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    match global.json {
        true => out.write_json(written)?,
        false => out.write_line(&plain_line(&written.path.display().to_string()))?,
    }
    Ok(Exit::Done)
}

/// Prints the problems of the configuration; exits with 3 if there is one.
fn check(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let checked = configuration::check(edge);
    let exit = match checked.problems.is_empty() {
        true => Exit::Done,
        false => FailureKind::Config.into(),
    };
    match global.json {
        true => out.write_json(&checked)?,
        false => print_checked(&checked, out)?,
    }
    Ok(exit)
}

fn print_checked(checked: &CheckedConfiguration, out: &mut Out) -> Result<(), Failure> {
    for problem in &checked.problems {
        // Remove control characters, because the message quotes text from the file.
        let message = match problem.path {
            Some(_) => plain_line(&problem.message),
            None => problem.message.clone(),
        };
        out.write_line(&format!("error: {message}"))?;
        if let Some(hint) = &problem.hint {
            out.write_line(&format!("  hint: {hint}"))?;
        }
    }
    if checked.problems.is_empty() {
        let all = checked.files.iter().chain(&checked.team);
        let read = all.filter(|file| file.exists);
        let read: Vec<_> = read
            .map(|file| plain_line(&file.path.display().to_string()))
            .collect();
        out.write_line(&match read.is_empty() {
            true => "no configuration files; the defaults apply: agon config show".to_owned(),
            false => format!("valid: {}", read.join(", ")),
        })?;
    }
    for name in &checked.unknown_variables {
        out.eprint_warning(&format!(
            "{} is not a setting and is ignored",
            plain_line(name)
        ));
    }
    Ok(())
}

//! `agon config`: the configuration that holds here, its files, and what is wrong with them.

use agon_app::configuration::{
    self, CheckedConfiguration, ConfigFile, ConfigWritten, SettingDoc, Whose, configuration,
};
use agon_report::text::plain_line;

use crate::args::{ConfigCommand, Global, WhoseArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, align_columns};

/// Runs `agon config`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: &ConfigCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        ConfigCommand::Show { sources } => show(edge, global, *sources, out),
        ConfigCommand::Path => print_files(edge, global, out),
        ConfigCommand::Check => check(edge, global, out),
        ConfigCommand::Init(args) => {
            let written = configuration::write_commented_file(edge, whose(*args))?;
            out.eprint_line("every key is in it, commented out; agon config edit opens it");
            print_written(&written, global, out)
        }
        ConfigCommand::Edit(args) => {
            if !edge.terminal {
                let message = "an editor needs a terminal";
                return Err(Failure::new(FailureKind::Usage, "no_terminal", message)
                    .hint("`agon config path` says where the file is"));
            }
            configuration::edit(edge, whose(*args)).await?;
            check(edge, global, out)
        }
    }
}

fn whose(args: WhoseArgs) -> Whose {
    match args.project {
        true => Whose::Project,
        false => Whose::User,
    }
}

/// Prints every value that is set, and the keys that are not.
fn show(
    edge: &Surroundings,
    global: &Global,
    sources: bool,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = configuration(edge, sources)?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    let row = |setting: &SettingDoc| {
        let source = setting.source.as_ref().map(|from| format!("# {from}"));
        let set = format!("{} = {}", setting.key, setting.value);
        [set, source.unwrap_or_default()]
    };
    out.write_stdout(&align_columns(
        &document.settings.iter().map(row).collect::<Vec<_>>(),
        edge.table_width,
    ))?;
    out.write_line(&format!("# not set: {}", document.unset.join(", ")))?;
    Ok(Exit::Done)
}

fn print_files(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let document = configuration::files(edge);
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    out.write_stdout(&align_columns(
        &file_rows(&document.files),
        edge.table_width,
    ))?;
    Ok(Exit::Done)
}

fn file_rows(files: &[ConfigFile]) -> Vec<[String; 3]> {
    let row = |file: &ConfigFile| {
        let [whose, init] = match file.whose {
            Whose::User => ["yours", "agon config init"],
            Whose::Project => ["the project's", "agon config init --project"],
        };
        let state = match file.exists {
            true => String::new(),
            false => format!("not there yet: {init}"),
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

/// Says what is wrong with the configuration; exit 3 if anything is.
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
        out.write_line(&format!("error: {}", problem.message))?;
        if let Some(hint) = &problem.hint {
            out.write_line(&format!("  hint: {hint}"))?;
        }
    }
    if checked.problems.is_empty() {
        let read = checked.files.iter().filter(|file| file.exists);
        let read: Vec<_> = read
            .map(|file| plain_line(&file.path.display().to_string()))
            .collect();
        out.write_line(&match read.is_empty() {
            true => "there is no file, and the defaults hold: agon config show".to_owned(),
            false => format!("good: {}", read.join(", ")),
        })?;
    }
    for name in &checked.unknown_variables {
        out.eprint_warning(&format!("{} means nothing to agon", plain_line(name)));
    }
    Ok(())
}

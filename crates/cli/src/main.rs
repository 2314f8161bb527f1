//! Makes AI tools argue a decision, checks them, and gives a verdict that can be audited.

mod args;
mod asking;
mod command;
mod documents;
mod error;
#[cfg(feature = "failpoints")]
mod failpoints;
mod front;
mod guard;
mod keys;
mod outcome;
mod output;
mod pager;
mod person;
#[cfg(test)]
mod reference;
mod replaying;
mod schema;
mod screen;
mod stop;
mod surroundings;
mod telemetry;
mod version;
mod wrap;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::{Cli, Command, Global};
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::Out;
use crate::surroundings::Surroundings;

fn main() -> ExitCode {
    if let Some(code) = guard::run_guard_if_wanted() {
        return code;
    }
    args::complete_if_asked();
    agon_caller::guard::adopt_orphans();
    let mut out = Out::of_process();
    let mut words = std::env::args_os();
    let program = words.next().unwrap_or_default();
    let words: Vec<_> = words.collect();
    if words.is_empty() {
        return end(print_start_screen(&mut out), false, &mut out);
    }
    if let Some(answer) = version::answer(&words) {
        // Ignore a broken pipe, as for a help.
        drop(out.write_stdout(&answer));
        return Exit::Done.into();
    }
    let cli = match Cli::parse_words(&program, &words) {
        Ok(cli) => cli,
        Err(error) => return print_parse_error(error, &mut out),
    };
    end(run_with_pager(&cli, &mut out), cli.global.json, &mut out)
}

/// Prints the screen of `agon` without arguments, even with an invalid configuration.
fn print_start_screen(out: &mut Out) -> Result<Exit, Failure> {
    let edge = read_surroundings(&Global::default()).map_err(environment_failure)?;
    let edge = match agon_caller::settings::describe_broken_settings(&edge) {
        Some(_) => edge.without_invalid_settings(),
        None => edge,
    };
    block_on(command::here::run(&edge, out))
}

fn environment_failure(error: std::io::Error) -> Failure {
    Failure::from_error(Code::Environment, &error)
}

/// Reports a failure and returns the exit code.
fn end(done: Result<Exit, Failure>, json: bool, out: &mut Out) -> ExitCode {
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => {
            out.report_failure(&failure, json);
            Exit::from(failure.kind).into()
        }
    }
}

/// Prints help and version to stdout, and parse errors to stderr or, with `--json`, as a document.
fn print_parse_error(mut error: clap::Error, out: &mut Out) -> ExitCode {
    // Remove clap's tip to pass an unknown flag as a value, which does not help after a typo. Its
    // tip with a similar flag stays.
    if error.kind() == ErrorKind::UnknownArgument {
        error.remove(ContextKind::Suggested);
    }
    let error = &error;
    let mut words = std::env::args_os().skip(1);
    if error.use_stderr()
        && words
            .find(|word| !word.to_string_lossy().starts_with('-'))
            .is_some_and(|word| word == "ops")
    {
        return command::ops::print_usage_error(error, out).into();
    }
    let json = std::env::args_os().any(|arg| arg == "--json");
    if error.use_stderr() && json {
        let text = error.to_string();
        let what = text
            .trim_start_matches("error: ")
            .lines()
            .next()
            .unwrap_or_default();
        let kind = error.kind();
        let code = if kind == ErrorKind::MissingRequiredArgument {
            Code::MissingParameter
        } else if matches!(kind, ErrorKind::InvalidValue | ErrorKind::ValueValidation) {
            Code::InvalidParameter
        } else {
            Code::Usage
        };
        let mut failure =
            Failure::new(code, what).hint("see `agon --help` or `agon COMMAND --help`");
        failure.parameter = invalid_parameter_name(error);
        out.report_failure(&failure, true);
        return Exit::from(failure.kind).into();
    }
    if error.use_stderr() {
        // Ignore a broken pipe: the usage error decides the exit code.
        drop(error.print());
        return Exit::from(FailureKind::Usage).into();
    }
    print_help(&error.render().ansi().to_string(), out);
    Exit::Done.into()
}

/// Prints a help or the version, through the pager if it is long. Ignores a broken pipe.
fn print_help(text: &str, out: &mut Out) {
    let global = Global {
        no_pager: std::env::args_os().any(|arg| arg == "--no-pager"),
        ..Global::default()
    };
    let edge = read_surroundings(&global).ok();
    if let Some(edge) = &edge {
        pager::begin(edge, &global, out);
    }
    drop(out.write_stdout(text));
    if let Some(edge) = &edge {
        drop(pager::end(edge, out));
    }
}

/// Returns the name of the invalid parameter, without its dashes.
fn invalid_parameter_name(error: &clap::Error) -> Option<String> {
    let named = error.get(ContextKind::InvalidArg)?;
    let named = if let ContextValue::Strings(all) = named {
        all.first()?.clone()
    } else {
        named.to_string()
    };
    let name = named.trim_start_matches(['-', '[', '<']);
    let end = name.find([' ', '=', '>', ']', '.']).unwrap_or(name.len());
    let name = name.get(..end)?.to_lowercase();
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        .then_some(name)
}

/// Returns the surroundings of this process, with the global flags.
fn read_surroundings(global: &Global) -> std::io::Result<Surroundings> {
    let debates_dir = global.debates_dir.as_deref();
    Surroundings::of_process(debates_dir, global.profile.as_deref(), global.width)
}

fn run_with_pager(cli: &Cli, out: &mut Out) -> Result<Exit, Failure> {
    let mut edge = read_surroundings(&cli.global).map_err(environment_failure)?;
    edge.live_detail = cli.command.live_detail();
    out.enable_wrapping(&edge);
    if edge.terminal && !cli.global.json {
        out.enable_questions();
    }
    let done = dispatch(cli, &edge, out);
    // Show the collected output first; `main` prints the error after it.
    pager::end(&edge, out)?;
    done
}

/// Whether a command only reads or stops debates, and so works with an invalid configuration.
fn works_without_settings(command: &Command) -> bool {
    // A narrator needs valid settings, because its call counts against the monthly token limit.
    if let Command::Report(args) = command {
        return args.narrator.is_none();
    }
    matches!(
        command,
        Command::List(_)
            | Command::Show(_)
            | Command::Check(_)
            | Command::Replay(_)
            | Command::Recall(_)
            | Command::Graph(_)
            | Command::Usage(_)
            | Command::Open(_)
            | Command::Watch(_)
            | Command::Wait(_)
            | Command::Stop(_)
            | Command::Demo(_)
            | Command::Tools { .. }
    )
}

fn dispatch(cli: &Cli, edge: &Surroundings, out: &mut Out) -> Result<Exit, Failure> {
    #[cfg(feature = "failpoints")]
    if let Some(point) = edge.vars.get("AGON_FAILPOINT") {
        failpoints::arm(point)?;
    }
    let global = &cli.global;
    if matches!(
        cli.command,
        Command::Debate(_)
            | Command::Batch(_)
            | Command::Trial(_)
            | Command::Consult(_)
            | Command::Review(_)
            | Command::New(_)
            | Command::Run(_)
    ) {
        warn_of_unknown_variables(edge, out);
    }
    let sound;
    let edge = match works_without_settings(&cli.command)
        .then(|| agon_caller::settings::describe_broken_settings(edge))
        .flatten()
    {
        Some(what) => {
            out.eprint_line(&format!(
                "note: {what}; this command ignores these settings (see: agon config check)"
            ));
            sound = edge.without_invalid_settings();
            &sound
        }
        None => edge,
    };
    match &cli.command {
        Command::Debate(args) => block_on(command::debate::run(edge, global, args, out)),
        Command::Consult(args) => block_on(command::consult::run(edge, global, args, out)),
        Command::Review(args) => block_on(command::review::run(edge, global, args, out)),
        Command::Batch(args) => block_on(command::batch::run(edge, global, args, out)),
        Command::Trial(args) => block_on(command::trial::run(edge, global, args, out)),
        Command::New(args) => block_on(command::new::run(edge, global, args, out)),
        Command::Run(args) => block_on(command::run::run(edge, global, args, out)),
        Command::Resume(args) => block_on(command::resume::run(edge, global, args, out)),
        Command::Continue(args) => block_on(command::continued::run(edge, global, args, out)),
        Command::Say(args) => block_on(command::say::run(edge, global, args, out)),
        Command::Decide(args) => block_on(command::decide::run(edge, global, args, out)),
        Command::Judge(args) => block_on(command::judge::run(edge, global, args, out)),
        Command::Stop(args) => block_on(command::stop::run(edge, global, args, out)),
        Command::Init(args) => block_on(command::init::run(edge, global, *args, out)),
        Command::Tools { command } => {
            block_on(command::tools::run(edge, global, command.as_ref(), out))
        }
        Command::Replay(args) => block_on(command::replay::run(edge, global, args, out)),
        Command::Demo(args) => block_on(command::demo::run(edge, global, args, out)),
        Command::Model { command } => block_on(command::model::run(edge, global, command, out)),
        Command::Watch(args) => block_on(command::watch::run(edge, global, args, out)),
        Command::Wait(args) => command::wait::run(edge, global, args, out),
        Command::Show(args) => command::show::run(edge, global, args, out),
        Command::Ask(args) => block_on(command::ask::run(edge, global, args, out)),
        Command::List(args) => command::list::run(edge, global, args, out),
        Command::Recall(args) => command::recall::run(edge, global, args, out),
        Command::Context(args) => match args.examiner() {
            Some(examiner) => {
                block_on(command::context::examine(edge, global, args, examiner, out))
            }
            None => command::context::run(edge, global, args, out),
        },
        Command::Usage(args) => command::usage::run(edge, global, args, out),
        Command::Check(args) => command::check::run(edge, global, args, out),
        Command::Evidence(args) => command::evidence::run(edge, global, args, out),
        Command::Report(args) => block_on(command::report::run(edge, global, args, out)),
        Command::Open(args) => block_on(command::open::run(edge, global, args, out)),
        Command::Web(args) => block_on(command::web::run(edge, global, args, out)),
        Command::Rm(args) => command::rm::run(edge, global, args, out),
        Command::Graph(args) => command::graph::run(edge, global, args, out),
        Command::Rules { command } => command::rules::run(edge, global, command.as_ref(), out),
        Command::Errors { code } => command::errors::run(edge, global, code.as_deref(), out),
        Command::Ops { command } => Ok(command::ops::run(edge, command, out)),
        Command::Schema(args) => command::schema::run(edge, global, args, out),
        Command::Config { command } => block_on(command::config::run(edge, global, command, out)),
        Command::Completions { shell } => command::completions::run(edge, global, *shell, out),
        Command::Acp => block_on(command::acp::run(edge, global)),
        Command::Mcp => block_on(command::mcp::run(edge, global, out)),
        Command::Hook(args) => block_on(command::hook::run(edge, global, args, out)),
        Command::Install(args) => command::install::install(edge, global, args, out),
        Command::Uninstall(args) => command::install::uninstall(edge, global, args, out),
        Command::Hosts(args) => block_on(command::hosts::run(edge, global, args, out)),
        Command::Roster(args) => command::roster::run(edge, global, args, out),
        Command::Skills { command } => command::skills::run(edge, global, command, out),
        Command::Team { command } => block_on(command::team::run(edge, global, command, out)),
        Command::Man => command::man::run(edge, global, out),
    }
}

/// Warns of `AGON_` variables that are not settings, such as mistyped ones.
fn warn_of_unknown_variables(edge: &Surroundings, out: &mut Out) {
    for name in agon_install::configuration::unknown_variables(edge) {
        let name = agon_report::text::plain_line(&name);
        out.eprint_warning(&format!(
            "{name} is not a setting and is ignored; `agon config show` lists all settings"
        ));
    }
}

/// Runs asynchronous work on this thread.
fn block_on<F: Future<Output = Result<Exit, Failure>>>(work: F) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::from_error(Code::Runtime, &error))?;
    runtime.block_on(tokio::task::LocalSet::new().run_until(work))
}

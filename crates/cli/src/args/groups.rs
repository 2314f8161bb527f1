//! The groups of commands in `agon --help`, and the two levels of detail of a help.

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::{Command, CommandFactory};

use super::Cli;

#[cfg(test)]
mod reference;

/// A group of commands in the help.
struct CommandGroup {
    heading: &'static str,
    /// Commands that the short help describes, in the order in which people need them.
    common: &'static [&'static str],
    /// Commands that the short help only names.
    others: &'static [&'static str],
}

const GROUPS: [CommandGroup; 7] = [
    CommandGroup {
        heading: "Decide",
        common: &["debate", "consult", "continue", "resume", "demo"],
        others: &["review", "batch", "trial"],
    },
    CommandGroup {
        heading: "Read",
        common: &["show", "list", "web", "open", "report"],
        others: &["recall", "ask", "usage", "rm"],
    },
    CommandGroup {
        heading: "Set up",
        common: &["init", "tools", "install", "config"],
        others: &[
            "uninstall",
            "hosts",
            "model",
            "completions",
            "man",
            "schema",
            "errors",
        ],
    },
    CommandGroup {
        heading: "Steer",
        common: &[],
        others: &["watch", "say", "judge", "stop", "wait", "decide"],
    },
    CommandGroup {
        heading: "Verify",
        common: &[],
        others: &["check", "evidence", "replay", "graph", "rules"],
    },
    CommandGroup {
        heading: "Formal debates",
        common: &[],
        others: &["new", "run", "ops"],
    },
    CommandGroup {
        heading: "In your AI tools",
        common: &[],
        others: &["team", "roster", "skills", "context", "mcp", "acp", "hook"],
    },
];

/// The level of detail of a help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HelpDetail {
    /// The options that most people need, on one screen.
    Common,
    /// Every command and option.
    All,
}

impl HelpDetail {
    /// Returns the detail that the words of a command line ask for.
    pub(crate) fn of_words(words: &[OsString]) -> Self {
        match words.iter().any(|word| word == "--help-all") {
            true => Self::All,
            false => Self::Common,
        }
    }
}

/// Returns the command line, with its commands in groups and with helps of this detail.
pub(crate) fn command(detail: HelpDetail) -> Command {
    let command = Cli::command();
    let groups = match detail {
        HelpDetail::Common => common_group_lines(&command),
        HelpDetail::All => group_lines(&command),
    };
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    );
    let command = IDLE_FLAGS
        .iter()
        .fold(command.help_template(template), hide_flags);
    with_detail(command, detail)
}

/// Gives a command and its subcommands helps of this detail. Both levels use the layout of clap's
/// short help, because the long one puts each description on a separate line.
fn with_detail(command: Command, detail: HelpDetail) -> Command {
    let mut command = command.mut_args(|arg| match (arg.is_hide_short_help_set(), detail) {
        (false, _) => arg,
        (true, HelpDetail::Common) => arg.hide(true),
        (true, HelpDetail::All) => arg.hide_short_help(false),
    });
    let short = command.get_after_help();
    let text = match detail {
        HelpDetail::Common => short,
        HelpDetail::All => command.get_after_long_help().or(short),
    };
    let text = text.map(|text| join_lines(&text.to_string()));
    if let Some(text) = text {
        // Remove the text of the long help: with it, `agon help debate` would use the layout of the
        // long help.
        command = command.after_help(text).after_long_help(Resettable::Reset);
    }
    command.mut_subcommands(|below| with_detail(below, detail))
}

/// Joins the lines of each paragraph, so that only clap wraps it; keeps examples and lists.
fn join_lines(text: &str) -> String {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut out = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines() {
        let continues = is_prose(before) && !before.ends_with(':') && is_prose(line);
        if !out.is_empty() {
            out.push(if continues { ' ' } else { '\n' });
        }
        out.push_str(line);
        before = line;
    }
    out
}

/// The global flags that have no effect in a command.
const IDLE_FLAGS: [(&str, &[&str]); 15] = [
    ("install", &["debates_dir", "profile"]),
    ("uninstall", &["debates_dir", "profile"]),
    ("hosts", &["debates_dir", "profile"]),
    ("roster", &["debates_dir", "profile"]),
    ("context", &["debates_dir"]),
    ("skills", &["debates_dir", "profile"]),
    ("team", &["debates_dir", "profile"]),
    ("hook", &["json", "debates_dir", "profile"]),
    ("completions", &["json", "debates_dir", "profile"]),
    ("man", &["json", "debates_dir", "profile"]),
    ("schema", &["debates_dir", "profile"]),
    ("errors", &["debates_dir", "profile"]),
    ("rules", &["debates_dir", "profile"]),
    ("model", &["debates_dir"]),
    ("ops", &["json"]),
];

/// Hides flags in the help of a command and its subcommands; the flags still parse.
fn hide_flags(command: Command, (name, flags): &(&'static str, &[&str])) -> Command {
    let hidden: Vec<_> = command
        .get_arguments()
        .filter(|flag| flags.contains(&flag.get_id().as_str()))
        .map(|flag| flag.clone().hide(true))
        .collect();
    // Add a hidden flag of the same id, because clap then does not add the visible global one.
    let with_hidden = |under: Command| {
        let names: Vec<_> = under
            .get_subcommands()
            .map(|it| it.get_name().to_owned())
            .collect();
        let own = under.args(hidden.clone());
        names.iter().fold(own, |under, name| {
            under.mut_subcommand(name, |it| it.args(hidden.clone()))
        })
    };
    command.mut_subcommand(name, with_hidden)
}

/// Returns every command with its description, by group.
fn group_lines(command: &Command) -> String {
    let groups = GROUPS.iter().map(|group| {
        let names = group.common.iter().chain(group.others);
        described_lines(command, group.heading, names)
    });
    groups.collect()
}

/// Returns the common commands with their descriptions, then one line of names per group.
fn common_group_lines(command: &Command) -> String {
    let common = GROUPS.iter().filter(|group| !group.common.is_empty());
    let mut lines: String = common
        .map(|group| described_lines(command, group.heading, group.common))
        .collect();
    lines.push_str("More commands:\n");
    let others = GROUPS.iter().filter(|group| !group.others.is_empty());
    let wide = GROUPS.iter().map(|group| group.heading.len()).max();
    for group in others {
        let (heading, names) = (group.heading, group.others.join(", "));
        lines.push_str(&format!(
            "  {heading:<wide$}  {names}\n",
            wide = wide.unwrap_or(0)
        ));
    }
    lines.push('\n');
    lines
}

fn described_lines<'a>(
    command: &Command,
    heading: &str,
    names: impl IntoIterator<Item = &'a &'a str>,
) -> String {
    let all = GROUPS
        .iter()
        .flat_map(|it| it.common.iter().chain(it.others));
    let width = all.map(|name| name.len()).max().unwrap_or(0);
    let mut lines = format!("{heading}:\n");
    for name in names {
        let about = command.find_subcommand(name).and_then(Command::get_about);
        let about = about.map(ToString::to_string).unwrap_or_default();
        lines.push_str(&format!("  {name:<width$}  {about}\n"));
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined_and_examples_stay() {
        let text =
            "One call, two if\nit fails.\n\nExamples:\n  agon ask\n  agon show\nThe end\nis here.";
        let joined =
            "One call, two if it fails.\n\nExamples:\n  agon ask\n  agon show\nThe end is here.";
        assert_eq!(join_lines(text), joined);
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut known: Vec<_> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        let names = |group: &CommandGroup| [group.common, group.others].concat();
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(names).collect();
        known.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, known);
    }

    /// Collects the helps of a command and its subcommands, by command line.
    fn helps(command: &mut Command, above: &str, found: &mut Vec<(String, String)>) {
        let name = format!("{above} {}", command.get_name());
        found.push((name.clone(), command.render_help().to_string()));
        for below in command.get_subcommands_mut() {
            helps(below, &name, found);
        }
    }

    fn all_helps(detail: HelpDetail) -> Vec<(String, String)> {
        let mut command = command(detail);
        command.build();
        let mut found = Vec::new();
        helps(&mut command, "", &mut found);
        assert!(found.len() > 90, "{}", found.len());
        found
    }

    /// Collects the lines of `after_help` that keep their layout: examples and lists.
    fn fixed_lines(command: &Command, found: &mut Vec<String>) {
        let texts = [command.get_after_help(), command.get_after_long_help()];
        for text in texts.into_iter().flatten() {
            let text = text.to_string();
            let fixed = text.lines().filter(|line| line.starts_with(' '));
            found.extend(fixed.map(str::to_owned));
        }
        for below in command.get_subcommands() {
            fixed_lines(below, found);
        }
    }

    #[test]
    fn no_line_of_an_example_is_broken_in_two() {
        let mut lines = Vec::new();
        fixed_lines(&Cli::command(), &mut lines);
        let wide: Vec<_> = lines.iter().filter(|it| it.chars().count() > 98).collect();
        assert_eq!(wide, Vec::<&String>::new());
    }

    #[test]
    fn no_help_has_a_line_of_more_than_98_columns() {
        let helps = [HelpDetail::Common, HelpDetail::All]
            .into_iter()
            .flat_map(all_helps);
        let wide = helps.flat_map(|(name, help)| {
            // A usage is one line, because users copy it.
            let lines = help.lines().filter(|line| !line.starts_with("Usage:"));
            let lines = lines.filter(|line| line.chars().count() > 98);
            lines
                .map(|line| format!("{name}: {line}"))
                .collect::<Vec<_>>()
        });
        assert_eq!(wide.collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn a_help_fits_on_a_screen_and_the_whole_one_has_every_option() {
        let common = all_helps(HelpDetail::Common);
        let lines = |name: &str| {
            let (_, help) = common.iter().find(|(it, _)| it == name).unwrap();
            help.lines().count()
        };
        assert!(lines(" agon") <= 45, "{}", lines(" agon"));
        assert!(lines(" agon debate") <= 40, "{}", lines(" agon debate"));
        let command = Cli::command();
        let debate = command.find_subcommand("debate").unwrap();
        let all = all_helps(HelpDetail::All);
        let (_, whole) = all.iter().find(|(it, _)| it == " agon debate").unwrap();
        let shown = debate.get_arguments().filter(|arg| !arg.is_hide_set());
        for flag in shown.filter_map(|arg| arg.get_long()) {
            assert!(whole.contains(&format!("--{flag}")), "{flag}\n{whole}");
        }
    }
}

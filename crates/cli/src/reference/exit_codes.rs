//! `docs/exit-codes.md`: what each exit code means, and the error codes that have it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use agon_caller::errors;

use super::check_generated;
use crate::args::{HelpDetail, command};
use crate::error::Exit;

const INTRODUCTION: &str = "\
# Exit codes

The exit code says how the command ended. It does not say who won a debate: read `winner` and
`answer` with `agon show --json`. This page is generated from the program.

```text
";

const SCRIPTS: &str = "
## In scripts

`agon debate`, `resume`, `continue`, `run` and `watch` exit 0 once a judge ruled, whatever the
authority of the verdict. `--exit-code` (or `--require full`) exits 7 for every verdict with less
than full authority. `agon wait` exits 0 in every state, and `agon wait --exit-code` exits as
`agon debate --exit-code` does.

## Error codes by exit code

Every failure under `--json` has one of these [codes](errors.md).

| exit code | error codes |
|---|---|
";

#[test]
fn the_page_of_exit_codes_is_what_the_program_says() {
    let mut root = command(HelpDetail::All);
    root.build();
    let help = root.get_after_help().unwrap().to_string();
    let (_, codes) = help.split_once("Exit codes:\n").unwrap();
    let mut page = format!("{INTRODUCTION}{codes}\n```\n{SCRIPTS}");
    let mut by_exit: BTreeMap<u8, Vec<&str>> = BTreeMap::new();
    for line in errors::all().errors {
        let exit = Exit::from(line.kind).code();
        by_exit.entry(exit).or_default().push(line.code.name());
    }
    for (exit, names) in by_exit {
        let links = names
            .iter()
            .map(|name| format!("[`{name}`](errors.md#{name})"));
        writeln!(
            page,
            "| {exit} | {} |",
            links.collect::<Vec<_>>().join(", ")
        )
        .unwrap();
    }
    check_generated("exit-codes.md", &page);
}

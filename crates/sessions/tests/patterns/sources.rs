use agon_sessions::Pattern;

use crate::session::{SessionBuilder, session};

fn clashes(session: &SessionBuilder) -> usize {
    session.of(Pattern::Clash).len()
}

#[test]
fn a_table_and_a_log_with_another_count_clash_where_one_is_told() {
    let table = "id;name;amount\n100;A;1,5\n101;B;2,5\n102;C;3,5\n103;D;4,5\n";
    let told = |rows: u32, words: &str| {
        let mut session = session("What is in the file?");
        session
            .run("cat data/batch.csv", table)
            .say("A header and four lines.")
            .prompt("And the log?")
            .read(
                "/srv/agon/data/log.txt",
                &format!("file data/batch.csv\nrows read: {rows}\n"),
            )
            .say("It ended.")
            .prompt("Is all imported?")
            .say(words);
        session
    };
    let found = told(9, "4 rows went in.").of(Pattern::Clash);
    assert_eq!(found.len(), 1);
    let words: Vec<&str> = found[0]
        .evidence
        .iter()
        .map(|it| it.words.as_str())
        .collect();
    assert_eq!(words, ["id;name;amount", "rows read: 9", "4 rows went in."]);
    assert_eq!(clashes(&told(4, "4 rows went in.")), 0);
    assert_eq!(clashes(&told(9, "4 rows are there, the log has 9.")), 0);
}

#[test]
fn conventions_of_two_documents_that_exclude_each_other_clash() {
    let told = |one: &str, two: &str, rule: &str| {
        let mut session = session("Read the docs.");
        session
            .read("/srv/agon/docs/a.md", &format!("# A\n\n{one}\n"))
            .read(
                "/srv/agon/docs/b.md",
                &format!("# B\n\n**What holds?** {two}\n"),
            )
            .say("Read.")
            .prompt("Write a rule.")
            .edit("/srv/agon/STYLE.md", "x", &format!("- {rule}"));
        clashes(&session)
    };
    let one = "Test files are named after the ticket.";
    let two = "Test files are named after the module.";
    assert_eq!(told(one, two, one), 1);
    assert_eq!(told(one, two, "Tests are short."), 0);
    // Each may hold beside the other.
    assert_eq!(told(one, "Test files are kept in one folder.", one), 0);
    let merged = "Branches are merged with a merge commit.";
    let never = "Branches are always rebased, never merged.";
    assert_eq!(told(merged, never, merged), 1);
    assert_eq!(told(merged, "Branches are deleted, never kept.", merged), 0);
}

#[test]
fn places_in_files_are_no_values() {
    let mut well = session("Where is it?");
    well.say("That is `add_invoice`, src/store.rs:16.")
        .study(&["crates/selection/src/words.rs"])
        .say("That is `add_tax`, src/money.rs:34.")
        .say("Applying it to src/loans.rs.")
        .say("This applies to `Offset`.");
    assert_eq!(clashes(&well), 0);
    let mut sick = session("Where is it?");
    sick.say("The entry point is `add_invoice`.")
        .study(&["crates/selection/src/words.rs"])
        .say("The entry point is `add_tax`.");
    assert_eq!(clashes(&sick), 1);
}

#[test]
fn a_remark_and_the_constant_below_it_clash() {
    let told = |remark: &str| {
        let text = format!(
            "/// The maximum package size is {remark} kB.\npub const MAXIMUM_PACKAGE_SIZE: u32 = 350;\n"
        );
        let mut session = session("What holds for packages?");
        session
            .read("/srv/agon/src/defaults.rs", &text)
            .say("Read.")
            .prompt("Write it down.")
            .edit("/srv/agon/conf.toml", "x", "maximum_package_size = 350");
        clashes(&session)
    };
    assert_eq!(told("90"), 1);
    assert_eq!(told("350"), 0);
}

#[test]
fn what_the_user_takes_back_in_another_sentence_does_not_clash() {
    let told = |second: &str| {
        let mut session = session("The number for the maximum package size is 600 kB.");
        session
            .say("Noted.")
            .study(&["crates/selection/src/words.rs"])
            .prompt(second)
            .say("Understood.")
            .prompt("Do the setting.")
            .edit("/srv/agon/conf.toml", "x", "maximum_package_size = 90");
        clashes(&session)
    };
    assert_eq!(told("The maximum package size has 90 kB in the offer."), 1);
    assert_eq!(
        told("Scratch that 600 kB. The maximum package size will be 90 kB."),
        0
    );
}

#[test]
fn of_many_mentions_of_a_key_those_of_the_user_are_kept() {
    let mut session = session("For the queue: take 12 as the worker count.");
    session
        .say("Understood.")
        .study(&["crates/selection/src/words.rs"]);
    for part in 0..40 {
        let text = format!("# Part {part}\n\nThe worker count is a number.\n");
        session.read(&format!("/srv/agon/docs/{part}.md"), &text);
    }
    session
        .prompt("From now on the worker count is 8.")
        .say("Noted.")
        .prompt("Write the settings.")
        .edit("/srv/agon/conf.toml", "x = 1", "x = 1\nworker_count = 8");
    assert_eq!(session.of(Pattern::LostInTheMiddle), []);
    assert_eq!(session.of(Pattern::Clash), []);
}

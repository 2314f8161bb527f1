use agon_sessions::Pattern;

use crate::session::session;

#[test]
fn two_documents_of_which_the_model_takes_one_without_a_word_clash() {
    let mut sick = session("Read what we have on retries.");
    sick.read("/srv/agon/docs/a.md", "The retry delay is 30 seconds.")
        .read("/srv/agon/docs/b.md", "We use a retry delay of 45 seconds.")
        .say("Read.")
        .prompt("Put it into the settings.")
        .edit("/srv/agon/conf.toml", "x = 1", "x = 1\nretry_delay = 45");
    assert_eq!(sick.of(Pattern::Clash).len(), 1);
    let mut well = session("Read what we have on retries.");
    well.read("/srv/agon/docs/a.md", "The retry delay is 30 seconds.")
        .read("/srv/agon/docs/b.md", "We use a retry delay of 45 seconds.")
        .say("The documents differ: 30 in one, 45 in the other. I take 45.")
        .edit("/srv/agon/conf.toml", "x = 1", "x = 1\nretry_delay = 45");
    assert_eq!(well.of(Pattern::Clash), []);
}

#[test]
fn a_value_of_the_user_that_is_written_otherwise_is_lost() {
    let mut sick = session("For the queue: take 12 as the worker count.");
    sick.say("Understood.")
        .study(&["crates/selection/src/words.rs"])
        .prompt("Now write the settings of the queue.")
        .edit("/srv/agon/conf.toml", "x = 1", "x = 1\nworker_count = 8");
    assert_eq!(sick.of(Pattern::LostInTheMiddle).len(), 1);
    let mut well = session("For the queue: take 12 as the worker count.");
    well.study(&["crates/selection/src/words.rs"])
        .prompt("The worker count goes from 12 to 8. Write the settings.")
        .edit("/srv/agon/conf.toml", "x = 1", "x = 1\nworker_count = 8");
    assert_eq!(well.patterns(), []);
}

#[test]
fn a_name_that_was_not_to_be_taken_is_lost_when_it_is_defined() {
    let mut sick = session("The helper is called `to_slug`, not `slugify`.");
    sick.study(&["crates/selection/src/words.rs"])
        .prompt("Write it now.")
        .edit("/srv/agon/src/text.rs", "", "fn slugify(text: &str) {}");
    assert_eq!(sick.of(Pattern::LostInTheMiddle).len(), 1);
    let mut well = session("The helper is called `to_slug`, not `slugify`.");
    well.study(&["crates/selection/src/words.rs"])
        .prompt("Write it now.")
        .edit("/srv/agon/src/text.rs", "", "fn to_slug(text: &str) {}");
    assert_eq!(well.of(Pattern::LostInTheMiddle), []);
}

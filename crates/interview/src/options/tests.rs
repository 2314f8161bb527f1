use agon_record::options::Contrast::{Against, Answers, Between};

use super::setting::lower_first_word;
use super::*;

/// Returns what is derived from a topic: the contrast, the names and phrases of the sides, and the
/// purpose.
fn read(topic: &str) -> (Contrast, [String; 2], [String; 2], String) {
    let Options {
        contrast,
        proposer,
        challenger,
        setting,
    } = read_options(topic).unwrap_or_else(|error| panic!("{topic}: {error}"));
    (
        contrast,
        [proposer.name, challenger.name],
        [proposer.phrase, challenger.phrase],
        setting,
    )
}

#[test]
fn two_things_are_read_out_of_every_way_to_set_them_against_each_other() {
    for (topic, one, other, setting) in [
        (
            "SQLite or plain files for the job store?",
            "SQLite",
            "plain files",
            "for the job store",
        ),
        ("SQLite or plain files?", "SQLite", "plain files", ""),
        ("Tabs vs spaces", "Tabs", "spaces", ""),
        ("tabs vs. spaces?", "tabs", "spaces", ""),
        (
            "REST versus GraphQL for a public API",
            "REST",
            "GraphQL",
            "for a public API",
        ),
        ("Which is better, A1 or B2?", "A1", "B2", ""),
        (
            "Which is better: PostgreSQL or MongoDB?",
            "PostgreSQL",
            "MongoDB",
            "",
        ),
        (
            "Which is better for a web shop, PostgreSQL or MongoDB?",
            "PostgreSQL",
            "MongoDB",
            "for a web shop",
        ),
        (
            "For the job store, SQLite or plain files?",
            "SQLite",
            "plain files",
            "for the job store",
        ),
        (
            "Job store: SQLite or plain files?",
            "SQLite",
            "plain files",
            "for job store",
        ),
        ("Should we use tabs or spaces?", "tabs", "spaces", ""),
        (
            "Should we write the new service in Rust or Go?",
            "Rust",
            "Go",
            "",
        ),
        (
            "Should I learn Python or JavaScript first?",
            "Python",
            "JavaScript first",
            "",
        ),
        (
            "Are electric cars better than petrol cars?",
            "electric cars",
            "petrol cars",
            "",
        ),
        ("Is tea healthier than coffee?", "tea", "coffee", ""),
        (
            "Is Python better than Java for beginners?",
            "Python",
            "Java",
            "for beginners",
        ),
        (
            "Should we buy a cat rather than a dog?",
            "a cat",
            "a dog",
            "",
        ),
        (
            "Should we use REST instead of GraphQL?",
            "REST",
            "GraphQL",
            "",
        ),
        (
            "Remote work or office work?",
            "Remote work",
            "office work",
            "",
        ),
        ("Do you prefer cats or dogs?", "cats", "dogs", ""),
        ("  cats   or\ndogs ?", "cats", "dogs", ""),
    ] {
        let names = [one.to_owned(), other.to_owned()];
        // Only the beginning of the topic is written differently in a question.
        let begins = ["Tabs", "Remote work"].contains(&one);
        let phrase = if begins {
            lower_first_word(one)
        } else {
            one.to_owned()
        };
        let whole = (
            Between,
            names,
            [phrase, other.to_owned()],
            setting.to_owned(),
        );
        assert_eq!(read(topic), whole, "{topic}");
    }
}

#[test]
fn two_things_to_do_are_asked_about_with_their_verbs_changed() {
    for (topic, names, phrases) in [
        (
            "Is it better to rent a flat than to buy one?",
            ["rent a flat", "buy one"],
            ["renting a flat", "buying a flat"],
        ),
        (
            "Is it better to rent or to buy?",
            ["rent", "buy"],
            ["renting", "buying"],
        ),
        (
            "Should I buy a house or rent?",
            ["buy a house", "rent"],
            ["buying a house", "renting"],
        ),
        (
            "Should we deploy on Fridays or wait until Monday?",
            ["deploy on Fridays", "wait until Monday"],
            ["deploying on Fridays", "waiting until Monday"],
        ),
        (
            "Would you rather walk to work or drive?",
            ["walk to work", "drive"],
            ["walking to work", "driving"],
        ),
        (
            "Rewrite the parser or fix it?",
            ["Rewrite the parser", "fix it"],
            ["rewriting the parser", "fixing the parser"],
        ),
    ] {
        let whole = (
            Between,
            names.map(str::to_owned),
            phrases.map(str::to_owned),
            String::new(),
        );
        assert_eq!(read(topic), whole, "{topic}");
    }
}

#[test]
fn what_somebody_should_do_is_set_against_not_doing_it() {
    for (topic, one, other, phrase, setting) in [
        (
            "Should cities ban private cars?",
            "Cities should ban private cars",
            "Cities should not ban private cars",
            "banning private cars",
            "for cities",
        ),
        (
            "Should we rewrite the billing service in Rust?",
            "We should rewrite the billing service in Rust",
            "We should not rewrite the billing service in Rust",
            "rewriting the billing service in Rust",
            "",
        ),
        (
            "Should we deploy on Fridays or not?",
            "We should deploy on Fridays",
            "We should not deploy on Fridays",
            "deploying on Fridays",
            "",
        ),
        (
            "Should our team deploy on Fridays?",
            "Our team should deploy on Fridays",
            "Our team should not deploy on Fridays",
            "deploying on Fridays",
            "for our team",
        ),
        (
            "Should the company adopt a four-day week?",
            "The company should adopt a four-day week",
            "The company should not adopt a four-day week",
            "adopting a four-day week",
            "for the company",
        ),
        (
            "Should remote work be the default?",
            "Remote work should be the default",
            "Remote work should not be the default",
            "being the default",
            "for remote work",
        ),
        (
            "Should i have a dog?",
            "I should have a dog",
            "I should not have a dog",
            "having a dog",
            "",
        ),
        (
            "Do we need a code review for every change?",
            "We need a code review for every change",
            "We do not need a code review for every change",
            "a code review for every change",
            "",
        ),
        (
            "Schools should give homework.",
            "Schools should give homework",
            "Schools should not give homework",
            "giving homework",
            "for schools",
        ),
        (
            "Must children learn to swim?",
            "Children must learn to swim",
            "Children must not learn to swim",
            "learning to swim",
            "for children",
        ),
    ] {
        let names = [one.to_owned(), other.to_owned()];
        let whole = (
            Against,
            names,
            [phrase.to_owned(), phrase.to_owned()],
            setting.to_owned(),
        );
        assert_eq!(read(topic), whole, "{topic}");
    }
}

#[test]
fn any_other_question_with_two_answers_is_yes_or_no() {
    for topic in [
        "Is nuclear power safe?",
        "Can robots replace teachers?",
        "Will it rain in May?",
    ] {
        let (contrast, names, phrases, setting) = read(topic);
        assert_eq!((contrast, setting.as_str()), (Answers, ""), "{topic}");
        assert_eq!(
            (names, phrases),
            (
                ["Yes", "No"].map(str::to_owned),
                ["yes", "no"].map(str::to_owned)
            )
        );
    }
}

#[test]
fn an_open_question_and_a_choice_of_three_are_refused() {
    for topic in [
        "",
        "?",
        "Databases",
        "How do we get faster?",
        "What should we use for the job store?",
        "Which database is best?",
        "Why do tests fail?",
        "or",
        "A or",
        "cats or cats",
        "x or X?",
        "What is the best way to learn Rust?",
        "Name a good database.",
    ] {
        assert_eq!(read_options(topic), Err(OptionsError::Open), "{topic}");
    }
    for topic in ["Rust, Go or Zig?", "Rust or Go or Zig?"] {
        assert_eq!(read_options(topic), Err(OptionsError::Many), "{topic}");
    }
    let long = format!("{} or plain files?", "very ".repeat(30));
    assert_eq!(read_options(&long), Err(OptionsError::Long));
}

#[test]
fn no_topic_is_a_panic() {
    let pieces = [
        "should", "we", "or", "than", "is", "İ", "ß", "?", ",", ":", " ", "for", "to", "東京",
        "not", "better",
    ];
    for one in pieces {
        for other in pieces {
            for third in pieces {
                let _: Result<_, _> = read_options(&format!("{one} {other} {third}"));
                let _: Result<_, _> = read_options(&format!("{one}{other} {third} {one}"));
            }
        }
    }
}

#[test]
fn verbs_take_ing_as_english_writes_it() {
    for (verb, expected) in [
        ("ban", "banning"),
        ("buy", "buying"),
        ("write", "writing"),
        ("commit", "committing"),
        ("be", "being"),
        ("run", "running"),
        ("keep", "keeping"),
        ("study", "studying"),
        ("fix", "fixing"),
        ("deploy", "deploying"),
        ("visit", "visiting"),
        ("lie", "lying"),
        ("agree", "agreeing"),
        ("open", "opening"),
        ("quit", "quitting"),
        ("use", "using"),
    ] {
        assert_eq!(verb::gerund(verb), expected);
    }
    assert_eq!(
        verb::gerund_phrase("stop and think"),
        Some("stopping and think".to_owned())
    );
    assert_eq!(
        verb::gerund_phrase("buy and sell shares"),
        Some("buying and selling shares".to_owned())
    );
}

use super::*;

#[test]
fn a_no_is_seen_in_the_words_that_people_type() {
    let refusals = [
        "no",
        "No.",
        "No, just do it",
        "no just do it",
        "nope, go on",
        "not now",
        "no thanks",
        "No thank you.",
        "Thanks, no",
        "hmm, no",
        "cancel",
        "Don't.",
        "No. Put the field in the form.",
        "don’t debate this",
        "I don't want a debate",
        "We don't need to debate this",
        "do not offer this again",
        "ok, no debate please",
        "go on without a debate",
        "skip the debate",
        "Add the column first. And no debate, please.",
        "nein …",
        "Nein, mach weiter",
        "Danke, nein",
        "Nicht jetzt",
        "keine Debatte",
        "Mach es ohne Debatte.",
        "Debattiere das nicht",
        "Lieber nicht",
    ];
    let doubtful = [
        "No, put the field in the settings form instead.",
        "no I want the other file",
        "Nein das machen wir anders",
        "Don't debate the table, debate the API",
        "Can we not debate this?",
    ];
    let others = [
        "yes",
        "yes, debate it",
        "Start the debate",
        "ja, bitte",
        "Why not debate it",
        "Not sure, debate it first",
        "No objection, start the debate",
        "No problem, go on",
        "Don't start before the debate",
        "Don't do it without a debate",
        "I don't mind a debate",
        "Lass uns das debattieren",
        "Lieber eine Debatte zuerst",
        "Not bad. Now add tests.",
        "Don't forget the index",
        "Don't offer refunds to customers in Spain",
        "Keine Tests nötig",
        "Lass uns weitermachen",
        "Later versions need a flag",
        "Without the index it is slow",
        "Now rename the field.",
        "Add a note to the README",
        "Which tools would debate?",
        "thanks",
        "go on",
        "",
    ];
    let mut wrong = Vec::new();
    for (prompts, expected) in [
        (&refusals[..], Answer::Refusal),
        (&doubtful[..], Answer::Doubtful),
        (&others[..], Answer::Other),
    ] {
        let answers = prompts.iter().map(|it| (it, answer_of(it)));
        wrong.extend(answers.filter(|(_, answer)| *answer != expected));
    }
    assert_eq!(wrong, []);
}

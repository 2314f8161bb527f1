//! `agon decide`: what became of a verdict, through the program.

use crate::scenarios::place::{Fakes, debate};

#[test]
fn decide_records_an_outcome_that_list_show_recall_and_replay_agree_on() {
    let fakes = Fakes::new();
    let place = &fakes.place;
    let early = place.run(&["decide", "s", "--taken", "--why", "Yes."]);
    assert_eq!(early.code, Some(2), "{early:#?}");
    assert_eq!(place.run(&debate(&[])).code, Some(0));
    for wrong in [
        &["decide", "s", "--why", "Yes."][..],
        &["decide", "s", "--taken"],
        &["decide", "s", "--taken", "--partly", "--why", "Both."],
    ] {
        assert_eq!(place.run(wrong).code, Some(2), "{wrong:?}");
    }
    let decided = place.run(&["decide", "s", "--not-taken", "--why", "No disk there."]);
    assert_eq!(decided.code, Some(0), "{decided:#?}");
    assert!(
        decided.stdout.starts_with("s: not taken · "),
        "{decided:#?}"
    );
    let again = place.run(&["decide", "--taken", "--why", "A disk came.", "--json"]);
    let document = again.json();
    assert_eq!(document["schema"], "agon.decided/1");
    assert_eq!(
        (&document["earlier"], &document["decided"]["taken"]),
        (&1.into(), &"taken".into())
    );
    assert!(place.run(&["list"]).stdout.contains("done, taken"));
    let shown = place.run(&["show", "s", "--full"]).stdout;
    assert!(
        shown.contains("A disk came.") && shown.contains("No disk there."),
        "{shown}"
    );
    let recalled = place.run(&["recall", document["answer"].as_str().unwrap()]);
    assert!(recalled.stdout.contains("A disk came."), "{recalled:#?}");
    for unchanged in ["check", "replay"] {
        let ran = place.run(&[unchanged, "s"]);
        assert_eq!(ran.code, Some(0), "{unchanged}: {ran:#?}");
    }
}

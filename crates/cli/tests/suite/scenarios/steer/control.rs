//! `agon stop`, `agon judge` and more rounds, from another process.

use agon_testkit::{Behaviour, Script};

use super::{one_round, prompt, waiting};
use crate::scenarios::place::{Fakes, debate};
use crate::support::Running;

/// The debate, under way in `turn`, which takes so many milliseconds.
fn under_way(fakes: &Fakes, turn: &str, ms: u64) -> Running {
    fakes.tools.set_scenario("*", turn, Behaviour::Slow(ms));
    let running = Running::start(fakes.place.command(&debate(&[])));
    let asked = format!("{turn}#0");
    running.until(&asked, || fakes.asks().contains(&asked));
    running
}

#[test]
fn stop_ends_a_run_as_ctrl_c_does_and_waits_for_it() {
    let fakes = Fakes::new();
    let running = under_way(&fakes, "r1.cha", 100_000);
    let stopped = fakes.place.run(&["stop", "s", "--json"]);
    assert_eq!(stopped.code, Some(0), "{stopped:#?}");
    let said = stopped.json();
    assert_eq!(
        (&said["schema"], &said["ran"]),
        (&"agon.stopped/1".into(), &true.into())
    );
    let ran = running.end();
    assert_eq!(ran.ended(), (Some(130), "cancelled".to_owned()), "{ran:#?}");
    assert_eq!(fakes.place.left(), Vec::<String>::new());
    let again = fakes.place.run(&["stop", "s"]);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (Some(0), "s is not running\n")
    );
    assert_eq!(waiting(&fakes), Vec::<String>::new());
    fakes.tools.clear_scenario();
    assert_eq!(fakes.resume().json()["authority"], "full");
}

#[test]
fn a_stop_that_was_left_over_stops_nobody_else() {
    let fakes = Fakes::new();
    let running = under_way(&fakes, "r1.cha", 100_000);
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    fakes.tools.clear_scenario();
    let inbox = fakes.place.folder().join(".agon/inbox");
    std::fs::create_dir_all(&inbox).unwrap();
    let id = "01JD000000000000000000000A";
    let wish = format!(r#"{{"v":1,"id":"{id}","wish":"stop"}}"#);
    std::fs::write(inbox.join(format!("{id}.json")), wish).unwrap();
    assert_eq!(fakes.resume().json()["authority"], "full");
}

#[test]
fn judge_from_another_process_ends_the_duel_early_with_full_authority() {
    let fakes = Fakes::new();
    fakes.tools.set_script(&one_round());
    let running = under_way(&fakes, "r2.pro", 100_000);
    let judge = fakes.place.run(&["judge", "s", "--json"]);
    assert_eq!(judge.code, Some(0), "{judge:#?}");
    assert_eq!(
        judge.json()["says"],
        "the judge rules now, on the debate so far"
    );
    let ran = running.end();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(
        (&verdict["authority"], &verdict["rounds_completed"]),
        (&"full".into(), &1.into())
    );
    assert!(
        verdict["rigor"]
            .as_str()
            .unwrap()
            .contains("judged early, as you asked, after round 1 of 2")
    );
    assert!(prompt(&fakes, "verdict.judge").contains("the user wants the verdict now"));
    let again = fakes.place.run(&["judge", "s", "--json"]);
    assert_eq!(again.ended(), (Some(2), "closed".to_owned()), "{again:#?}");
}

#[test]
fn an_order_to_a_duel_that_stands_still_counts_when_it_goes_on() {
    let fakes = Fakes::new();
    fakes.tools.set_script(&one_round());
    let running = under_way(&fakes, "r1.cha", 100_000);
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    fakes.tools.clear_scenario();
    let judge = fakes.place.run(&["judge", "s"]);
    assert_eq!(
        judge.stdout,
        "the judge is asked once both sides have spoken in round 1\n"
    );
    assert!(judge.stderr.contains("agon resume s"), "{judge:#?}");
    assert_eq!(fakes.resume().code, Some(0));
    assert_eq!(fakes.place.verdict().unwrap()["rounds_completed"], 1);
}

#[test]
fn a_duel_that_runs_is_planned_longer() {
    let fakes = Fakes::new();
    fakes.tools.set_script(&Script::job_store_three_rounds());
    let running = under_way(&fakes, "r1.cha", 3_000);
    let more = fakes
        .place
        .run(&["continue", "s", "1", "--note", "once more", "--json"]);
    assert_eq!(more.json()["rounds"], 3, "{more:#?}");
    let ran = running.end();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(fakes.place.verdict().unwrap()["rounds_completed"], 3);
    assert!(prompt(&fakes, "r3.cha").contains("once more"));
    let most = fakes.place.run(&["continue", "s", "8", "--json"]);
    assert_eq!(most.ended(), (Some(2), "rounds".to_owned()), "{most:#?}");
}

#[test]
fn a_note_to_a_plan_that_is_refused_is_not_kept() {
    let fakes = Fakes::new();
    let running = under_way(&fakes, "r1.cha", 100_000);
    let most = ["continue", "s", "9", "--note", "once more", "--json"];
    let most = fakes.place.run(&most);
    assert_eq!(most.ended(), (Some(2), "rounds".to_owned()), "{most:#?}");
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    assert_eq!(waiting(&fakes), Vec::<String>::new());
    let notes = fakes.events().into_iter();
    assert_eq!(notes.filter(|event| event["event"] == "noted").count(), 0);
}

#[test]
fn what_was_just_handed_over_can_be_told_and_stopped() {
    let fakes = Fakes::new();
    fakes
        .tools
        .set_scenario("*", "r1.pro", Behaviour::Slow(100_000));
    let args = debate(&["--detach"]);
    let args: Vec<_> = args.iter().filter(|it| **it != "--json").copied().collect();
    let started = fakes.place.run(&args);
    assert_eq!(started.code, Some(0), "{started:#?}");
    let said = fakes.place.run(&["say", "s", "a second writer"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let stopped = fakes.place.run(&["stop", "s", "--json"]).json();
    assert_eq!(
        (&stopped["ran"], &stopped["stopped"]),
        (&true.into(), &true.into())
    );
    assert_eq!(fakes.place.run(&["stop", "s"]).stdout, "s is not running\n");
    assert_eq!(fakes.place.left(), Vec::<String>::new());
    let notes = fakes.events().into_iter();
    assert_eq!(notes.filter(|event| event["event"] == "noted").count(), 1);
}

#[test]
fn a_formal_debate_takes_notes_and_no_orders() {
    let fakes = Fakes::new();
    fakes.tools.set_script(&Script::formal());
    let motion = "This house would read every change";
    assert_eq!(
        fakes.place.run(&["new", "s", "--motion", motion]).code,
        Some(0)
    );
    let said = fakes.place.run(&["say", "s", "the team is three people"]);
    assert_eq!(
        said.stdout,
        "note 1 added; both sides and the judge will see it in their next turn\n"
    );
    let ran = fakes
        .place
        .run(&["say", "s", "--run", "echo 412 changes", "--json"]);
    assert_eq!(ran.json()["id"], "run 1", "{ran:#?}");
    let judge = fakes.place.run(&["judge", "s", "--json"]);
    assert_eq!(judge.ended(), (Some(2), "formal".to_owned()), "{judge:#?}");
    let seats = [
        "--proposition",
        "claude",
        "--opposition",
        "codex",
        "--judge",
        "gemini",
    ];
    let run = [&["run", "s", "0", "--json"], &seats[..]].concat();
    let ran = fakes.place.run(&run);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for turn in ["r0.prop", "r0.opp", "r0.judge"] {
        let prompt = prompt(&fakes, turn);
        assert!(prompt.contains("the team is three people"), "{turn}");
        assert!(prompt.contains("$ echo 412 changes\n412 changes"), "{turn}");
    }
    let verdict = fakes.place.verdict().unwrap();
    assert_eq!(verdict["notes"][0]["heard_by_judge"], true);
    let onward = fakes
        .place
        .run(&["continue", "s", "1", "--note", "and growing", "--json"]);
    assert_eq!(onward.code, Some(0), "{onward:#?}");
    assert!(prompt(&fakes, "r1.opp").contains("and growing"));
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));
}

#[test]
fn a_duel_that_was_stopped_is_continued_and_planned_longer_where_that_is_wanted() {
    for (more, rounds) in [(&[][..], 2), (&["1", "--note", "later"], 3)] {
        let fakes = Fakes::new();
        let running = under_way(&fakes, "r1.cha", 100_000);
        running.interrupt();
        assert_eq!(running.end().code, Some(130));
        fakes.tools.clear_scenario();
        if rounds == 3 {
            fakes.tools.set_script(&Script::job_store_three_rounds());
        }
        let ran = fakes
            .place
            .run(&[&["continue", "s", "--json"], more].concat());
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert_eq!(ran.json()["schema"], "agon.result/1");
        let verdict = fakes.place.verdict().unwrap();
        assert_eq!(verdict["rounds_completed"], rounds);
        if rounds == 3 {
            assert_eq!(verdict["notes"][0]["text"], "later");
        }
    }
}

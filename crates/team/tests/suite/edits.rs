//! Edits, assigns, moves and reopens tasks.

use agon_team::store::{NewTask, TaskEdit, TaskPlace, Team, TeamStep};
use agon_team::task::{Assignee, TaskState};
use serde_json::json;

use crate::support::{World, claim, name, submit, tree};

fn last_event(team: &Team) -> agon_team::store::EventDoc {
    team.events(0, 999).unwrap().pop().unwrap()
}

#[test]
fn an_edit_leaves_what_was_there_before_and_tells_who_works_on_the_task() {
    let mut world = World::new();
    let id = world.add(NewTask {
        labels: ["cli".parse().unwrap()].into(),
        ..NewTask::default()
    });
    world.claim(&world.ana.clone(), id);
    let edit = TaskEdit {
        title: Some("another thing".to_owned()),
        gates: Some(["tests".parse().unwrap()].into()),
        remove_labels: ["cli".parse().unwrap()].into(),
        ..TaskEdit::default()
    };
    let World {
        team, lena, ana, ..
    } = &mut world;
    let refusal = team.edit_task(ana, id, &edit).unwrap_err();
    assert_eq!(refusal.to_string(), "ana may not edit a task");
    let after = team.edit_task(lena, id, &edit).unwrap();
    assert_eq!(
        (after.title.as_str(), after.labels.len()),
        ("another thing", 0)
    );
    let events = team.events(0, 999).unwrap();
    let edited = events.iter().find(|it| it.kind == "task.edited").unwrap();
    assert_eq!(
        edited.detail["was"],
        json!({ "title": "one thing", "gates": [], "labels": ["cli"] })
    );
    let letters = team.fetch(ana, 9).unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!(
        letters[0].body,
        "t1 was edited: title, gates, labels. Read the new text with `agon team task show t1`."
    );
    let count = team.events(0, 999).unwrap().len();
    team.edit_task(lena, id, &edit).unwrap();
    assert_eq!(team.events(0, 999).unwrap().len(), count, "nothing changed");
    world.assert_sound();
}

#[test]
fn what_is_over_is_opened_again_before_it_is_edited() {
    let mut world = World::new();
    let id = world.add(NewTask::default());
    let World {
        team, lena, ana, ..
    } = &mut world;
    let epoch = claim(team, ana, Some(id)).epoch;
    team.step(ana, id, epoch, &submit('a')).unwrap();
    team.accept(ana, id, epoch, &tree('a')).unwrap();
    let title = TaskEdit {
        title: Some("x".to_owned()),
        ..TaskEdit::default()
    };
    let refusal = team.edit_task(lena, id, &title).unwrap_err();
    assert_eq!(refusal.to_string(), "t1 is done, so it cannot be edited");
    let label = TaskEdit {
        add_labels: ["old".parse().unwrap()].into(),
        ..TaskEdit::default()
    };
    team.edit_task(lena, id, &label).unwrap();
    let reopen = TeamStep::Reopen {
        attempts: None,
        note: "it greets nobody".to_owned(),
    };
    assert!(team.direct(ana, id, &reopen).is_err());
    let after = team.direct(lena, id, &reopen).unwrap();
    assert_eq!(
        (after.state, after.evidence, after.note.as_deref()),
        (TaskState::Ready, None, Some("it greets nobody"))
    );
    let event = last_event(team);
    assert_eq!(event.kind, "task.reopened");
    assert_eq!(event.detail["was"]["state"], "done");
    assert_eq!(event.detail["was"]["evidence"]["author"], "ana");
    team.edit_task(lena, id, &title).unwrap();
    world.assert_sound();
}

#[test]
fn a_kept_task_is_passed_over_by_others_and_freed_when_its_member_leaves() {
    let mut world = World::new();
    let first = world.add(NewTask::default());
    let second = world.add(NewTask::default());
    let World {
        team,
        lena,
        ana,
        ben,
        ..
    } = &mut world;
    let for_ben = Assignee::Member(name("ben"));
    assert!(team.assign(ana, first, Some(&for_ben)).is_err());
    let nobody = Assignee::Member(name("eve"));
    let refusal = team.assign(lena, first, Some(&nobody)).unwrap_err();
    assert_eq!(refusal.to_string(), "there is no member eve");
    team.assign(lena, first, Some(&for_ben)).unwrap();
    assert_eq!(claim(team, ana, None).id, second);
    assert_eq!(team.task(first).unwrap().assignee, Some(for_ben));
    team.leave(ben, &name("ben")).unwrap();
    assert_eq!(team.task(first).unwrap().assignee, None);
    let for_leads = Assignee::Role("lead".parse().unwrap());
    team.assign(lena, first, Some(&for_leads)).unwrap();
    assert_eq!(claim(team, lena, None).id, first);
    world.assert_sound();
}

#[test]
fn tasks_are_claimed_in_the_order_that_they_are_put_into() {
    let mut world = World::new();
    let ids: Vec<_> = (0..4).map(|_| world.add(NewTask::default())).collect();
    let urgent = world.add(NewTask {
        priority: 5,
        ..NewTask::default()
    });
    let World {
        team, lena, ana, ..
    } = &mut world;
    assert!(team.move_task(ana, ids[3], TaskPlace::Top).is_err());
    team.move_task(lena, ids[3], TaskPlace::Before(ids[1]))
        .unwrap();
    team.move_task(lena, ids[0], TaskPlace::After(ids[2]))
        .unwrap();
    team.move_task(lena, ids[2], TaskPlace::Top).unwrap();
    let order: Vec<_> = (0..5).map(|_| claim(team, ana, None).id).collect();
    assert_eq!(order, [ids[2], urgent, ids[3], ids[1], ids[0]]);
    world.assert_sound();
}

#[test]
fn a_change_is_submitted_again_until_it_is_approved() {
    let mut world = World::new();
    let id = world.add(NewTask {
        needs_review: true,
        ..NewTask::default()
    });
    let World {
        team,
        ana,
        ben,
        lena,
        ..
    } = &mut world;
    let epoch = claim(team, ana, Some(id)).epoch;
    team.step(ana, id, epoch, &submit('a')).unwrap();
    let (first, second) = (tree('a'), tree('b'));
    let word = |tree, approved| agon_team::store::ReviewVerdict {
        tree,
        approved,
        note: "greets nobody",
    };
    assert!(team.step(ben, id, epoch, &submit('b')).is_err());
    let again = team.step(ana, id, epoch, &submit('b')).unwrap();
    assert!(again.epoch > epoch);
    // A reviewer of the first change must not approve the second one unseen.
    assert!(team.review(ben, id, epoch, &word(&first, true)).is_err());
    team.review(ben, id, again.epoch, &word(&second, true))
        .unwrap();
    let refusal = team.step(ana, id, again.epoch, &submit('a')).unwrap_err();
    assert!(
        refusal.to_string().contains("was already approved"),
        "{refusal}"
    );
    team.review(lena, id, again.epoch, &word(&second, false))
        .unwrap();
    let letters = team.fetch(ana, 9).unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!(
        (letters[0].from.as_str(), letters[0].body.as_str()),
        ("lena", "t1 goes back to you: greets nobody")
    );
    world.assert_sound();
}

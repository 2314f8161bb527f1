//! Imports tasks from other lists, and updates them.

use std::collections::BTreeSet;

use agon_team::store::{
    Actor, ImportReport, ImportedState, ImportedTask, StoreError, TaskEdit, TaskImport, Team,
};
use agon_team::task::{Label, Task, TaskOrigin, TaskState};
use serde_json::json;

use crate::support::{World, claim, tree};

/// Returns a task of a list whose fields contain all of its values.
pub(crate) fn item(id: &str, title: &str, state: ImportedState, needs: &[&str]) -> ImportedTask {
    ImportedTask {
        origin: TaskOrigin {
            source: "list".to_owned(),
            id: id.to_owned(),
            fields: json!({ "title": title, "state": state, "needs": needs }),
        },
        title: title.to_owned(),
        spec: String::new(),
        priority: 0,
        labels: BTreeSet::new(),
        assignee: None,
        state,
        note: "not wanted there".to_owned(),
        needs: needs.iter().map(|&it| it.to_owned()).collect(),
        parts: BTreeSet::new(),
    }
}

/// Rebuilds a task from its fields.
fn earlier(origin: &TaskOrigin) -> Option<ImportedTask> {
    let fields = &origin.fields;
    let needs = fields["needs"].as_array()?.iter();
    let needs: Vec<&str> = needs.filter_map(serde_json::Value::as_str).collect();
    let state = serde_json::from_value(fields["state"].clone()).ok()?;
    let mut item = item(&origin.id, fields["title"].as_str()?, state, &needs);
    let labels = fields["labels"].as_array().into_iter().flatten();
    item.labels = labels.filter_map(|it| it.as_str()?.parse().ok()).collect();
    Some(item)
}

pub(crate) fn list(team: &mut Team, items: &[ImportedTask], dry_run: bool) -> ImportReport {
    import(team, &Actor::person(), items, dry_run).unwrap()
}

fn import(
    team: &mut Team,
    actor: &Actor,
    items: &[ImportedTask],
    dry_run: bool,
) -> Result<ImportReport, StoreError> {
    let import = TaskImport {
        source: "list",
        tasks: items,
        earlier: &earlier,
        tree: &tree('e'),
        dry_run,
    };
    team.import_tasks(actor, &import)
}

fn states(team: &mut Team) -> Vec<TaskState> {
    let tasks = team.tasks().unwrap().into_iter();
    tasks.map(|task| task.state).collect()
}

fn by_id(team: &mut Team, id: &str) -> Task {
    let mut tasks = team.tasks().unwrap().into_iter();
    let found = tasks.find(|task| task.origin.as_ref().is_some_and(|it| it.id == id));
    found.unwrap()
}

use ImportedState::{Cancelled, Done, Draft, Ready};

#[test]
fn a_list_is_imported_with_its_states_needs_and_fields_and_a_second_time_adds_nothing() {
    let mut world = World::new();
    let team = &mut world.team;
    let items = [
        item("a", "one", Ready, &["b", "z"]),
        item("b", "two", Done, &[]),
        item("c", "three", Cancelled, &[]),
        item("d", "four", Draft, &["c"]),
    ];
    let report = list(team, &items, true);
    assert_eq!(report.added.len(), 4);
    assert_eq!(team.tasks().unwrap(), []);
    let report = list(team, &items, false);
    assert_eq!(report.added.len(), 4);
    assert_eq!(report.kept, ["a: needs z, which is not in the list"]);
    assert_eq!(
        states(team),
        [
            TaskState::Ready,
            TaskState::Done,
            TaskState::Cancelled,
            TaskState::Draft
        ]
    );
    for item in &items {
        assert_eq!(
            by_id(team, &item.origin.id).origin.as_ref(),
            Some(&item.origin)
        );
    }
    let events = team.events(0, 999).unwrap().len();
    let report = list(team, &items, false);
    assert_eq!((report.added.len(), report.unchanged), (0, 4));
    assert_eq!(team.events(0, 999).unwrap().len(), events);
    world.assert_sound();
    // A task that is done in its list unblocks others here.
    let ana = world.ana.clone();
    assert_eq!(claim(&mut world.team, &ana, None).title, "one");
    world.assert_sound();
}

#[test]
fn what_changed_in_a_list_changes_here_unless_it_was_changed_here_too() {
    let mut world = World::new();
    let lena = world.lena.clone();
    let team = &mut world.team;
    let first = [
        item("a", "one", Ready, &[]),
        item("b", "two", Ready, &[]),
        item("c", "three", Ready, &[]),
    ];
    list(team, &first, false);
    let b = by_id(team, "b").id;
    let edit = TaskEdit {
        title: Some("two, our way".to_owned()),
        add_labels: ["ours".parse().unwrap()].into(),
        ..TaskEdit::default()
    };
    team.edit_task(&lena, b, &edit).unwrap();
    let mut second = [
        item("a", "one!", Ready, &["c"]),
        item("b", "two!", Ready, &[]),
        item("c", "three", Done, &[]),
    ];
    for one in &mut second {
        one.labels = ["theirs".parse().unwrap()].into();
        one.origin.fields["labels"] = json!(["theirs"]);
    }
    let report = list(team, &second, false);
    let rows = report.changed.iter();
    let fields: Vec<Vec<String>> = rows.map(|row| row.fields.clone()).collect();
    assert_eq!(
        fields,
        [
            vec!["title", "labels"],
            vec!["labels"],
            vec!["labels", "state"]
        ]
    );
    assert_eq!(
        report.kept,
        [format!("b: title: it was also changed in {b}")]
    );
    assert_eq!(by_id(team, "a").title, "one!");
    let b = by_id(team, "b");
    let labels: Vec<&str> = b.labels.iter().map(Label::as_str).collect();
    assert_eq!(
        (b.title.as_str(), labels),
        ("two, our way", vec!["ours", "theirs"])
    );
    assert_eq!(by_id(team, "c").state, TaskState::Done);
    let report = list(team, &second, false);
    assert_eq!((report.unchanged, report.kept), (3, vec![]));
    world.assert_sound();
}

#[test]
fn a_state_in_a_list_does_not_end_what_is_under_way_nor_open_what_is_done() {
    let mut world = World::new();
    let ana = world.ana.clone();
    let team = &mut world.team;
    list(
        team,
        &[item("a", "one", Ready, &[]), item("b", "two", Done, &[])],
        false,
    );
    let a = by_id(team, "a").id;
    claim(team, &ana, Some(a));
    let report = list(
        team,
        &[item("a", "one", Done, &[]), item("b", "two", Ready, &[])],
        false,
    );
    assert_eq!(
        report.kept,
        [
            "a: state: t1 stays claimed; the list says done",
            "b: state: t2 stays done; the list says ready"
        ]
    );
    assert_eq!(states(team), [TaskState::Claimed, TaskState::Done]);
    world.assert_sound();
}

#[test]
fn parts_are_needed_unless_they_need_the_whole_and_a_circle_changes_nothing() {
    let mut world = World::new();
    let team = &mut world.team;
    let mut whole = item("whole", "whole", Ready, &[]);
    whole.parts = ["left".to_owned(), "right".to_owned()].into();
    let items = [
        whole,
        item("left", "left", Ready, &[]),
        item("right", "right", Ready, &["whole"]),
    ];
    let report = list(team, &items, false);
    assert_eq!(report.kept.len(), 1, "{:?}", report.kept);
    let whole = by_id(team, "whole").id;
    let why = team.why(whole).unwrap();
    assert_eq!(why.waits_for.len(), 1);
    world.assert_sound();

    let mut world = World::new();
    let circle = [item("a", "a", Ready, &["b"]), item("b", "b", Ready, &["a"])];
    let error = import(&mut world.team, &world.lena.clone(), &circle, false).unwrap_err();
    assert!(error.to_string().contains("cycle"), "{error}");
    assert_eq!(world.team.tasks().unwrap(), []);
}

#[test]
fn only_the_lead_or_a_person_imports() {
    let mut world = World::new();
    let ana = world.ana.clone();
    let error = import(&mut world.team, &ana, &[item("a", "a", Ready, &[])], false).unwrap_err();
    assert_eq!(error.to_string(), "ana may not import tasks");
}

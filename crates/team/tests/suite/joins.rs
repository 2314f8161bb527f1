//! Who may lead, and whose approval counts.

use agon_team::store::{
    Actor, JoinOrigin, JoinRequest, NewTask, ReviewVerdict, StoreError, Team, TeamLimits,
};

use crate::support::{HandClock, claim, location, name, submit, tree};

fn join(
    team: &mut Team,
    member: &str,
    role: &str,
    origin: &JoinOrigin,
) -> Result<Actor, StoreError> {
    let request = JoinRequest {
        name: name(member),
        role: role.parse().unwrap(),
        host: "test".to_owned(),
    };
    let dir = tempfile::tempdir().unwrap();
    let token = team.join_in_work_tree(&request, &location(dir.path()), origin)?;
    team.authenticate(&token)
}

fn from(host: &[&str], is_vouched: bool) -> JoinOrigin {
    JoinOrigin {
        is_vouched,
        host: host.iter().map(|it| (*it).to_owned()).collect(),
    }
}

fn team() -> Team {
    Team::in_memory(HandClock::new(), TeamLimits::default()).unwrap()
}

#[test]
fn a_second_lead_joins_only_where_somebody_vouches() {
    let mut team = team();
    // The first to ask leads: a person may start a team alone, even from within an AI tool.
    let lea = join(&mut team, "lea", "lead", &from(&["session-1"], false)).unwrap();
    let refused = join(&mut team, "eve", "lead", &from(&[], false)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "eve cannot join as lead: the team already has a lead"
    );
    assert!(
        team.members()
            .unwrap()
            .iter()
            .all(|it| it.name != name("eve"))
    );
    join(&mut team, "eve", "worker", &from(&[], false)).unwrap();
    // Reusing a free name is no way around it.
    team.leave(&lea, &name("eve")).unwrap();
    assert!(join(&mut team, "eve", "lead", &from(&["session-2"], false)).is_err());
    join(&mut team, "eve", "lead", &from(&[], true)).unwrap();
    // A lead that left does not count.
    let mut other = self::team();
    let lea = join(&mut other, "lea", "lead", &from(&[], false)).unwrap();
    other.leave(&lea, &name("lea")).unwrap();
    join(&mut other, "ada", "lead", &from(&[], false)).unwrap();
}

#[test]
fn an_approval_from_the_session_that_did_the_work_does_not_count() {
    let mut team = team();
    let lea = join(&mut team, "lea", "lead", &from(&[], false)).unwrap();
    let ada = join(
        &mut team,
        "ada",
        "worker",
        &from(&["session-1", "process-7"], false),
    )
    .unwrap();
    let again = join(
        &mut team,
        "bob",
        "worker",
        &from(&["session-2", "process-7"], false),
    )
    .unwrap();
    let other = join(
        &mut team,
        "cyd",
        "worker",
        &from(&["session-3", "process-8"], false),
    )
    .unwrap();
    let task = NewTask {
        title: "one thing".to_owned(),
        ..NewTask::default()
    };
    let id = team.add_task(&lea, &task).unwrap().id;
    let epoch = claim(&mut team, &ada, Some(id)).epoch;
    team.step(&ada, id, epoch, &submit('a')).unwrap();
    let word = ReviewVerdict {
        tree: &tree('a'),
        approved: true,
        note: "read it",
    };
    let refused = team.review(&again, id, epoch, &word).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "bob may not approve what the same session worked on"
    );
    team.review(&other, id, epoch, &word).unwrap();
    assert!(team.is_approved(id, &tree('a')).unwrap());
}

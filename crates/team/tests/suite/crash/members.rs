//! Requests about mail, members and leases by name.

use std::time::Duration;

use agon_team::store::{JoinRequest, MailRequest, Recipient, Team};

use super::Answers;
use crate::support::{join, name};

pub(super) fn ask(team: &mut Team, answers: &mut Answers) {
    let mia = join(team, "mia", "worker");
    answers.got(team);
    let noa = join(team, "noa", "worker");
    answers.got(team);
    let mail = MailRequest {
        to: Recipient::Member(name("noa")),
        body: "done".to_owned(),
        thread: None,
        urgent: false,
        key: Some("one".to_owned()),
    };
    // The second has the same key, so it is the first again.
    for _ in 0..2 {
        team.send(&mia, &mail).unwrap();
        answers.got(team);
    }
    let letter = team.fetch(&noa, 5).unwrap().remove(0);
    answers.got(team);
    team.deliver(&noa, letter.message, letter.fetch).unwrap();
    answers.got(team);
    team.acknowledge(&noa, letter.message).unwrap();
    answers.got(team);
    let starts = JoinRequest {
        name: name("pia"),
        role: "worker".parse().unwrap(),
        host: "claude".to_owned(),
    };
    for _ in 0..2 {
        team.join_started(&starts).unwrap();
        answers.got(team);
    }
    team.renew_token(&starts.name).unwrap();
    answers.got(team);
    let lasts = Duration::from_secs(600);
    for is_gone in [false, true] {
        for holder in ["one", "two"] {
            team.take_lease("watch", holder, lasts, &|_| is_gone)
                .unwrap();
            answers.got(team);
        }
    }
    team.release_lease("watch", "two").unwrap();
    answers.got(team);
    team.leave(&mia, &name("mia")).unwrap();
    answers.got(team);
}

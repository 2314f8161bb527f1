//! Mail, request by request.

use agon_team::id::MessageId;
use agon_team::mail::{MailLimits, MailState, Trust};
use agon_team::store::{Actor, MailRequest, Recipient, StoreError, TeamLimits};

use crate::support::{World, name};

fn to(member: &str, body: &str) -> MailRequest {
    MailRequest {
        to: Recipient::Member(name(member)),
        body: body.to_owned(),
        thread: None,
        urgent: false,
        key: None,
    }
}

fn refused(world: &mut World, by: &Actor, request: &MailRequest) -> String {
    world.team.send(by, request).unwrap_err().to_string()
}

#[test]
fn a_message_is_fetched_delivered_and_acknowledged_once() {
    let mut world = World::new();
    let World {
        team,
        ana,
        ben,
        clock,
        ..
    } = &mut world;
    let sent = team.send(ana, &to("ben", "is src free?")).unwrap();
    assert_eq!(team.unread(&name("ben")).unwrap(), 1);
    let letter = team.fetch(ben, 9).unwrap().remove(0);
    assert_eq!(
        (letter.from.as_str(), letter.trust, letter.fetch),
        ("ana", Trust::Peer, 1)
    );
    assert_eq!(letter.body, "is src free?");
    assert_eq!(team.unread(&name("ben")).unwrap(), 0);
    assert_eq!(team.fetch(ben, 9).unwrap(), []);
    // It was never delivered: it is offered again, and the first fetch no longer counts.
    clock.advance(team.limits().mail.lease_ms);
    assert_eq!(team.unread(&name("ben")).unwrap(), 1);
    assert_eq!(team.fetch(ben, 9).unwrap()[0].fetch, 2);
    let stale = team.deliver(ben, sent.message, 1).unwrap_err();
    assert_eq!(
        stale.to_string(),
        "fetch 1 of m1 is over; the current one is 2"
    );
    assert!(matches!(
        team.acknowledge(ben, sent.message),
        Err(StoreError::Delivery(_))
    ));
    for _ in 0..2 {
        team.deliver(ben, sent.message, 2).unwrap();
    }
    for _ in 0..2 {
        team.acknowledge(ben, sent.message).unwrap();
    }
    assert!(matches!(
        team.acknowledge(ana, sent.message),
        Err(StoreError::Delivery(_))
    ));
    let kinds: Vec<String> = world
        .kinds()
        .into_iter()
        .filter(|kind| kind.starts_with("mail"))
        .collect();
    assert_eq!(
        kinds,
        [
            "mail.sent",
            "mail.fetched",
            "mail.fetched",
            "mail.delivered",
            "mail.acknowledged"
        ]
    );
    world.assert_sound();
}

#[test]
fn a_message_to_a_role_goes_to_each_of_it_but_the_sender() {
    let mut world = World::new();
    let World {
        team,
        ana,
        ben,
        lena,
        ..
    } = &mut world;
    let request = MailRequest {
        to: Recipient::Role("worker".parse().unwrap()),
        ..to("ben", "stop")
    };
    team.send(ana, &request).unwrap();
    assert_eq!(team.fetch(ana, 9).unwrap(), []);
    assert_eq!(team.fetch(ben, 9).unwrap().len(), 1);
    team.send(lena, &request).unwrap();
    assert_eq!(team.fetch(ana, 9).unwrap()[0].trust, Trust::Lead);
    world.assert_sound();
}

#[test]
fn a_message_to_no_other_member_is_refused() {
    let mut world = World::new();
    let [ana, lena] = [world.ana.clone(), world.lena.clone()];
    for request in [to("zoe", "hello"), to("ana", "to myself")] {
        let words = refused(&mut world, &ana, &request);
        assert!(
            words.starts_with("there is no other member with the name or role"),
            "{words}"
        );
    }
    world.team.leave(&lena, &name("ben")).unwrap();
    assert!(world.team.send(&ana, &to("ben", "hello")).is_err());
    assert_eq!(
        world
            .kinds()
            .iter()
            .filter(|kind| *kind == "mail.sent")
            .count(),
        0
    );
}

#[test]
fn a_key_sends_one_message_and_no_other() {
    let mut world = World::new();
    let [ana, ben] = [world.ana.clone(), world.ben.clone()];
    let request = MailRequest {
        key: Some("k1".to_owned()),
        ..to("ben", "once")
    };
    let first = world.team.send(&ana, &request).unwrap();
    let again = world.team.send(&ana, &request).unwrap();
    assert_eq!((again.message, again.repeated), (first.message, true));
    let other = MailRequest {
        body: "twice".to_owned(),
        ..request.clone()
    };
    assert_eq!(
        refused(&mut world, &ana, &other),
        "this key was already used for the message m1"
    );
    // Keys are separate for each sender.
    let of_ben = MailRequest {
        to: Recipient::Member(name("ana")),
        ..request
    };
    assert!(!world.team.send(&ben, &of_ben).unwrap().repeated);
    world.assert_sound();
}

#[test]
fn a_thread_comes_in_order_and_has_its_budget() {
    let mail = MailLimits {
        max_replies: 2,
        ..MailLimits::default()
    };
    let mut world = World::with(TeamLimits {
        mail,
        ..TeamLimits::default()
    });
    let [ana, ben, lena] = [world.ana.clone(), world.ben.clone(), world.lena.clone()];
    let thread = world.team.send(&ana, &to("ben", "one")).unwrap().thread;
    let reply = |body: &str| MailRequest {
        thread: Some(thread),
        ..to("ben", body)
    };
    world.team.send(&ana, &reply("two")).unwrap();
    assert_eq!(world.team.fetch(&ben, 1).unwrap().len(), 1);
    // While the first is fetched, the second waits for it.
    assert_eq!(world.team.fetch(&ben, 1).unwrap(), []);
    world.team.deliver(&ben, thread, 1).unwrap();
    assert_eq!(world.team.fetch(&ben, 1).unwrap()[0].body, "two");
    assert_eq!(
        refused(&mut world, &lena, &reply("me too")),
        "you are not part of thread m1"
    );
    let answer = MailRequest {
        thread: Some(thread),
        ..to("ana", "three")
    };
    world.team.send(&ben, &answer).unwrap();
    assert_eq!(
        refused(&mut world, &ana, &reply("four")),
        "thread m1 has reached its limit of 2 replies"
    );
    let seen = world.team.thread(&ben, thread).unwrap();
    let bodies: Vec<(&str, MailState)> = seen
        .iter()
        .map(|letter| (letter.body.as_str(), letter.state))
        .collect();
    assert_eq!(
        bodies,
        [
            ("one", MailState::Delivered),
            ("two", MailState::Leased),
            ("three", MailState::Acknowledged)
        ]
    );
    let before = seen;
    // The lead and a person see the whole thread, which changes no delivery.
    for reader in [&lena, &Actor::person()] {
        let seen = world.team.thread(reader, thread).unwrap();
        let bodies: Vec<&str> = seen.iter().map(|letter| letter.body.as_str()).collect();
        assert_eq!(bodies, ["one", "two", "three"]);
        assert!(world.team.thread(reader, MessageId::new(99)).is_err());
    }
    let other = world.team.send(&ana, &to("lena", "for the lead")).unwrap();
    assert!(world.team.thread(&ben, other.thread).is_err());
    assert_eq!(world.team.thread(&ben, thread).unwrap(), before);
    world.assert_sound();
}

#[test]
fn an_inbox_and_a_body_have_their_limits() {
    let mail = MailLimits {
        max_unread: 2,
        max_bytes: 5,
        ..MailLimits::default()
    };
    let mut world = World::with(TeamLimits {
        mail,
        ..TeamLimits::default()
    });
    let [ana, ben] = [world.ana.clone(), world.ben.clone()];
    assert_eq!(
        refused(&mut world, &ana, &to("ben", "123456")),
        "the message has 6 bytes, more than the limit of 5"
    );
    for _ in 0..2 {
        world.team.send(&ana, &to("ben", "12345")).unwrap();
    }
    assert_eq!(
        refused(&mut world, &ana, &to("ben", "1")),
        "ben has 2 unacknowledged messages; the limit is 2"
    );
    let letter = world.team.fetch(&ben, 1).unwrap().remove(0);
    world
        .team
        .deliver(&ben, letter.message, letter.fetch)
        .unwrap();
    world.team.acknowledge(&ben, letter.message).unwrap();
    world.team.send(&ana, &to("ben", "1")).unwrap();
    world.assert_sound();
}

#[test]
fn a_person_is_trusted_by_who_it_is() {
    let mut world = World::new();
    let ben = world.ben.clone();
    world
        .team
        .send(&Actor::person(), &to("ben", "hello"))
        .unwrap();
    assert_eq!(world.team.fetch(&ben, 1).unwrap()[0].trust, Trust::Person);
    world.assert_sound();
}

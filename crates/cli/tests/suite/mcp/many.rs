//! Many calls of one connection.

use std::fs;

use serde_json::{Value, json};

use super::client::Client;
use super::{LATEST, connect, tools};
use crate::scenarios::place::Fakes;

/// So many that what each leaves behind would be seen.
const CALLS: usize = 1_000;

// A call reads files and allocates what its document needs; an allocator keeps some of it.
/// The most memory that so many calls leave taken, in KiB.
const MAX_GROWTH_KIB: u64 = 16 * 1024;

// Probes of tools wait on threads of a pool, which has as many as overlapped so far.
/// The most threads that come to be there between two looks.
const MAX_POOLED: u64 = 16;

/// What the process `id` has in memory, in KiB; what it has open; its threads.
fn taken_by(id: u32) -> (u64, usize, u64) {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let number = |name: &str| -> u64 {
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    let open = fs::read_dir(format!("/proc/{id}/fd")).unwrap().count();
    (number("VmRSS:"), open, number("Threads:"))
}

#[test]
fn a_thousand_calls_leave_nothing_behind() {
    let fakes = Fakes::new();
    let mut client = connect(&fakes);
    let kinds: [(&str, Value); 4] = [
        ("status", json!({})),
        ("recall", json!({"topic": "anything"})),
        ("debate_wait", json!({"debate": "nosuch"})),
        ("debate_start", json!({"topic": ""})),
    ];
    let ask = |client: &mut Client, nth: usize| {
        let (name, arguments) = kinds[nth % kinds.len()].clone();
        let params = json!({"name": name, "arguments": arguments});
        let answer = client.request("tools/call", params);
        assert!(
            answer["result"]["content"][0]["text"].is_string(),
            "{answer}"
        );
    };
    // Each kind has run once, so that what is taken once is there.
    for nth in 0..40 {
        ask(&mut client, nth);
    }
    let before = taken_by(client.id());
    for nth in 0..CALLS {
        ask(&mut client, nth);
    }
    let after = taken_by(client.id());
    eprintln!("memory in KiB, open files, threads: {before:?}, then {after:?}");
    assert!(after.0 <= before.0 + MAX_GROWTH_KIB, "{before:?} {after:?}");
    assert!(after.1 <= before.1 + 2, "{before:?} {after:?}");
    assert!(after.2 <= before.2 + MAX_POOLED, "{before:?} {after:?}");
    assert_eq!(client.notifications, Vec::<Value>::new());
    assert_eq!(client.close(), Some(0));
}

#[test]
fn calls_at_the_same_time_are_each_answered_once() {
    let fakes = Fakes::new();
    let (mut client, _) = Client::initialized(fakes.place.command(&["mcp"]), LATEST);
    let params = json!({"name": "status", "arguments": {}});
    let begun: Vec<u64> = (0..20)
        .map(|_| client.begin("tools/call", params.clone()))
        .collect();
    let mut due: Vec<u64> = begun;
    while let Some(last) = due.last().copied() {
        // Answers of others that come before it are kept as what was not asked for.
        let answer = client.answer(last);
        assert!(answer["result"].is_object(), "{answer}");
        due.pop();
        let early = std::mem::take(&mut client.notifications);
        for message in early {
            let id = message["id"].as_u64().unwrap();
            let at = due.iter().position(|it| *it == id);
            due.remove(at.unwrap_or_else(|| panic!("{id} is answered twice")));
        }
    }
    assert_eq!(tools(&mut client).len(), 8);
    assert_eq!(client.close(), Some(0));
}

//! Configurations that another program writes while Agon edits them.

use std::cell::Cell;
use std::fs;

use agon_hosts::host::HOSTS;
use agon_hosts::install::{Action, Refusal, apply, apply_with_retries};
use agon_hosts::receipt::ReceiptError;

use super::home::{Home, compiled, step};

const CLAUDE: &str = ".claude.json";

#[test]
fn what_another_program_wrote_meanwhile_is_edited_again() {
    for host in HOSTS {
        let home = Home::new();
        let path = home
            .place(host.name)
            .places
            .server_file()
            .unwrap()
            .to_owned();
        let path = path.strip_prefix(home.path("")).unwrap().to_owned();
        let path = path.to_str().unwrap();
        let text = |n: u32| match path.ends_with(".toml") {
            true => format!("n = {n}\n"),
            false => format!("{{\n  \"n\": {n}\n}}\n"),
        };
        home.write(path, text(0).as_bytes());
        let left = Cell::new(3_u32);
        let write = || {
            if let Some(now) = left.get().checked_sub(1) {
                left.set(now);
                home.write(path, text(3 - now).as_bytes());
            }
        };
        let plan = home.plan(host.name);
        write();
        let steps = apply_with_retries(&home.place(host.name), plan, || {
            let plan = home.plan(host.name);
            write();
            Ok::<_, ReceiptError>(plan)
        });
        let steps = steps.unwrap();
        assert_eq!(step(&steps, "server").action, Action::Add, "{}", host.name);
        assert_eq!(step(&steps, "skill debate").action, Action::Add);
        assert!(
            steps.iter().all(|step| step.refusal.is_none()),
            "{steps:#?}"
        );
        assert!(home.read(path).contains("agon"), "{}", host.name);
        home.uninstall(host.name);
        assert_eq!(home.read(path), text(3), "{}", host.name);
    }
}

#[test]
fn a_file_that_never_comes_to_rest_is_left_and_the_person_told_what_to_do() {
    let home = Home::new();
    home.write(CLAUDE, b"{\"n\": 0}\n");
    let count = Cell::new(0_u32);
    let write = || {
        count.set(count.get() + 1);
        home.write(CLAUDE, format!("{{\"n\": {}}}\n", count.get()).as_bytes());
    };
    let plan = home.plan("claude");
    write();
    let steps = apply_with_retries(&home.place("claude"), plan, || {
        // What a plan waits for itself counts towards the limit.
        std::thread::sleep(std::time::Duration::from_millis(500));
        let plan = home.plan("claude");
        write();
        Ok::<_, ReceiptError>(plan)
    });
    assert!(count.get() < 8, "{} plans", count.get());
    let steps = steps.unwrap();
    let server = step(&steps, "server");
    assert_eq!(server.refusal, Some(Refusal::Busy));
    assert_eq!(
        server.reason.as_deref(),
        Some(
            "another program keeps writing to it: quit Claude Code and run \"agon install claude\" again"
        )
    );
    assert_eq!(
        step(&steps, "skill debate").refusal,
        Some(Refusal::NeedsServer)
    );
    assert_eq!(home.read(CLAUDE), format!("{{\"n\": {}}}\n", count.get()));
    let beside = fs::read_dir(home.path("")).unwrap();
    let left = beside.filter(|it| {
        it.as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .contains("agon-new")
    });
    assert_eq!(left.count(), 0);
    // Nothing was put in, so that nothing is taken out.
    home.uninstall("claude");
    assert_eq!(home.read(CLAUDE), format!("{{\"n\": {}}}\n", count.get()));
    assert!(!home.path(".local/share/agon/hosts").exists());
}

#[test]
fn a_file_that_is_half_written_is_read_once_it_is_whole() {
    for part in ["", "{\"n\": 1, \"history\": [", "{\"é"] {
        let home = Home::new();
        let bytes = &part.as_bytes()[..part.len() - usize::from(part.ends_with('é'))];
        home.write(CLAUDE, bytes);
        let whole = "{\"n\": 1, \"history\": [\"é\"]}\n";
        let steps = std::thread::scope(|scope| {
            let path = home.path(CLAUDE);
            scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(30));
                fs::write(path, whole).unwrap();
            });
            apply(
                &home.place("claude"),
                home.plan_as("claude", &compiled("claude"), "agon"),
            )
        });
        assert_eq!(
            step(&steps.unwrap(), "server").action,
            Action::Add,
            "{part}"
        );
        home.uninstall("claude");
        assert_eq!(home.read(CLAUDE), whole);
    }
}

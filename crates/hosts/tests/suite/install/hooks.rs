//! Hooks in a configuration: put in once, whatever became of the file and of the entries in it.

use std::fs;
use std::path::PathBuf;

use agon_hosts::hook::{HookEvent, HookSetup};
use agon_hosts::host::{HOSTS, Host};
use agon_hosts::install::{Action, apply, plan};

use super::home::{Home, compiled, step};

/// The hosts whose hooks stand in a file with other settings.
fn hosts() -> impl Iterator<Item = &'static Host> {
    let has_lists =
        |host: &&Host| matches!(host.hooks.setup(host.name, "agon"), HookSetup::Lists(_));
    HOSTS.iter().filter(has_lists)
}

fn file(home: &Home, host: &Host) -> PathBuf {
    home.place(host.name).places.hooks
}

/// How often each event is asked for.
fn counts(home: &Home, host: &Host) -> Vec<usize> {
    let text = fs::read_to_string(file(home, host)).unwrap_or_default();
    let lines = HookEvent::TEAM.map(|event| format!("hook {} {}", host.name, event.name()));
    let counted = lines.iter().map(|line| text.matches(line.as_str()).count());
    counted.collect()
}

/// What is installed where a team is not wanted.
fn install_without_hooks(home: &Home, host: &Host) -> Vec<agon_hosts::install::Step> {
    let place = home.place(host.name);
    let entry = place
        .host
        .server
        .agon_entry(&["agon".to_owned(), "mcp".to_owned()]);
    let planned = plan(&place, &compiled(host.name), &entry, None, "1.0.0").unwrap();
    apply(&place, planned).unwrap()
}

#[test]
fn hooks_whose_file_is_gone_are_put_in_again_once_and_leave_nothing() {
    for host in hosts() {
        let home = Home::new();
        let before = home.tree();
        home.install(host.name);
        fs::remove_file(file(&home, host)).unwrap();
        home.install(host.name);
        assert_eq!(counts(&home, host), [1; 5], "{}", host.name);
        assert!(home.plan(host.name).is_empty(), "{}", host.name);
        home.uninstall(host.name);
        assert_eq!(home.tree(), before, "{}", host.name);
    }
}

#[test]
fn a_file_of_the_users_that_is_gone_is_agons_when_agon_makes_it() {
    for host in hosts() {
        let home = Home::new();
        let path = file(&home, host);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let before = home.tree();
        fs::write(&path, "{\"theme\": \"x\"}").unwrap();
        home.install(host.name);
        fs::remove_file(&path).unwrap();
        home.install(host.name);
        home.uninstall(host.name);
        assert_eq!(home.tree(), before, "{}", host.name);
    }
}

#[test]
fn no_file_is_made_to_take_hooks_out_of() {
    for host in hosts() {
        let home = Home::new();
        let path = file(&home, host);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "{}").unwrap();
        home.install(host.name);
        fs::remove_file(&path).unwrap();
        // Gemini CLI has its server in the same file.
        let is_servers = home.place(host.name).places.server_file().unwrap() == path;
        let steps = install_without_hooks(&home, host);
        assert_eq!(step(&steps, "hooks").action, Action::Same, "{}", host.name);
        assert_eq!(path.exists(), is_servers, "{}", host.name);
        assert_eq!(counts(&home, host), [0; 5], "{}", host.name);
        let again = install_without_hooks(&home, host);
        assert!(again.iter().all(|step| step.part.title() != "hooks"));
    }
}

#[test]
fn an_entry_that_the_user_edited_is_theirs_and_is_not_put_in_twice() {
    for host in hosts() {
        for (old, new) in [
            ("agon hook", "nice agon hook"),
            ("\"timeout\": 5", "\"timeout\": 9"),
        ] {
            let home = Home::new();
            home.install(host.name);
            let path = file(&home, host);
            let text = fs::read_to_string(&path).unwrap();
            let edited = text.replacen(old, new, 1);
            assert_ne!(edited, text);
            fs::write(&path, &edited).unwrap();
            let steps = home.install(host.name);
            let hooks = step(&steps, "hooks");
            assert_eq!(hooks.action, Action::Keep, "{}: {hooks:?}", host.name);
            assert_eq!(fs::read_to_string(&path).unwrap(), edited, "{}", host.name);
            assert!(home.plan(host.name).is_empty(), "{}", host.name);
            // A later program: four entries change, and that of the user stays.
            home.install_as(host.name, &compiled(host.name), "/opt/agon");
            assert_eq!(counts(&home, host), [1; 5], "{}", host.name);
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!(text.matches("/opt/agon hook").count(), 4, "{text}");
            // With their edit taken back, all are Agon's again.
            fs::write(&path, text.replacen(new, old, 1)).unwrap();
            home.uninstall(host.name);
            assert_eq!(counts(&home, host), [0; 5], "{}", host.name);
        }
    }
}

#[test]
fn what_the_user_made_of_an_entry_stays_when_agon_goes() {
    for host in hosts() {
        let home = Home::new();
        home.install(host.name);
        let path = file(&home, host);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("agon hook", "nice agon hook", 1)).unwrap();
        let steps = home.uninstall(host.name);
        let hooks = step(&steps, "hooks");
        assert_eq!(hooks.action, Action::Remove, "{}", host.name);
        assert!(
            hooks
                .reason
                .as_deref()
                .unwrap()
                .contains("so that part is kept")
        );
        assert_eq!(counts(&home, host), [1, 0, 0, 0, 0], "{}", host.name);
    }
}

//! Servers besides Agon's: put in, taken out when no role gets them, and left where they are not Agon's.

use std::fs;

use agon_hosts::compile::Compiled;
use agon_hosts::host::HOSTS;
use agon_hosts::install::Action;
use serde_json::json;

use super::home::{Home, compiled, step};

/// What is installed, with these servers besides.
fn with_servers(host: &str, names: &[&str]) -> Compiled {
    let servers = names.iter();
    let servers = servers.map(|name| ((*name).to_owned(), json!({"command": name, "args": []})));
    Compiled {
        servers: servers.collect(),
        ..compiled(host)
    }
}

/// The file of servers of a host in this home.
fn servers_file(home: &Home, host: &str) -> std::path::PathBuf {
    let place = home.place(host);
    place.places.server_file().unwrap().to_owned()
}

#[test]
fn an_empty_home_is_empty_again_with_several_servers() {
    for host in HOSTS {
        let home = Home::new();
        let before = home.tree();
        home.install_as(
            host.name,
            &with_servers(host.name, &["desk", "tracker"]),
            "agon",
        );
        let text = fs::read_to_string(servers_file(&home, host.name)).unwrap();
        for name in ["agon", "desk", "tracker"] {
            assert!(text.contains(name), "{}: {text}", host.name);
        }
        home.uninstall(host.name);
        assert_eq!(home.tree(), before, "{}", host.name);
    }
}

#[test]
fn a_server_that_no_role_gets_any_more_goes_and_the_others_stay() {
    for host in HOSTS {
        let home = Home::new();
        home.install_as(host.name, &with_servers(host.name, &["tracker"]), "agon");
        let with_one = fs::read_to_string(servers_file(&home, host.name)).unwrap();
        home.install_as(
            host.name,
            &with_servers(host.name, &["desk", "tracker"]),
            "agon",
        );
        let steps = home.install_as(host.name, &with_servers(host.name, &["tracker"]), "agon");
        assert_eq!(step(&steps, "server desk").action, Action::Remove);
        assert_eq!(step(&steps, "server tracker").action, Action::Same);
        let now = fs::read_to_string(servers_file(&home, host.name)).unwrap();
        assert_eq!(now, with_one, "{}", host.name);
        let again = home.plan_as(host.name, &with_servers(host.name, &["tracker"]), "agon");
        assert!(again.is_empty(), "{:#?}", again.steps);
    }
}

#[test]
fn a_server_of_the_user_with_that_name_stays_also_when_agon_goes() {
    let home = Home::new();
    let file = servers_file(&home, "claude");
    let theirs = "{\n  \"mcpServers\": {\n    \"desk\": {\"command\": \"mine\"}\n  }\n}\n";
    fs::write(&file, theirs).unwrap();
    let steps = home.install_as("claude", &with_servers("claude", &["desk"]), "agon");
    assert_eq!(step(&steps, "server desk").action, Action::Keep);
    home.uninstall("claude");
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
}

#[test]
fn a_server_that_the_user_changed_is_theirs() {
    let home = Home::new();
    home.install_as("claude", &with_servers("claude", &["desk"]), "agon");
    let file = servers_file(&home, "claude");
    let text = fs::read_to_string(&file).unwrap();
    let changed = text.replace("\"command\": \"desk\"", "\"command\": \"mine\"");
    assert_ne!(changed, text);
    fs::write(&file, changed).unwrap();
    let steps = home.install_as("claude", &compiled("claude"), "agon");
    assert_eq!(step(&steps, "server desk").action, Action::Keep);
    home.uninstall("claude");
    assert!(fs::read_to_string(&file).unwrap().contains("\"mine\""));
}

#[test]
fn a_server_that_could_not_be_taken_out_is_known_and_goes_the_next_time() {
    for host in HOSTS {
        let home = Home::new();
        home.install_as(host.name, &with_servers(host.name, &["desk"]), "agon");
        let file = servers_file(&home, host.name);
        let with_desk = fs::read_to_string(&file).unwrap();
        let path = file.strip_prefix(home.path("")).unwrap().to_str().unwrap();
        home.set_mode(path, 0o444);
        let steps = home.install_as(host.name, &compiled(host.name), "agon");
        let desk = step(&steps, "server desk");
        assert_eq!(desk.action, Action::Refuse, "{}: {desk:?}", host.name);
        assert_eq!(fs::read_to_string(&file).unwrap(), with_desk);
        home.set_mode(path, 0o600);
        let steps = home.install_as(host.name, &compiled(host.name), "agon");
        assert_eq!(step(&steps, "server desk").action, Action::Remove);
        let again = home.plan_as(host.name, &compiled(host.name), "agon");
        assert!(again.is_empty(), "{:#?}", again.steps);
        assert!(!fs::read_to_string(&file).unwrap().contains("desk"));
    }
}

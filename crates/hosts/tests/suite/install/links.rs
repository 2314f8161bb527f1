//! A stranger's project whose links lead out of it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;

use agon_hosts::host::{HostEnv, Scope, find_host};
use agon_hosts::install::{Installation, apply, plan, uninstall};

use super::home::{Home, compiled};

fn place(home: &Home, host: &str) -> Installation {
    let env = HostEnv {
        home: home.path("home"),
        vars: BTreeMap::new(),
    };
    let receipts = home.path("home/.local/share/agon/hosts");
    let scope = Scope::Project(home.path("project"));
    Installation::new(find_host(host).unwrap(), scope, &env, &receipts)
}

/// Why nothing is planned for the project of a home; none where it is installed.
fn refusal(home: &Home, host: &str) -> Option<String> {
    let place = place(home, host);
    let entry = place
        .host
        .server
        .agon_entry(&["agon".to_owned(), "mcp".to_owned()]);
    let hooks = place.host.hooks.setup(host, "agon");
    match plan(&place, &compiled(host), &entry, Some(&hooks), "1.0.0") {
        Err(error) => Some(error.to_string()),
        Ok(plan) => {
            apply(&place, plan).unwrap();
            None
        }
    }
}

fn home() -> Home {
    let home = Home::new();
    home.write("home/.claude/settings.json", b"{}\n");
    fs::create_dir_all(home.path("project")).unwrap();
    home
}

#[test]
fn a_file_or_folder_that_leads_out_of_the_project_is_refused_and_nothing_is_written() {
    for (link, target) in [
        (".claude", "../home/.claude"),
        (".mcp.json", "../home/.claude.json"),
        (".claude/settings.json", "../../home/.claude/settings.json"),
        (".claude/skills", "../../home"),
    ] {
        let home = home();
        home.write("home/.claude.json", b"{}\n");
        let at = home.path("project").join(link);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        symlink(target, &at).unwrap();
        let before = home.tree();
        let refused = refusal(&home, "claude").unwrap_or_default();
        assert!(refused.contains("outside the project"), "{link}: {refused}");
        assert!(refused.contains("/home"), "{link}: {refused}");
        assert_eq!(home.tree(), before, "{link}");
    }
}

#[test]
fn a_link_within_the_project_is_followed_and_one_that_is_put_there_later_stops_the_removal() {
    let home = home();
    fs::create_dir_all(home.path("project/tools")).unwrap();
    symlink("tools", home.path("project/.claude")).unwrap();
    assert_eq!(refusal(&home, "claude"), None);
    assert!(home.path("project/tools/skills").is_dir());
    fs::rename(home.path("project/tools"), home.path("home/tools")).unwrap();
    symlink("../home/tools", home.path("project/tools")).unwrap();
    let before = home.tree();
    let refused = uninstall(&place(&home, "claude"), false).unwrap_err();
    assert!(refused.to_string().contains("outside the project"));
    assert_eq!(home.tree(), before);
}

#[test]
fn a_link_to_what_is_not_there_makes_nothing_there() {
    let home = home();
    let at = home.path("project/.mcp.json");
    symlink("../home/missing.json", &at).unwrap();
    refusal(&home, "claude");
    assert!(!home.path("home/missing.json").exists());
    assert!(fs::symlink_metadata(&at).unwrap().is_symlink());
}

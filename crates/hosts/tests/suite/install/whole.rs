//! Into an empty home and out of it, twice over, and up to date.

use agon_hosts::host::HOSTS;
use agon_hosts::install::{Action, InstalledPart};
use agon_hosts::lint::{lint, read_tree};

use super::home::{Home, actions, compiled, step};

#[test]
fn an_empty_home_is_empty_again() {
    for host in HOSTS {
        let home = Home::new();
        let before = home.tree();
        let steps = home.install(host.name);
        assert_eq!(
            actions(&steps).keys().collect::<Vec<_>>(),
            [&"add"],
            "{}",
            host.name
        );
        assert_ne!(home.tree(), before);
        home.uninstall(host.name);
        assert_eq!(home.tree(), before, "{}", host.name);
    }
}

#[test]
fn what_is_installed_passes_the_check_of_hosts() {
    for host in HOSTS {
        let home = Home::new();
        let mut steps = home.install(host.name);
        // Hooks are checked by the hosts that have them, and stand in a file with a server or alone.
        let hooks = steps
            .iter()
            .position(|step| step.part == InstalledPart::Hooks);
        let hooks = steps.remove(hooks.unwrap());
        if steps.iter().all(|step| step.path != hooks.path) {
            std::fs::remove_file(&hooks.path).unwrap();
        }
        // A receipt is no file of a host.
        std::fs::remove_dir_all(home.path(".local")).unwrap();
        let files = read_tree(&home.path("")).unwrap().files;
        let lint = lint(&files, None);
        assert_eq!(
            (lint.checked, lint.findings),
            (steps.len(), vec![]),
            "{}",
            host.name
        );
    }
}

#[test]
fn a_second_time_changes_nothing() {
    for host in HOSTS {
        let home = Home::new();
        home.install(host.name);
        let after = home.tree();
        let plan = home.plan(host.name);
        assert!(plan.is_empty(), "{}: {:#?}", host.name, plan.steps);
        let steps = home.install(host.name);
        assert_eq!(actions(&steps).keys().collect::<Vec<_>>(), [&"same"]);
        assert_eq!(home.tree(), after);
    }
}

#[test]
fn a_version_that_writes_the_same_files_is_known_afterwards() {
    use agon_hosts::host::find_host;
    use agon_hosts::install::{apply, plan};
    use agon_hosts::receipt::Receipt;
    let home = Home::new();
    home.install("claude");
    let place = home.place("claude");
    let command = ["agon".to_owned(), "mcp".to_owned()];
    let entry = find_host("claude").unwrap().server.agon_entry(&command);
    let hooks = place.host.hooks.setup("claude", "agon");
    let later = plan(&place, &compiled("claude"), &entry, Some(&hooks), "2.0.0").unwrap();
    assert!(later.is_empty());
    apply(&place, later).unwrap();
    let receipt = Receipt::read(&place.receipt).unwrap().unwrap();
    assert_eq!(receipt.version, "2.0.0");
}

#[test]
fn hosts_do_not_touch_each_other() {
    let home = Home::new();
    let mut states = vec![home.tree()];
    for host in HOSTS {
        home.install(host.name);
        states.push(home.tree());
    }
    for host in HOSTS.iter().rev() {
        states.pop();
        home.uninstall(host.name);
        // A folder that an earlier host made is left to it.
        assert_eq!(Some(&home.tree()), states.last(), "{}", host.name);
    }
}

#[test]
fn an_older_installation_is_brought_up_to_date_and_an_edited_file_stays() {
    for host in HOSTS {
        let home = Home::new();
        let before = home.tree();
        let mut older = compiled(host.name);
        for file in &mut older.files {
            file.text.push_str("older\n");
        }
        let gone = older.files[0].clone();
        older.files.push(agon_hosts::compile::CompiledFile {
            path: gone.path.replace("debate", "gone"),
            name: "gone".to_owned(),
            ..gone
        });
        home.install_as(host.name, &older, "/old/agon");
        let edited = home.place(host.name).places.skills.join("consult/SKILL.md");
        std::fs::write(&edited, "mine").unwrap();

        let steps = home.install(host.name);
        let consult = step(&steps, "skill consult");
        assert_eq!(consult.action, Action::Keep, "{}", host.name);
        assert_eq!(step(&steps, "skill gone").action, Action::Remove);
        assert_eq!(step(&steps, "server").action, Action::Update);
        let rest = steps.iter().filter(|step| step.action == Action::Update);
        assert_eq!(rest.count(), steps.len() - 2, "{}", host.name);
        assert_eq!(std::fs::read_to_string(&edited).unwrap(), "mine");
        assert!(home.install(host.name).iter().all(|step| {
            let is_edited = step.part
                == InstalledPart::File(agon_hosts::compile::Kind::Skill, "consult".into());
            step.action
                == if is_edited {
                    Action::Keep
                } else {
                    Action::Same
                }
        }));

        let steps = home.uninstall(host.name);
        assert_eq!(step(&steps, "skill consult").action, Action::Keep);
        std::fs::remove_file(&edited).unwrap();
        let mut folder = edited.parent().unwrap();
        while std::fs::remove_dir(folder).is_ok() {
            folder = folder.parent().unwrap();
            if folder == home.path("") {
                break;
            }
        }
        assert_eq!(home.tree(), before, "{}", host.name);
    }
}

#[test]
fn variables_of_hosts_say_where_their_files_are() {
    use agon_hosts::host::{HostEnv, Scope, find_host};
    let places = |host: &str, name: &str| {
        let env = HostEnv {
            home: "/h".into(),
            vars: [(name.to_owned(), "/d".to_owned())].into(),
        };
        let places = (find_host(host).unwrap().places)(&env, &Scope::User);
        let skills = places.skills.display().to_string();
        (skills, places.servers[0].display().to_string())
    };
    let expected = |skills: &str, server: &str| (skills.to_owned(), server.to_owned());
    for (host, name, skills, server) in [
        ("claude", "", "/h/.claude/skills", "/h/.claude.json"),
        (
            "claude",
            "CLAUDE_CONFIG_DIR",
            "/d/skills",
            "/d/.claude.json",
        ),
        ("codex", "", "/h/.codex/skills", "/h/.codex/config.toml"),
        ("codex", "CODEX_HOME", "/d/skills", "/d/config.toml"),
        (
            "gemini",
            "",
            "/h/.gemini/skills",
            "/h/.gemini/settings.json",
        ),
        (
            "gemini",
            "GEMINI_CLI_HOME",
            "/d/.gemini/skills",
            "/d/.gemini/settings.json",
        ),
        (
            "opencode",
            "",
            "/h/.config/opencode/skills",
            "/h/.config/opencode/opencode.json",
        ),
        (
            "opencode",
            "XDG_CONFIG_HOME",
            "/d/opencode/skills",
            "/d/opencode/opencode.json",
        ),
        (
            "copilot",
            "",
            "/h/.copilot/skills",
            "/h/.copilot/mcp-config.json",
        ),
        ("copilot", "COPILOT_HOME", "/d/skills", "/d/mcp-config.json"),
    ] {
        assert_eq!(
            places(host, name),
            expected(skills, server),
            "{host} {name}"
        );
    }
}

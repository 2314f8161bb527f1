use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;

/// Returns the vendor that must be allowed before a built-in tool is asked.
fn missing(consent: &Consent, tool: &str) -> Option<String> {
    let profiles = agon_agents::profile::Profiles::builtin().unwrap();
    let profile = profiles.find(&tool.parse().unwrap()).unwrap();
    consent.missing(profile, &Environment::new([("", ""); 0]))
}

fn caller(home: &Path, cwd: &Path) -> Caller {
    let vars = [("HOME".into(), home.as_os_str().to_owned())];
    Caller::new(BTreeMap::from(vars), cwd)
}

#[test]
fn answers_are_kept_by_project_and_withdrawn() {
    let home = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| home.path().join(name));
    for project in [&one, &other] {
        fs::create_dir(project).unwrap();
    }
    let [in_one, in_other] = [&one, &other].map(|project| caller(home.path(), project));
    let vendors =
        |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    allow_vendors(&in_one, &vendors(&["openai", "google"])).unwrap();
    allow_vendors(&in_other, &vendors(&["openai"])).unwrap();
    let unknown = allow_vendors(&in_one, &vendors(&["opnai"])).unwrap_err();
    assert!(unknown.message.contains("opnai"), "{}", unknown.message);

    let withdrawn = withdraw_vendors(&in_one, &vendors(&["openai"]), false).unwrap();
    assert_eq!(withdrawn.withdrawn, BTreeSet::from(["openai".to_owned()]));
    let left = ConsentDoc::read(&in_other, BTreeSet::new()).unwrap();
    let left: Vec<_> = left.projects.into_values().collect();
    assert_eq!(
        left,
        [
            BTreeSet::from(["google".to_owned()]),
            BTreeSet::from(["openai".to_owned()])
        ]
    );

    let withdrawn = withdraw_vendors(&in_one, &[], true).unwrap();
    assert_eq!(withdrawn.withdrawn.len(), 2);
    assert!(withdrawn.projects.is_empty());
}

#[test]
fn a_withdrawal_holds_for_debates_that_were_opened_before() {
    let home = tempfile::tempdir().unwrap();
    let caller = caller(home.path(), home.path());
    let granted = ["codex".parse().unwrap()];
    let missing = |named: &[&str]| {
        let mut consent = Consent::read(&caller, &granted).unwrap();
        consent.name(named.iter().map(|name| name.parse().unwrap()));
        missing(&consent, "codex")
    };
    assert_eq!(missing(&[]), None);
    for vendors in [vec!["openai".to_owned()], Vec::new()] {
        withdraw_vendors(&caller, &vendors, false).unwrap();
        assert_eq!(missing(&[]).as_deref(), Some("openai"));
        assert_eq!(missing(&["codex"]), None);
        allow_vendors(&caller, &["openai".to_owned()]).unwrap();
        assert_eq!(missing(&[]), None);
    }
}

#[test]
fn a_damaged_file_allows_nothing_and_is_not_overwritten() {
    let home = tempfile::tempdir().unwrap();
    let caller = caller(home.path(), home.path());
    let file = caller.data_dir().unwrap().join("consents/answers.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    for bytes in [
        "",
        "{}",
        "{\"schema\": \"agon.consents/9\", \"projects\": {}}",
    ] {
        fs::write(&file, bytes).unwrap();
        let consent = Consent::read(&caller, &[]).unwrap();
        let failure = consent.failure(&[("codex".parse().unwrap(), "openai".to_owned())]);
        assert!(failure.message.contains("answers.json"), "{bytes}");
        assert_eq!(missing(&consent, "codex").as_deref(), Some("openai"));
        assert!(allow_vendors(&caller, &["openai".to_owned()]).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), bytes);
    }
}

#[test]
fn a_tool_of_the_users_own_configuration_may_be_asked_but_not_one_of_the_projects() {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join("project");
    fs::create_dir_all(home.path().join(".config/agon")).unwrap();
    fs::create_dir(&project).unwrap();
    let own = format!("judge = \"gemini\"\ntrust = [{project:?}]\n");
    fs::write(home.path().join(".config/agon/config.toml"), own).unwrap();
    fs::write(project.join("agon.toml"), "proposer = \"claude\"\n").unwrap();
    let caller = caller(home.path(), &project);
    let granted = ["codex".parse().unwrap()];
    let consent = Consent::read(&caller, &granted).unwrap();
    let all = ["gemini", "codex", "human", "claude"].map(|tool| missing(&consent, tool));
    assert_eq!(all, [None, None, None, Some("anthropic".to_owned())]);
}

#[test]
fn work_trees_of_a_repository_share_its_answers() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    let [main, linked] = ["main", "linked"].map(|name| home.join(name));
    let git = main.join(".git/worktrees/linked");
    for folder in [
        &git,
        &linked,
        &main.join(".git/objects"),
        &main.join(".git/refs"),
    ] {
        fs::create_dir_all(folder).unwrap();
    }
    let write = |path: &Path, text: &str| fs::write(path, text).unwrap();
    write(&main.join(".git/HEAD"), "ref: refs/heads/main\n");
    write(&git.join("HEAD"), "ref: refs/heads/linked\n");
    write(&git.join("commondir"), "../..\n");
    write(
        &git.join("gitdir"),
        &format!("{}\n", linked.join(".git").display()),
    );
    write(
        &linked.join(".git"),
        &format!("gitdir: {}\n", git.display()),
    );
    assert_eq!(project_of(&caller(&home, &linked)), main);
    assert_eq!(project_of(&caller(&home, &main)), main);

    // A git folder that was unpacked with a project, and leads to another repository.
    let unpacked = home.join("unpacked");
    let git = unpacked.join(".git");
    fs::create_dir_all(&git).unwrap();
    write(&git.join("HEAD"), "ref: refs/heads/main\n");
    write(&git.join("commondir"), "../../main/.git\n");
    write(&git.join("gitdir"), "../.git\n");
    assert_eq!(project_of(&caller(&home, &unpacked)), unpacked);

    // A folder that only claims to be a work tree is a project of its own.
    let claims = home.join("claims");
    fs::create_dir(&claims).unwrap();
    write(
        &claims.join(".git"),
        &format!("gitdir: {}\n", git.display()),
    );
    assert_eq!(project_of(&caller(&home, &claims)), claims);
}

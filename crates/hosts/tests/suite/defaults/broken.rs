//! Broken files of the defaults, each with one fault.

use agon_hosts::defaults::DefaultsKind;

/// A broken file, with the line and the words of its fault.
pub(super) struct Broken {
    pub(super) kind: DefaultsKind,
    pub(super) text: &'static str,
    pub(super) fault: &'static str,
}

const fn broken(kind: DefaultsKind, text: &'static str, fault: &'static str) -> Broken {
    Broken { kind, text, fault }
}

/// Every one.
pub(super) const BROKEN: &[Broken] = &[
    broken(
        DefaultsKind::Agents,
        "[roles.scout]\neffort = \"high\"\n",
        "1: it does not say which file it is; write `schema = \"agon.agents/1\"`",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.teams/1\"\n[roles.scout]\neffort = \"high\"\n",
        "1: it says that it is `agon.teams/1`; write `schema = \"agon.agents/1\"`",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout\neffort = \"high\"\n",
        "2: unclosed table, expected `]`; `agon schema agon.agents/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout]\nefort = \"high\"\n",
        "3: unknown field `efort`, expected one of `model`, `models`, `effort`, `temperature`, `may`, `agon`, `skills`; `agon schema agon.agents/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout]\neffort = \"extreme\"\n",
        "3: unknown variant `extreme`, expected one of `low`, `medium`, `high`, `max`; `agon schema agon.agents/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n\n[roles.scot]\neffort = \"high\"\n",
        "3: there is no role `scot`; there is lead, planner, strategist, advisor, scout, librarian, worker, heavy-worker, deep-worker, quick, ui-worker, ui-heavy-worker, executor, reviewer, validator, qa, auditor, critic, devil, scribe",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[models.cloud]\nfast = \"haiku\"\n",
        "2: there is no host `cloud`; there is claude, codex, gemini, opencode, copilot",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[models.claude]\nfast = \"haiku\"\nstrong = \"\"\n",
        "4: it names no model; name a model, or `session`",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.qa]\neffort = \"max\"\ntemperature = 3.0\n",
        "4: its temperature is out of range; give a number from 0 to 2",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout]\nmay = [\"read\", \"edit\"]\n",
        "3: the role `scout` may not edit; a setting takes away and never gives: choose a role that may",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout]\nmay = []\n",
        "3: it may do nothing at all; leave at least `read`, or leave the role out of the team",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead]\nmay = [\"delegate\"]\n",
        "3: it may not read; leave at least `read`, or leave the role out of the team",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead.models]\nopencode = \"opus\"\n",
        "3: OpenCode knows no model `opus`; write it as `PROVIDER/MODEL`, or `session`",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\nprofile = \"careless\"\n",
        "2: there is no profile `careless`; there is minimal, offline, standard, strict",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead]\nagon = [\"debate\"]\n",
        "3: there is no tool of Agon's server `debate`; there is debate_start, debate_wait, debate_result, debate_steer, debate_ask, consult, recall, status, task, mail, lock, gate",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead]\nskills = [\"task-decomposition\", \"planning\"]\n",
        "3: there is no skill `planning`; there is debate, consult, formal-debate, decision-record, advanced-evaluation, context-degradation, context-engineering, design-first, dispatching-parallel-agents, drift-analysis, evaluation, executing-plans, handoff-protocols, judge-with-debate, parallel-investigation, prompt-engineering, reflexion-critique, reflexion-reflect, root-cause-analysis, structured-code-review, task-decomposition, test-prompt, thought-based-reasoning, verification-before-completion, verification-gates",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead.models]\nvim = \"gpt\"\n",
        "3: there is no host `vim`; there is claude, codex, gemini, opencode, copilot",
    ),
    broken(
        DefaultsKind::Flags,
        "[set]\nparallel = 2\n",
        "1: it does not say which file it is; write `schema = \"agon.flags/1\"`",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[flags.fast]\nabout = \"a\"\ntype = \"bool\"\ndefault = true\neffect = \"b\"\n",
        "3: flags are declared by Agon alone; set its value below `[set]`",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 2\nparalel = 2\n",
        "4: there is no flag `paralel`; there is ask-irreversible, authority, debate-changes, debate-plans, parallel, review-rounds, skills-share",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\ndebate-plans = \"yes\"\n",
        "3: `debate-plans` is not true or false; Debate a run's plan before its tasks begin. Without a debate, the planner answers the objections of the team's critic and devil in the plan.",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 2\nworktrees = true\n",
        "4: the flag `worktrees` was removed; delete it: every member has a work tree of its own",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 17\n",
        "3: `parallel` is not a whole number from 1 to 16; How many tasks a run works on at once. The members of the team and the processors of the machine are further bounds.",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = \"2\"\n",
        "3: `parallel` is not a whole number from 1 to 16; How many tasks a run works on at once. The members of the team and the processors of the machine are further bounds.",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nauthority = \"unstable\"\n",
        "3: `authority` is not one of full, partial; The least authority of a verdict on a plan or a change. `partial`: a verdict that lost a turn counts too. `unstable` and `uncontested` never do.",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nauthority = [\"full\"]\n",
        "3: a value is true, false, a whole number or a word; `agon schema agon.flags/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\nset = true\n",
        "2: invalid type: boolean `true`, expected a map; `agon schema agon.flags/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[sets]\nparallel = 2\n",
        "2: unknown field `sets`, expected one of `schema`, `flags`, `set`; `agon schema agon.flags/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 2\nparallel = 3\n",
        "4: duplicate key; `agon schema agon.flags/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 2.5\n",
        "3: a value is true, false, a whole number or a word; `agon schema agon.flags/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.agon]\ncommand = [\"agon\", \"mcp\"]\n",
        "3: Agon's own server has no `command`; delete it: `agon install` knows how to start it",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"large\"\n",
        "4: there is no team `large`; there is full, interface, research, small, solo",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nteam = \"small\"\n",
        "2: it does not say what it is for; add `about`, a line",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\n",
        "2: it names no team; add `team`, the name of one",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\n\n[profiles.mine.set]\nparalel = 2\n",
        "7: there is no flag `paralel`; there is ask-irreversible, authority, debate-changes, debate-plans, parallel, review-rounds, skills-share",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\nset = { parallel = 0 }\n",
        "5: `parallel` is not a whole number from 1 to 16; How many tasks a run works on at once. The members of the team and the processors of the machine are further bounds.",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\nservers = [\"doc\"]\n",
        "5: there is no server `doc`; there is agon, docs",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\nwithout = [\"internet\"]\n",
        "5: unknown variant `internet`, expected one of `read`, `edit`, `run`, `network`, `delegate`; `agon schema agon.profiles/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\nwithout = [\"read\"]\n",
        "5: it forbids every role to read; take `read` out; a role that reads nothing does nothing",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.offline]\nservers = [\"docs\"]\n",
        "3: it forbids the network and has the server `docs`; leave one of the two out",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.My_Own]\nabout = \"a\"\nteam = \"small\"\n",
        "2: `My_Own` is not a name; use lower-case letters, digits and hyphens between them",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.strict]\neffort = \"highest\"\n",
        "3: unknown variant `highest`, expected one of `low`, `medium`, `high`, `max`; `agon schema agon.profiles/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.strict]\nmembers = { qa = 2 }\n",
        "3: unknown field `members`, expected one of `about`, `team`, `effort`, `servers`, `without`, `set`; `agon schema agon.profiles/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profil.strict]\nteam = \"small\"\n",
        "2: unknown field `profil`, expected one of `schema`, `profile`, `profiles`; `agon schema agon.profiles/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profile.strict]\nteam = \"small\"\n",
        "2: invalid type: map, expected a string; `agon schema agon.profiles/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.mine]\nabout = \"a\"\n",
        "2: it has no members; give `members`, as `worker = 1`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.mine]\nmembers = { worker = 1, reviewer = 1 }\nchecked_by = [\"reviewer\"]\n",
        "2: it does not say what it is for; add `about`, a line",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small.members]\nworker = 3\nreviwer = 1\n",
        "4: there is no role `reviwer`; there is lead, planner, strategist, advisor, scout, librarian, worker, heavy-worker, deep-worker, quick, ui-worker, ui-heavy-worker, executor, reviewer, validator, qa, auditor, critic, devil, scribe",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nmembers = { worker = 17 }\n",
        "3: it has 17 members of one role; give a number from 0 to 16",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nmembers = { worker = -1 }\n",
        "3: it has -1 members of one role; give a number from 0 to 16",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nmembers = { worker = 300 }\n",
        "3: it has 300 members of one role; give a number from 0 to 16",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nlead = \"lead\"\n",
        "3: unknown field `lead`, expected one of `about`, `members`, `checked_by`, `hosts`; `agon schema agon.teams/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small.members]\nlead = 1\n",
        "3: no run calls the role `lead`; delete it; `docs/roster.md` lists the roles of a run",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small.members]\nplanner = 2\n",
        "3: a run calls `planner` once at a time, and it has 2; give 0 or 1",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo.members]\nscout = 1\n",
        "3: `scout` speaks to the planner, and the team has none; add `planner = 1`, or delete it",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo.members]\nqa = 1\n",
        "3: `qa` is a member and `checked_by` does not name it; add it to `checked_by`, or delete it",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.research.members]\nscribe = 0\n",
        "2: none of its members makes changes; add a role that makes changes, as `worker = 1`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo]\nchecked_by = [\"reviewer\", \"auditor\"]\n",
        "3: `auditor` checks and is not a member; add the role to `members`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo]\nchecked_by = [\"reviewer\", \"worker\"]\n",
        "3: `worker` does not check changes; choose one of `reviewer`, `validator`, `qa`, `auditor`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo]\nchecked_by = [\"reviewer\", \"reviewer\"]\n",
        "3: it names `reviewer` twice; name each role once",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo]\nchecked_by = []\nmembers = { reviewer = 0 }\n",
        "3: its members edit and none of them checks; add `checked_by = [\"reviewer\"]` and the member",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nmembers = { reviewer = 0 }\n",
        "3: `reviewer` checks and is not a member; add the role to `members`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nhosts = { qa = \"codex\" }\n",
        "3: `qa` has a host and is not a member; add the role to `members`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nhosts = { worker = \"cursor\" }\n",
        "3: there is no host `cursor`; there is claude, codex, gemini, opencode, copilot",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.\"our team\"]\nabout = \"a\"\nmembers = { worker = 1, reviewer = 1 }\nchecked_by = [\"reviewer\"]\n",
        "2: `our team` is not a name; use lower-case letters, digits and hyphens between them",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\n",
        "2: it is neither a program nor an address; give `command`, as `[\"agon\", \"mcp\"]`, or `url`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.docs]\nurl = \"http://127.0.0.1:1/mcp\"\n",
        "3: it is a program and an address; leave `command` or `url` out",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.agon]\nurl = \"http://127.0.0.1:1/mcp\"\n",
        "3: Agon's own server has no `url`; delete it: `agon install` knows how to start it",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\ncommand = [\"npx\", \"-y\", \"@a/b\"]\n",
        "5: `@a/b` has no version: another program could run tomorrow; write `@a/b@1.2.3`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\ncommand = [\"uvx\", \"tool@latest\"]\n",
        "5: `tool@latest` has no version: another program could run tomorrow; write `tool@1.2.3`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\nurl = \"http://example.com/mcp\"\nnetwork = true\n",
        "5: `http://example.com/mcp` is not a safe address; use https, or http on 127.0.0.1",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\nurl = \"https://example.com/mcp\"\n",
        "2: it is elsewhere and says that it is here; add `network = true`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\ncommand = [\"x\"]\nenv = [\"TOKEN=abc\"]\n",
        "6: an entry of `env` is not the name of a variable; give names alone, as `TRACKER_TOKEN`; no values",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\ncommand = [\"x\"]\n",
        "2: no role gets it; name the roles that need it, in `roles`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.agon]\nroles = [\"lead\", \"libarian\"]\n",
        "3: there is no role `libarian`; there is lead, planner, strategist, advisor, scout, librarian, worker, heavy-worker, deep-worker, quick, ui-worker, ui-heavy-worker, executor, reviewer, validator, qa, auditor, critic, devil, scribe",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.docs]\nroles = [\"librarian\", \"worker\"]\n",
        "3: it reaches the network, and the role `worker` may not; give it to a role that may, such as `librarian`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\ncommand = \"x mcp\"\n",
        "4: invalid type: string \"x mcp\", expected a sequence; `agon schema agon.mcp/1` says what the file may have",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.X]\nabout = \"a\"\nroles = [\"librarian\"]\ncommand = [\"x\"]\n",
        "2: `X` is not a name; use lower-case letters, digits and hyphens between them",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nroles = [\"librarian\"]\ncommand = [\"x\"]\n",
        "2: it does not say what it is for; add `about`, a line",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.docs]\nenabled = \"yes\"\n",
        "3: invalid type: string \"yes\", expected a boolean; `agon schema agon.mcp/1` says what the file may have",
    ),
];

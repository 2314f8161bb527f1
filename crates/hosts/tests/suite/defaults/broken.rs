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
        "1: `schema` is missing; write `schema = \"agon.agents/1\"`",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.teams/1\"\n[roles.scout]\neffort = \"high\"\n",
        "1: wrong schema `agon.teams/1`; write `schema = \"agon.agents/1\"`",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout\neffort = \"high\"\n",
        "2: unclosed table, expected `]`; run `agon schema agon.agents/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout]\nefort = \"high\"\n",
        "3: unknown field `efort`, expected one of `model`, `models`, `effort`, `temperature`, `may`, `agon`, `skills`; run `agon schema agon.agents/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout]\neffort = \"extreme\"\n",
        "3: unknown variant `extreme`, expected one of `low`, `medium`, `high`, `max`; run `agon schema agon.agents/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n\n[roles.scot]\neffort = \"high\"\n",
        "3: unknown role `scot`; use one of lead, planner, strategist, advisor, scout, librarian, worker, heavy-worker, deep-worker, quick, ui-worker, ui-heavy-worker, executor, reviewer, validator, qa, auditor, critic, devil, scribe",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[models.cloud]\nfast = \"haiku\"\n",
        "2: unknown host `cloud`; use one of claude, codex, gemini, opencode, copilot",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[models.claude]\nfast = \"haiku\"\nstrong = \"\"\n",
        "4: the model name is empty; name a model, or `session`",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.qa]\neffort = \"max\"\ntemperature = 3.0\n",
        "4: `temperature` is out of range; use a number from 0 to 2",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout]\nmay = [\"read\", \"edit\"]\n",
        "3: the role `scout` may not edit; a setting can only narrow what a role may do: choose a role that may",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.scout]\nmay = []\n",
        "3: `may` is empty; keep at least `read`, or remove the role from the team",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead]\nmay = [\"delegate\"]\n",
        "3: `may` lacks `read`; keep at least `read`, or remove the role from the team",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead.models]\nopencode = \"opus\"\n",
        "3: `opus` has no provider, which OpenCode requires; write it as `PROVIDER/MODEL`, or `session`",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\nprofile = \"careless\"\n",
        "2: unknown profile `careless`; use one of minimal, offline, standard, strict",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead]\nagon = [\"debate\"]\n",
        "3: unknown tool of Agon's server `debate`; use one of debate_start, debate_wait, debate_result, debate_steer, debate_ask, consult, recall, status, task, mail, lock, gate",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead]\nskills = [\"task-decomposition\", \"planning\"]\n",
        "3: unknown skill `planning`; use one of debate, consult, formal-debate, decision-record, advanced-evaluation, context-degradation, context-engineering, design-first, dispatching-parallel-agents, drift-analysis, evaluation, executing-plans, handoff-protocols, judge-with-debate, parallel-investigation, prompt-engineering, reflexion-critique, reflexion-reflect, root-cause-analysis, structured-code-review, task-decomposition, test-prompt, thought-based-reasoning, verification-before-completion, verification-gates",
    ),
    broken(
        DefaultsKind::Agents,
        "schema = \"agon.agents/1\"\n[roles.lead.models]\nvim = \"gpt\"\n",
        "3: unknown host `vim`; use one of claude, codex, gemini, opencode, copilot",
    ),
    broken(
        DefaultsKind::Flags,
        "[set]\nparallel = 2\n",
        "1: `schema` is missing; write `schema = \"agon.flags/1\"`",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[flags.fast]\nabout = \"a\"\ntype = \"bool\"\ndefault = true\neffect = \"b\"\n",
        "3: only Agon can declare flags; set its value below `[set]`",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 2\nparalel = 2\n",
        "4: unknown flag `paralel`; use one of ask-irreversible, authority, debate-changes, debate-plans, parallel, review-rounds, skills-share",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\ndebate-plans = \"yes\"\n",
        "3: `debate-plans` must be true or false; Debate a run's plan before its tasks begin. Without a debate, the planner answers the objections of the team's critic and devil in the plan.",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 2\nworktrees = true\n",
        "4: the flag `worktrees` was removed; delete it: every member has its own work tree",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 17\n",
        "3: `parallel` must be a whole number from 1 to 16; How many tasks a run works on at once. Also limited by the number of team members and processors.",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = \"2\"\n",
        "3: `parallel` must be a whole number from 1 to 16; How many tasks a run works on at once. Also limited by the number of team members and processors.",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nauthority = \"unstable\"\n",
        "3: `authority` must be one of full, partial; Minimum authority of a verdict on a plan or a change. `partial`: a verdict that lost a turn counts too. `unstable` and `uncontested` never do.",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nauthority = [\"full\"]\n",
        "3: a value is true, false, a whole number or a word; run `agon schema agon.flags/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\nset = true\n",
        "2: invalid type: boolean `true`, expected a map; run `agon schema agon.flags/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[sets]\nparallel = 2\n",
        "2: unknown field `sets`, expected one of `schema`, `flags`, `set`; run `agon schema agon.flags/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 2\nparallel = 3\n",
        "4: duplicate key; run `agon schema agon.flags/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Flags,
        "schema = \"agon.flags/1\"\n[set]\nparallel = 2.5\n",
        "3: a value is true, false, a whole number or a word; run `agon schema agon.flags/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.agon]\ncommand = [\"agon\", \"mcp\"]\n",
        "3: Agon's own server has no `command`; delete it: `agon install` writes how to start the server",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"large\"\n",
        "4: unknown team `large`; use one of full, interface, research, small, solo",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nteam = \"small\"\n",
        "2: it has no description; add a one-line `about`",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\n",
        "2: it has no team; add `team` with the name of a team",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\n\n[profiles.mine.set]\nparalel = 2\n",
        "7: unknown flag `paralel`; use one of ask-irreversible, authority, debate-changes, debate-plans, parallel, review-rounds, skills-share",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\nset = { parallel = 0 }\n",
        "5: `parallel` must be a whole number from 1 to 16; How many tasks a run works on at once. Also limited by the number of team members and processors.",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\nservers = [\"doc\"]\n",
        "5: unknown server `doc`; use one of agon, docs",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\nwithout = [\"internet\"]\n",
        "5: unknown variant `internet`, expected one of `read`, `edit`, `run`, `network`, `delegate`; run `agon schema agon.profiles/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.mine]\nabout = \"a\"\nteam = \"small\"\nwithout = [\"read\"]\n",
        "5: it forbids every role to read; remove `read`: a role that cannot read cannot work",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.offline]\nservers = [\"docs\"]\n",
        "3: it forbids the network but uses the server `docs`; remove one of the two",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.My_Own]\nabout = \"a\"\nteam = \"small\"\n",
        "2: `My_Own` is not a valid name; use lower-case letters and digits, with hyphens between them",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.strict]\neffort = \"highest\"\n",
        "3: unknown variant `highest`, expected one of `low`, `medium`, `high`, `max`; run `agon schema agon.profiles/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profiles.strict]\nmembers = { qa = 2 }\n",
        "3: unknown field `members`, expected one of `about`, `team`, `effort`, `servers`, `without`, `set`; run `agon schema agon.profiles/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profil.strict]\nteam = \"small\"\n",
        "2: unknown field `profil`, expected one of `schema`, `profile`, `profiles`; run `agon schema agon.profiles/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Profiles,
        "schema = \"agon.profiles/1\"\n[profile.strict]\nteam = \"small\"\n",
        "2: invalid type: map, expected a string; run `agon schema agon.profiles/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.mine]\nabout = \"a\"\n",
        "2: it has no members; add `members`, such as `worker = 1`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.mine]\nmembers = { worker = 1, reviewer = 1 }\nchecked_by = [\"reviewer\"]\n",
        "2: it has no description; add a one-line `about`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small.members]\nworker = 3\nreviwer = 1\n",
        "4: unknown role `reviwer`; use one of lead, planner, strategist, advisor, scout, librarian, worker, heavy-worker, deep-worker, quick, ui-worker, ui-heavy-worker, executor, reviewer, validator, qa, auditor, critic, devil, scribe",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nmembers = { worker = 17 }\n",
        "3: `17` is not a valid number of members; use a number from 0 to 16",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nmembers = { worker = -1 }\n",
        "3: `-1` is not a valid number of members; use a number from 0 to 16",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nmembers = { worker = 300 }\n",
        "3: `300` is not a valid number of members; use a number from 0 to 16",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nlead = \"lead\"\n",
        "3: unknown field `lead`, expected one of `about`, `members`, `checked_by`, `hosts`; run `agon schema agon.teams/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small.members]\nlead = 1\n",
        "3: a team run never uses the role `lead`; delete it; `docs/roster.md` lists the roles of a run",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small.members]\nplanner = 2\n",
        "3: a run uses only one `planner` at a time, not 2; use 0 or 1",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo.members]\nscout = 1\n",
        "3: `scout` reports to the planner, but the team has none; add `planner = 1`, or delete it",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo.members]\nqa = 1\n",
        "3: `qa` is a member but is not in `checked_by`; add it to `checked_by`, or delete it",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.research.members]\nscribe = 0\n",
        "2: no member makes changes; add a role that makes changes, such as `worker = 1`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.solo]\nchecked_by = [\"reviewer\", \"auditor\"]\n",
        "3: `auditor` is in `checked_by` but is not a member; add the role to `members`",
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
        "3: its members make changes that no member checks; add `checked_by = [\"reviewer\"]` and the member",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nmembers = { reviewer = 0 }\n",
        "3: `reviewer` is in `checked_by` but is not a member; add the role to `members`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nhosts = { qa = \"codex\" }\n",
        "3: `qa` is in `hosts` but is not a member; add the role to `members`",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.small]\nhosts = { worker = \"cursor\" }\n",
        "3: unknown host `cursor`; use one of claude, codex, gemini, opencode, copilot",
    ),
    broken(
        DefaultsKind::Teams,
        "schema = \"agon.teams/1\"\n[teams.\"our team\"]\nabout = \"a\"\nmembers = { worker = 1, reviewer = 1 }\nchecked_by = [\"reviewer\"]\n",
        "2: `our team` is not a valid name; use lower-case letters and digits, with hyphens between them",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\n",
        "2: it has neither `command` nor `url`; add `command`, such as `[\"agon\", \"mcp\"]`, or `url`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.docs]\nurl = \"http://127.0.0.1:1/mcp\"\n",
        "3: it has both `command` and `url`; remove `command` or `url`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.agon]\nurl = \"http://127.0.0.1:1/mcp\"\n",
        "3: Agon's own server has no `url`; delete it: `agon install` writes how to start the server",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\ncommand = [\"npx\", \"-y\", \"@a/b\"]\n",
        "5: `@a/b` has no version, so its code can change at any time; write `@a/b@1.2.3`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\ncommand = [\"uvx\", \"tool@latest\"]\n",
        "5: `tool@latest` has no version, so its code can change at any time; write `tool@1.2.3`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\nurl = \"http://example.com/mcp\"\nnetwork = true\n",
        "5: `http://example.com/mcp` is not a secure address; use https, or http on 127.0.0.1",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\nurl = \"https://example.com/mcp\"\n",
        "2: remote server without `network = true`; add `network = true`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\nroles = [\"librarian\"]\ncommand = [\"x\"]\nenv = [\"TOKEN=abc\"]\n",
        "6: an entry of `env` is not the name of a variable; list only names, such as `TRACKER_TOKEN`, never values",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\ncommand = [\"x\"]\n",
        "2: no role may use it; list the roles that need it in `roles`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.agon]\nroles = [\"lead\", \"libarian\"]\n",
        "3: unknown role `libarian`; use one of lead, planner, strategist, advisor, scout, librarian, worker, heavy-worker, deep-worker, quick, ui-worker, ui-heavy-worker, executor, reviewer, validator, qa, auditor, critic, devil, scribe",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.docs]\nroles = [\"librarian\", \"worker\"]\n",
        "3: it uses the network, but the role `worker` may not; give it to a role that may, such as `librarian`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nabout = \"a\"\ncommand = \"x mcp\"\n",
        "4: invalid type: string \"x mcp\", expected a sequence; run `agon schema agon.mcp/1` to see the allowed keys",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.X]\nabout = \"a\"\nroles = [\"librarian\"]\ncommand = [\"x\"]\n",
        "2: `X` is not a valid name; use lower-case letters and digits, with hyphens between them",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.x]\nroles = [\"librarian\"]\ncommand = [\"x\"]\n",
        "2: it has no description; add a one-line `about`",
    ),
    broken(
        DefaultsKind::Servers,
        "schema = \"agon.mcp/1\"\n[servers.docs]\nenabled = \"yes\"\n",
        "3: invalid type: string \"yes\", expected a boolean; run `agon schema agon.mcp/1` to see the allowed keys",
    ),
];

//! A clock that is set by hand, and a team with members.

use std::path::Path;
use std::sync::{Arc, Mutex};

use agon_team::id::{Epoch, MemberName, TaskId, TreeHash};
use agon_team::store::{
    Actor, ClaimRequest, Clock, HolderStep, JoinRequest, NewTask, Team, TeamLimits, TeamLocation,
};
use agon_team::task::Task;
use agon_team::time::Moment;

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub(crate) struct HandClock(Mutex<Moment>);

impl HandClock {
    pub(crate) fn new() -> Arc<Self> {
        let start = Moment {
            boot: "boot-1".into(),
            uptime_ms: 1_000,
            wall_ms: 1_700_000_000_000,
        };
        Arc::new(Self(Mutex::new(start)))
    }

    pub(crate) fn advance(&self, ms: u64) {
        let mut now = self.0.lock().unwrap();
        now.uptime_ms += ms;
        now.wall_ms += i64::try_from(ms).unwrap();
    }

    pub(crate) fn jump_wall(&self, ms: i64) {
        self.0.lock().unwrap().wall_ms += ms;
    }

    pub(crate) fn restart(&self) {
        let mut now = self.0.lock().unwrap();
        now.boot = format!("{}+", now.boot).into();
        now.uptime_ms = 10;
    }
}

impl Clock for HandClock {
    fn now(&self) -> Moment {
        self.0.lock().unwrap().clone()
    }
}

pub(crate) fn name(text: &str) -> MemberName {
    text.parse().unwrap()
}

pub(crate) fn tree(digit: char) -> TreeHash {
    String::from(digit).repeat(40).parse().unwrap()
}

pub(crate) fn join(team: &mut Team, member: &str, role: &str) -> Actor {
    let request = JoinRequest {
        name: name(member),
        role: role.parse().unwrap(),
        host: "test".to_owned(),
    };
    let token = team.join(&request).unwrap();
    team.authenticate(&token).unwrap()
}

/// A team in memory, with a lead, `lena`, and workers `ana` and `ben`.
pub(crate) struct World {
    pub(crate) clock: Arc<HandClock>,
    pub(crate) team: Team,
    pub(crate) lena: Actor,
    pub(crate) ana: Actor,
    pub(crate) ben: Actor,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(TeamLimits::default())
    }

    pub(crate) fn with(limits: TeamLimits) -> Self {
        let clock = HandClock::new();
        let mut team = Team::in_memory(clock.clone(), limits).unwrap();
        Self {
            lena: join(&mut team, "lena", "lead"),
            ana: join(&mut team, "ana", "worker"),
            ben: join(&mut team, "ben", "worker"),
            clock,
            team,
        }
    }

    pub(crate) fn add(&mut self, new: NewTask) -> TaskId {
        let title = "one thing".to_owned();
        self.team
            .add_task(&self.lena, &NewTask { title, ..new })
            .unwrap()
            .id
    }

    pub(crate) fn claim(&mut self, by: &Actor, task: TaskId) -> Epoch {
        claim(&mut self.team, by, Some(task)).epoch
    }

    pub(crate) fn kinds(&self) -> Vec<String> {
        let events = self.team.events(0, 10_000).unwrap();
        events.into_iter().map(|event| event.kind).collect()
    }

    pub(crate) fn assert_sound(&self) {
        assert_sound(&self.team);
    }
}

pub(crate) fn assert_sound(team: &Team) {
    assert_eq!(team.examine().unwrap().breaches, []);
}

pub(crate) fn claim(team: &mut Team, by: &Actor, task: Option<TaskId>) -> Task {
    let request = ClaimRequest {
        task,
        ..ClaimRequest::default()
    };
    team.claim(by, &request).unwrap()
}

pub(crate) fn submit(digit: char) -> HolderStep {
    HolderStep::Submit {
        change: agon_team::change::Change::Commit { id: "c".repeat(40) },
        tree: tree(digit),
    }
}

/// A location outside any repository: the store only uses its folders.
pub(crate) fn location(dir: &Path) -> TeamLocation {
    TeamLocation {
        common_dir: dir.to_owned(),
        git_dir: dir.to_owned(),
        work_tree: None,
    }
}

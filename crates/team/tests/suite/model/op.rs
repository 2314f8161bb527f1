//! The operations, and how often each is tried.

use proptest::prelude::*;

/// One operation. Its numbers choose among the existing things, so that every operation means
/// something and a failing sequence can be shortened.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Add {
        needs: Option<u8>,
        gate: bool,
        review: bool,
        draft: bool,
    },
    Need {
        task: u8,
        needed: u8,
    },
    DropNeed {
        by: u8,
        task: u8,
        needed: u8,
    },
    Claim {
        by: u8,
        task: Option<u8>,
    },
    Hold {
        by: u8,
        lease: u8,
        step: u8,
        tree: u8,
    },
    Direct {
        by: u8,
        task: u8,
        step: u8,
    },
    Edit {
        by: u8,
        task: u8,
        what: u8,
    },
    Assign {
        by: u8,
        task: u8,
        to: u8,
    },
    Move {
        by: u8,
        task: u8,
        other: u8,
        place: u8,
    },
    Gate {
        by: u8,
        task: u8,
        tree: u8,
        passed: bool,
    },
    Review {
        by: u8,
        task: u8,
        tree: u8,
        approved: bool,
    },
    Accept {
        by: u8,
        task: u8,
        tree: u8,
    },
    Lock {
        by: u8,
        lease: u8,
        glob: u8,
        exclusive: bool,
    },
    Unlock {
        by: u8,
        lease: u8,
        lock: u8,
    },
    Send {
        by: u8,
        to: u8,
        thread: Option<u8>,
        key: Option<u8>,
    },
    Fetch {
        by: u8,
        max: u8,
    },
    Deliver {
        by: u8,
        letter: u8,
    },
    Acknowledge {
        by: u8,
        letter: u8,
    },
    Leave {
        by: u8,
        who: u8,
    },
    Rejoin {
        who: u8,
    },
    Wait {
        ms: u8,
    },
    Jump {
        days: i16,
    },
    Restart,
}

pub(super) fn op() -> impl Strategy<Value = Op> {
    let n = any::<u8>;
    let maybe = || proptest::option::of(any::<u8>());
    prop_oneof![
        3 => (maybe(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.1))
            .prop_map(|(needs, gate, review, draft)| Op::Add { needs, gate, review, draft }),
        2 => (n(), n()).prop_map(|(task, needed)| Op::Need { task, needed }),
        1 => (n(), n(), n()).prop_map(|(by, task, needed)| Op::DropNeed { by, task, needed }),
        7 => (n(), maybe()).prop_map(|(by, task)| Op::Claim { by, task }),
        12 => (n(), n(), n(), n()).prop_map(|(by, lease, step, tree)| Op::Hold { by, lease, step, tree }),
        3 => (n(), n(), n()).prop_map(|(by, task, step)| Op::Direct { by, task, step }),
        2 => (n(), n(), n()).prop_map(|(by, task, what)| Op::Edit { by, task, what }),
        1 => (n(), n(), n()).prop_map(|(by, task, to)| Op::Assign { by, task, to }),
        1 => (n(), n(), n(), n()).prop_map(|(by, task, other, place)| Op::Move { by, task, other, place }),
        3 => (n(), n(), n(), prop::bool::weighted(0.8))
            .prop_map(|(by, task, tree, passed)| Op::Gate { by, task, tree, passed }),
        3 => (n(), n(), n(), prop::bool::weighted(0.8))
            .prop_map(|(by, task, tree, approved)| Op::Review { by, task, tree, approved }),
        4 => (n(), n(), n()).prop_map(|(by, task, tree)| Op::Accept { by, task, tree }),
        12 => (n(), n(), n(), prop::bool::weighted(0.7))
            .prop_map(|(by, lease, glob, exclusive)| Op::Lock { by, lease, glob, exclusive }),
        2 => (n(), n(), n()).prop_map(|(by, lease, lock)| Op::Unlock { by, lease, lock }),
        5 => (n(), n(), maybe(), maybe()).prop_map(|(by, to, thread, key)| Op::Send { by, to, thread, key }),
        5 => (n(), n()).prop_map(|(by, max)| Op::Fetch { by, max }),
        8 => (n(), n()).prop_map(|(by, letter)| Op::Deliver { by, letter }),
        4 => (n(), n()).prop_map(|(by, letter)| Op::Acknowledge { by, letter }),
        1 => (n(), n()).prop_map(|(by, who)| Op::Leave { by, who }),
        4 => n().prop_map(|who| Op::Rejoin { who }),
        4 => n().prop_map(|ms| Op::Wait { ms }),
        1 => any::<i16>().prop_map(|days| Op::Jump { days }),
        1 => Just(Op::Restart),
    ]
}

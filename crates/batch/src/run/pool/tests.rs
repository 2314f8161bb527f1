use std::path::Path;

use agon_caller::Code;
use agon_debates::request::StartRequest;

use super::*;
use crate::identity::identity;
use crate::input::Row;

fn item(topic: &str) -> Item {
    let request = StartRequest {
        topic: topic.to_owned(),
        ..StartRequest::default()
    };
    let identity = identity(&request, &Settings::default(), Path::new("/"), 1);
    Item {
        row: Row {
            line: 1,
            id: String::new(),
            tags: Vec::new(),
            request,
        },
        repeat: 1,
        identity,
        slug: topic.to_owned(),
        attempt: 0,
        failed_before: false,
    }
}

fn pool(items: Vec<Item>) -> Pool {
    let caller = Caller::new(BTreeMap::new(), "/");
    let work = Work {
        items,
        ..Work::default()
    };
    let (settings, limits) = (Settings::default(), CallLimits::new(8));
    Pool::new(&caller, &settings, work, &Estimate::default(), limits)
}

#[test]
fn a_debate_over_the_budget_waits_until_any_other_ends() {
    let mut pool = pool(vec![item("a"), item("b"), item("c")]);
    let (group, a) = pool.next().unwrap();
    pool.next().unwrap();
    pool.end(group);
    let over = Failure::new(Code::DailyTokens, "over");
    pool.hold(group, a, over.clone());
    assert!(pool.next().is_none());
    assert_eq!(pool.held(), Some(&over));
    // However it ended: it no longer reserves tokens.
    pool.end(group);
    assert_eq!(pool.held(), None);
    assert_eq!(pool.next().unwrap().1.slug, "a");
}

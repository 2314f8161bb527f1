use std::path::Path;

use agon_caller::Code;
use agon_config::Settings;
use agon_debates::request::StartRequest;

use super::*;
use crate::identity::{ContextFiles, Identity, identity};
use crate::input::Row;

fn item(topic: &str) -> Item {
    let request = StartRequest {
        topic: topic.to_owned(),
        ..StartRequest::default()
    };
    let files = ContextFiles::new(Path::new("/"));
    let identity = identity(&request, &Settings::default(), &files, 1);
    Item {
        row: Row {
            line: 1,
            id: String::new(),
            tags: Vec::new(),
            kind: crate::input::RowKind::Debate,
            apart: String::new(),
            request,
        },
        repeat: 1,
        shape: identity.clone(),
        identity,
        slug: topic.to_owned(),
        attempt: 0,
        failed_before: false,
    }
}

/// Returns a pool of debates with up to 8 simultaneous calls to each account, whose tools are known
/// for these kinds of requests.
fn pool_with(items: Vec<Item>, groups: BTreeMap<Identity, BTreeSet<SeatedTool>>) -> Pool {
    let work = Work {
        items,
        ..Work::default()
    };
    let estimate = Estimate {
        groups,
        ..Estimate::default()
    };
    Pool::new(work, &estimate, CallLimits::new(8))
}

fn pool(items: Vec<Item>) -> Pool {
    pool_with(items, BTreeMap::new())
}

/// Returns an item whose seats have `claude` and `tool`, and its kind.
fn item_with(tool: &str, number: usize) -> (Item, (Identity, BTreeSet<SeatedTool>)) {
    let item = Item {
        shape: item(tool).identity,
        ..item(&format!("{tool}-{number}"))
    };
    let seated = ["claude", tool].map(|tool| SeatedTool {
        tool: tool.parse().unwrap(),
        model: None,
    });
    let shape = item.shape.clone();
    (item, (shape, seated.into()))
}

fn start_all(pool: &mut Pool) -> usize {
    std::iter::from_fn(|| pool.next()).count()
}

#[test]
fn the_debates_of_all_groups_share_the_calls_of_their_tools() {
    let tools = ["codex", "gemini"];
    let all = tools
        .iter()
        .flat_map(|tool| (0..20).map(|at| item_with(tool, at)));
    let (items, groups): (Vec<_>, BTreeMap<_, _>) = all.unzip();
    let mut pool = pool_with(items, groups);
    assert_eq!(pool.groups.len(), 2);
    // Before the first call, each tool is assumed to take 4; a spare debate for each 4.
    assert_eq!(start_all(&mut pool), 5);
    let running: Vec<_> = pool.groups.iter().map(|group| group.running).collect();
    assert_eq!(running, [3, 2], "not in turn");
    pool.end(1);
    assert_eq!(start_all(&mut pool), 1);
}

#[test]
fn the_tool_that_takes_the_fewest_calls_decides() {
    let (items, groups): (Vec<_>, BTreeMap<_, _>) =
        (0..20).map(|at| item_with("codex", at)).unzip();
    let mut pool = pool_with(items, groups);
    pool.limits.begin_limit(&"claude".parse().unwrap(), 8);
    assert_eq!(start_all(&mut pool), 5);
    pool.limits.begin_limit(&"codex".parse().unwrap(), 8);
    assert_eq!(start_all(&mut pool), 5);
    let (items, groups): (Vec<_>, BTreeMap<_, _>) =
        (0..20).map(|at| item_with("codex", at)).unzip();
    let mut pool = pool_with(items, groups);
    pool.limits.begin_limit(&"codex".parse().unwrap(), 1);
    assert_eq!(start_all(&mut pool), 2);
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
    assert_eq!(pool.hold_reason(), Some(&over));
    // However it ended: it no longer reserves tokens.
    pool.end(group);
    assert_eq!(pool.hold_reason(), None);
    assert_eq!(pool.next().unwrap().1.slug, "a");
}

//! Call limits that adapt, against a server with a limit that they do not know.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use agon_agents::{Agent, CallLimits, Environment, Profiles, Toolbox};
use agon_record::spec::ToolName;
use agon_testkit::{Answer, FakeModels, Script};
use tokio::task::JoinSet;

use super::common::{PATIENCE, PROMPT, ask, asked};

/// The agents of tools that each have a server's URL and a variable with their key, all with the
/// same limits.
async fn agents(tools: &[(&str, &str, &str)], limits: &CallLimits) -> Vec<Arc<dyn Agent>> {
    let tables: BTreeMap<_, _> = tools
        .iter()
        .map(|(name, url, variable)| {
            let table = format!(
                "transports = [\"http\"]\nconcurrency = 4\n[http]\nadapter = \"openai\"\n\
                 url = \"{url}/v1\"\nmodel = \"a-model\"\nkey_env = [\"{variable}\"]\n"
            );
            ((*name).to_owned(), toml::from_str(&table).unwrap())
        })
        .collect();
    let profiles = Profiles::with_overrides(&tables).unwrap();
    let vars = tools.iter().map(|(_, _, variable)| (*variable, *variable));
    let here = Environment::new(vars).with_call_limits(Some(limits.clone()));
    let names: Vec<ToolName> = tools.iter().map(|tool| tool.0.parse().unwrap()).collect();
    let toolbox = Toolbox::detect_only(&profiles, &names, &here).await;
    let agents = names.iter().map(|name| toolbox.agent(name).unwrap());
    agents.collect()
}

/// Starts `count` calls, each of which must be answered.
fn call(agent: &Arc<dyn Agent>, count: usize, calls: &mut JoinSet<()>) {
    for _ in 0..count {
        let agent = Arc::clone(agent);
        calls.spawn(async move {
            asked(agent.as_ref(), ask(PROMPT, PATIENCE)).await.unwrap();
        });
    }
}

/// Answers the calls to the account with `key` whenever it makes as many as its limit allows, a
/// quarter of them each time. Returns the number of times, and the sum of the calls before each.
async fn serve(
    models: &FakeModels,
    limits: &CallLimits,
    key: &str,
    count: usize,
) -> (usize, usize) {
    let (mut steps, mut sum) = (0, 0);
    loop {
        let accounts = limits.accounts();
        let account = accounts.iter().find(|one| one.account.contains(key));
        let served = models.capacity_use().get(key).copied().unwrap_or_default();
        if served.accepted == count && served.in_flight == 0 {
            return (steps, sum);
        }
        let is_ready = account.is_some_and(|account| {
            let is_full = account.running >= account.limit || account.waiting == 0;
            is_full && account.running == served.in_flight
        });
        if is_ready && served.in_flight > 0 {
            steps += 1;
            sum += served.in_flight;
            models.answer(key, served.in_flight.div_ceil(4));
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn most_of_a_hidden_limit_is_used_for_each_account_and_few_calls_are_refused() {
    const MOST: usize = 10;
    const CALLS: usize = 500;
    let models = FakeModels::start(Script::job_store());
    models.set_capacity(MOST);
    let slow = FakeModels::start(Script::job_store());
    slow.set("*", Answer::Hang);
    let limits = CallLimits::new(1_000);
    let (url, slow_url) = (models.url(), slow.url());
    let tools = [
        ("first", &*url, "FIRST_KEY"),
        ("second", &*url, "SECOND_KEY"),
        ("slow", &*slow_url, "SLOW_KEY"),
    ];
    let agents = agents(&tools, &limits).await;
    let (mut slow_calls, mut calls) = (JoinSet::new(), JoinSet::new());
    call(&agents[2], 8, &mut slow_calls);
    call(&agents[0], CALLS, &mut calls);
    call(&agents[1], CALLS, &mut calls);
    let keys = ["FIRST_KEY", "SECOND_KEY"];
    let (first, second) = tokio::join!(
        serve(&models, &limits, keys[0], CALLS),
        serve(&models, &limits, keys[1], CALLS),
    );
    while let Some(call) = calls.join_next().await {
        call.unwrap();
    }
    // The calls of the slow provider are still under way, and held up no others.
    assert_eq!(slow_calls.len(), 8);
    assert!(slow_calls.try_join_next().is_none());

    for (key, (steps, sum)) in keys.into_iter().zip([first, second]) {
        let refused = models.capacity_use()[key].refused;
        let used = sum * 100 / (steps * MOST);
        println!("{key}: {used} % used in {steps} steps; {refused} refused of {CALLS}");
        assert!(used >= 90, "{key}: {used} % used");
        // 2 % are the goal, which a quiet machine keeps. On a busy one, an answer arrives after the next
        // call was sent, so that more of them are refused.
        assert!(refused * 20 <= CALLS + refused, "{key}: {refused} refused");
    }
    let known = limits.accounts();
    let names: Vec<_> = known.iter().map(|account| &*account.account).collect();
    assert_eq!(known.len(), 3, "{names:?}");
    let waiting = known.iter().find(|one| one.account.ends_with("(SLOW_KEY)"));
    // It begins with the call slots of its profile, and no answer has come.
    assert_eq!(waiting.map(|one| (one.running, one.waiting)), Some((4, 4)));
}

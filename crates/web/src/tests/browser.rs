//! The pages in a real browser, where one is installed.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use agon_folder::Folder;
use agon_samples::batches::{AT, spec};
use agon_store::RealDisk;
use agon_testkit::browser::{Browser, Screen};
use serde_json::Value;

use super::raw::{Running, unfinished};

/// Evaluates `expression` until it is `wanted`.
pub(super) fn until(browser: &mut Browser, expression: &str, wanted: &Value) {
    let since = Instant::now();
    loop {
        let found = browser.value(expression);
        if found == *wanted {
            return;
        }
        assert!(
            since.elapsed() < Duration::from_secs(60),
            "{expression} is {found}, not {wanted}"
        );
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_open_page_shows_each_turn_as_it_is_recorded_and_plays_it_back() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    let dir = server.debates();
    let mut folder = Folder::create(Arc::new(RealDisk), &dir, "one", one, AT).unwrap();
    let address = format!("http://{}/debates/one?key={}", server.host(), server.key);
    browser.open(&address, Screen::DESK);
    // The key is gone from the address, and the cookie opens the page.
    let path = "location.pathname + location.search";
    until(&mut browser, path, &"/debates/one".into());
    let points = "document.querySelectorAll('.spoken').length";
    until(&mut browser, points, &0.into());
    for batch in unfinished() {
        folder.append(AT + 1, batch).unwrap();
    }
    let shown = agon_caller::find::read(folder.path()).unwrap();
    let all: Value = shown.state.nodes().len().into();
    until(&mut browser, points, &all);
    // The last turn was announced, and there is one way back to the opening.
    let said = "document.getElementById('announced').textContent.includes('has answered')";
    until(&mut browser, said, &true.into());
    let press = |key: &str| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
        )
    };
    browser.value(&press("Home"));
    until(&mut browser, points, &0.into());
    until(&mut browser, path, &"/debates/one?at=1".into());
    browser.value(&press("End"));
    until(&mut browser, points, &all);
    let side_effects = browser.side_effects();
    let is_own = |url: &String| url.starts_with(&format!("http://{}/", server.host()));
    let foreign: Vec<_> = side_effects
        .requests
        .iter()
        .filter(|url| !is_own(url))
        .collect();
    assert!(
        foreign.iter().all(|url| url.starts_with("data:")),
        "{foreign:?}"
    );
}

#[test]
fn a_hidden_tab_closes_its_stream_and_catches_up_when_it_is_shown() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    let dir = server.debates();
    let mut folder = Folder::create(Arc::new(RealDisk), &dir, "one", one, AT).unwrap();
    let address = format!("http://{}/debates/one?key={}", server.host(), server.key);
    browser.open(&address, Screen::DESK);
    // Each stream of the page is counted from its opening to its end.
    browser.value(
        "window.open = new Set(); window.Real = EventSource;
         window.EventSource = class extends Real {
           constructor(url) { super(url); open.add(this); }
           close() { super.close(); open.delete(this); }
         };
         window.show = (isShown) => {
           Object.defineProperty(document, 'hidden', { configurable: true, value: !isShown });
           document.dispatchEvent(new Event('visibilitychange'));
         };",
    );
    browser.value("show(true)");
    until(&mut browser, "open.size", &1.into());
    browser.value("show(false)");
    assert_eq!(browser.value("open.size"), Value::from(0));
    for batch in unfinished() {
        folder.append(AT + 1, batch).unwrap();
    }
    browser.value("show(true)");
    let shown = agon_caller::find::read(folder.path()).unwrap();
    let all: Value = shown.state.nodes().len().into();
    until(
        &mut browser,
        "document.querySelectorAll('.spoken').length",
        &all,
    );
    let said = "document.getElementById('announced').textContent.includes('has answered')";
    until(&mut browser, said, &true.into());
    assert_eq!(browser.value("open.size"), Value::from(1));
}

#[test]
fn a_form_of_a_page_reaches_the_server_also_without_scripts() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Running::start();
    let mut one = spec();
    one.slug = "one".to_owned();
    let path = server.debate(one, unfinished());
    let before = agon_caller::find::read(&path).unwrap().lines;
    let address = format!("http://{}/debates/one?key={}", server.host(), server.key);
    browser.allow_scripts(false);
    browser.open(&address, Screen::DESK);
    until(
        &mut browser,
        "Boolean(document.getElementById('note'))",
        &true.into(),
    );
    browser.value("document.getElementById('note').value = 'Mind the cost.'");
    browser.value("document.querySelector('form[action$=\"/note\"] button').click()");
    let path_shown = "location.pathname + location.search";
    until(&mut browser, path_shown, &"/debates/one?done=note".into());
    let said = "document.body.textContent.includes('Your note was added.')";
    until(&mut browser, said, &true.into());
    assert!(agon_caller::find::read(&path).unwrap().lines > before);
}

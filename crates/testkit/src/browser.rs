//! Drives a real headless browser over two pipes.
//!
//! It uses the browser's debugging protocol over pipes, so that no port is open and the browser
//! ends when the pipes close. The browser has a temporary profile and contacts no vendor services.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Maximum time for an answer of the browser on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(120);

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

const SWITCHES: [&str; 15] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--hide-scrollbars",
];

/// A browser with one page.
pub struct Browser {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    session: String,
    asked: u64,
    seen: Vec<Value>,
    runs_scripts: bool,
    _profile: TempDir,
}

/// The screen on which a page is shown.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Its width in CSS pixels.
    pub width: u32,
    /// Its height in CSS pixels.
    pub height: u32,
    /// Whether the user prefers dark pages.
    pub is_dark: bool,
    /// Whether it is a phone.
    pub is_phone: bool,
}

impl Screen {
    /// A desktop screen.
    pub const DESK: Self = Self {
        width: 1_280,
        height: 900,
        is_dark: false,
        is_phone: false,
    };
    /// The narrowest supported phone.
    pub const PHONE: Self = Self {
        width: 320,
        height: 640,
        is_dark: false,
        is_phone: true,
    };

    /// The same screen with a preference for dark pages.
    #[must_use]
    pub fn dark(self) -> Self {
        Self {
            is_dark: true,
            ..self
        }
    }
}

/// The observable side effects of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideEffects {
    /// Every address that it requested, including its own.
    pub requests: Vec<String>,
    /// Its console output, errors and denied requests.
    pub console: Vec<String>,
    /// The dialogs that it opened.
    pub dialogs: Vec<String>,
}

impl Browser {
    /// Starts the browser named by `AGON_TEST_BROWSER`, or an installed one; reports and returns
    /// `None` if there is none.
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    pub fn start() -> Option<Self> {
        let Some(program) = program() else {
            eprintln!("skipped: no browser; AGON_TEST_BROWSER names one, or install chromium");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let folder = format!("--user-data-dir={}", profile.path().display());
        // The browser reads commands from descriptor 3 and writes answers to descriptor 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null"])
            .arg(&program)
            .args(SWITCHES)
            .args([&folder, "about:blank"])
            .env("HOME", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let (told, from) = channel();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while matches!(answers.read_until(0, &mut message), Ok(1..)) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else {
                    break;
                };
                if told.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let mut browser = Self {
            to: child.stdin.take(),
            child,
            from,
            session: String::new(),
            asked: 0,
            seen: Vec::new(),
            runs_scripts: true,
            _profile: profile,
        };
        let target = browser.call_method("Target.createTarget", json!({ "url": "about:blank" }));
        let id = &target["targetId"];
        let attached = browser.call_method(
            "Target.attachToTarget",
            json!({ "targetId": id, "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call_method(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Opens `url` on `screen`, waits until it is loaded, and clears earlier observations.
    pub fn open(&mut self, url: &str, screen: Screen) {
        // A blank page first: the browser does not reload a page if only its fragment differs.
        self.load("about:blank");
        self.show_on(screen);
        self.seen.clear();
        self.load(url);
        if self.runs_scripts {
            // Two timers, so that scripts which the page schedules on load have run too.
            let timers = "new Promise((done) => setTimeout(() => setTimeout(done)))";
            let told = json!({ "expression": timers, "awaitPromise": true });
            // The page may load itself again meanwhile, which ends the call without a result.
            while self.try_method("Runtime.evaluate", told.clone()).is_err() {
                self.next_message();
            }
        }
    }

    fn load(&mut self, url: &str) {
        let before = self.count_loads();
        let went = self.call_method("Page.navigate", json!({ "url": url }));
        assert_eq!(went["errorText"], Value::Null, "{url}");
        while self.count_loads() == before {
            self.next_message();
        }
    }

    fn count_loads(&self) -> usize {
        let loads = self.seen.iter();
        loads
            .filter(|event| event["method"] == "Page.loadEventFired")
            .count()
    }

    /// Shows the page on another screen.
    pub fn show_on(&mut self, screen: Screen) {
        let (width, height) = (screen.width, screen.height);
        self.call_method(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": screen.is_phone }),
        );
        let scheme = if screen.is_dark { "dark" } else { "light" };
        self.call_method(
            "Emulation.setEmulatedMedia",
            json!({ "features": [
                { "name": "prefers-color-scheme", "value": scheme },
                { "name": "prefers-reduced-motion", "value": "reduce" },
            ] }),
        );
    }

    /// Sets whether pages may run scripts from now on.
    pub fn allow_scripts(&mut self, may: bool) {
        self.runs_scripts = may;
        let disabled = json!({ "value": !may });
        self.call_method("Emulation.setScriptExecutionDisabled", disabled);
    }

    /// Evaluates a JavaScript expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let told = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call_method("Runtime.evaluate", told);
        let failed = &answer["exceptionDetails"];
        assert_eq!(*failed, Value::Null, "{expression}: {failed}");
        answer["result"]["value"].take()
    }

    /// Clicks the middle of the element found by `selector`.
    pub fn click(&mut self, selector: &str) {
        let selector = serde_json::to_string(selector).unwrap();
        let middle = format!(
            "(async () => {{ const it = document.querySelector({selector});
                it.scrollIntoView({{ block: 'center', inline: 'center' }});
                const painted = () => new Promise((done) => requestAnimationFrame(done));
                await painted(); await painted();
                it.scrollIntoView({{ block: 'center', inline: 'center' }});
                const box = it.getBoundingClientRect();
                return [box.left + box.width / 2, box.top + box.height / 2]; }})()"
        );
        let middle = self.value(&middle);
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            self.call_method(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": middle[0], "y": middle[1], "button": button, "clickCount": 1 }),
            );
        }
    }

    /// Presses and releases a key, given by its name and code.
    pub fn press(&mut self, key: &str, code: u32) {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            self.call_method(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text }),
            );
        }
    }

    /// Takes a screenshot of the visible part, or of the whole page, as PNG.
    pub fn picture(&mut self, whole: bool) -> Vec<u8> {
        let mut told = json!({ "captureBeyondViewport": whole });
        if whole {
            let size = self.value(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]",
            );
            told["clip"] =
                json!({ "x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1 });
        }
        let answer = self.call_method("Page.captureScreenshot", told);
        STANDARD.decode(answer["data"].as_str().unwrap()).unwrap()
    }

    /// Prints the page as PDF.
    pub fn print(&mut self) -> Vec<u8> {
        let answer = self.call_method("Page.printToPDF", json!({ "printBackground": true }));
        STANDARD.decode(answer["data"].as_str().unwrap()).unwrap()
    }

    /// The side effects of the page since it was opened.
    pub fn side_effects(&mut self) -> SideEffects {
        // Wait for an answer: it arrives after all earlier events, so none is missing.
        self.value("new Promise((done) => setTimeout(done))");
        let mut side_effects = SideEffects::default();
        for event in &self.seen {
            let params = &event["params"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            match event["method"].as_str().unwrap_or_default() {
                "Network.requestWillBeSent" => {
                    side_effects.requests.push(text(&params["request"]["url"]));
                }
                "Log.entryAdded" => side_effects.console.push(text(&params["entry"]["text"])),
                "Runtime.consoleAPICalled" => side_effects.console.push(params["args"].to_string()),
                "Runtime.exceptionThrown" => {
                    side_effects
                        .console
                        .push(params["exceptionDetails"].to_string());
                }
                "Page.javascriptDialogOpening" => {
                    side_effects.dialogs.push(text(&params["message"]))
                }
                _ => {}
            }
        }
        side_effects
    }

    fn call_method(&mut self, method: &str, params: Value) -> Value {
        self.try_method(method, params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Calls a method of the browser, and returns its result or its error.
    fn try_method(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.asked += 1;
        let id = self.asked;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.as_str().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.as_mut().unwrap().write_all(&bytes).unwrap();
        loop {
            let mut answer = self.next_message();
            if answer["id"] == id {
                return match answer["error"].take() {
                    Value::Null => Ok(answer["result"].take()),
                    error => Err(error),
                };
            }
        }
    }

    /// Returns the next message; events are stored.
    fn next_message(&mut self) -> Value {
        let message = self.from.recv_timeout(PATIENCE);
        let message = message.expect("the browser answers");
        if message["method"] == "Page.javascriptDialogOpening" {
            // Close the dialog, because it blocks the page.
            self.asked += 1;
            let answer = json!({ "id": self.asked, "method": "Page.handleJavaScriptDialog",
                "params": { "accept": false }, "sessionId": self.session });
            let mut bytes = answer.to_string().into_bytes();
            bytes.push(0);
            self.to.as_mut().unwrap().write_all(&bytes).unwrap();
        }
        if message["method"].is_string() {
            self.seen.push(message.clone());
        }
        message
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Closing the pipe ends the browser. Killing its process group ends it if that fails.
        drop(self.to.take());
        if let Ok(group) = i32::try_from(self.child.id())
            && let Some(group) = rustix::process::Pid::from_raw(group)
        {
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
        }
        self.child.wait().ok();
    }
}

fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("AGON_TEST_BROWSER") {
        return Some(named.into()).filter(|path: &PathBuf| path.exists());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let there = |name: &&str| {
        folders
            .iter()
            .map(|folder| folder.join(name))
            .find(|it| it.is_file())
    };
    NAMES.iter().find_map(there)
}

/// The URL of a file.
pub fn file_url(path: &Path) -> String {
    format!("file://{}", path.display())
}

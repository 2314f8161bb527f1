//! Finds the default package index of pip by asking pip itself.

use agon_caller::Caller;
use agon_proc::{
    Ending, Limits, PLACE_VARIABLES, Program, Unwatched, allowed_variables, find_program,
    run_program,
};
use tokio_util::sync::CancellationToken;

/// Prints the URL of pip's default index.
const ASKED: &str = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)";

/// Returns the URL of pip's default index; `None` without pip.
pub(super) async fn index(caller: &Caller) -> Option<String> {
    let path = caller.vars_os.get(std::ffi::OsStr::new("PATH"))?;
    let python = ["python3", "python"]
        .iter()
        .find_map(|name| find_program(name, path))?;
    let program = Program {
        path: python,
        // Isolated mode, so that Python does not import modules of the current project.
        args: ["-I", "-c", ASKED].map(Into::into).into(),
        env: allowed_variables(&caller.vars_os, &[PLACE_VARIABLES]),
        cwd: std::env::temp_dir(),
    };
    let never = CancellationToken::new();
    let said = run_program(&program, b"", &Limits::probe(), &Unwatched, &never).await;
    let said = said.ok()?;
    let well = Ending::Exited {
        code: Some(0),
        signal: None,
    };
    let url = String::from_utf8(said.stdout).ok()?.trim().to_owned();
    (said.ending == well && url.starts_with("https://")).then_some(url)
}

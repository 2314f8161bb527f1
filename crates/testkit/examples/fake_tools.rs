//! Creates fake tools in a folder, for benchmarks of whole programs: `fake_tools FOLDER NAME…`.
//!
//! They answer at once from [`Script::job_store`], and are the binary `agon-fake-tool` of the same
//! build.

#![expect(clippy::unwrap_used, reason = "an example, which fails by panicking")]

use std::env;
use std::fs;
use std::path::Path;

use agon_testkit::Script;

fn main() {
    let mut args = env::args().skip(1);
    let folder = args.next().unwrap();
    let folder = Path::new(&folder);
    fs::create_dir_all(folder.join("prompts")).unwrap();
    let script = serde_json::to_vec_pretty(&Script::job_store()).unwrap();
    fs::write(folder.join("script.json"), script).unwrap();
    // Examples are one folder below the binaries.
    let program = env::current_exe().unwrap();
    let program = program.ancestors().nth(2).unwrap().join("agon-fake-tool");
    for name in args {
        std::os::unix::fs::symlink(&program, folder.join(name)).unwrap();
    }
}

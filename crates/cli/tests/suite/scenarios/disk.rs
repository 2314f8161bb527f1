//! A disk that is full.

use std::process::Command;

use crate::scenarios::place::{Fakes, debate};
use crate::support::{Ran, Running};

/// Mounts a disk of 160 KiB over the project for as long as this shell lives, and runs `$1…$n`:
/// once beside a file that leaves few bytes free, once after that file is gone.
const FULL_THEN_FREE: &str = r#"
mount -t tmpfs -o size=4m none debates || exit 99
head -c "$ROOM" /dev/zero > debates/fill
dd if=/dev/zero of=debates/filler bs=4k 2>/dev/null
rm debates/fill
"$@"
echo "first $?" >&2
rm debates/filler
"$AGON" resume s --json
echo "second $?" >&2
cp -r debates/s kept
"#;

/// Runs the debate with `room` bytes of disk, then resumes it with enough.
fn with_room(room: usize) -> Option<(Fakes, Ran)> {
    let fakes = Fakes::new();
    std::fs::create_dir(fakes.place.project().join("debates")).unwrap();
    let agon = fakes.place.command(&debate(&[]));
    let mut shell = Command::new("unshare");
    shell.args([
        "--map-root-user",
        "--mount",
        "/bin/sh",
        "-c",
        FULL_THEN_FREE,
        "sh",
    ]);
    shell.arg(agon.get_program()).args(agon.get_args());
    shell
        .current_dir(fakes.place.project())
        .env_clear()
        .envs(&fakes.place.env);
    shell
        .env("AGON", agon.get_program())
        .env("ROOM", room.to_string());
    let ran = Running::start(shell).end();
    if ran.code == Some(99) || ran.stderr.contains("unshare failed") {
        eprintln!(
            "skipped: no disk can be mounted here: {}",
            ran.stderr.trim()
        );
        return None;
    }
    Some((fakes, ran))
}

#[test]
fn a_full_disk_ends_with_6_and_resume_completes_when_there_is_room() {
    let mut stopped = 0;
    for room in [0, 16 << 10, 48 << 10, 80 << 10, 112 << 10] {
        let Some((fakes, ran)) = with_room(room) else {
            return;
        };
        let documents: Vec<serde_json::Value> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let [first, second] = documents.as_slice() else {
            panic!("two documents: {ran:#?}")
        };
        if ran.stderr.contains("first 6\n") {
            stopped += 1;
            let message = first["error"]["message"].as_str().unwrap();
            assert!(
                message.contains("No space left on device"),
                "{room}: {ran:#?}"
            );
            assert!(
                first["error"]["hint"]
                    .as_str()
                    .unwrap()
                    .contains("agon resume"),
                "{room}: {ran:#?}"
            );
        } else {
            assert!(ran.stderr.contains("first 0\n"), "{room}: {ran:#?}");
        }
        if first["error"]["message"]
            .as_str()
            .is_some_and(|_| room == 0)
        {
            // Not even the folder fitted: there is nothing to resume.
            assert_eq!(fakes.asks(), Vec::<String>::new(), "{ran:#?}");
            continue;
        }
        assert!(ran.stderr.contains("second 0\n"), "{room}: {ran:#?}");
        assert_eq!(second["authority"], "full");
        assert_eq!(fakes.place.left(), Vec::<String>::new());
        let kept = fakes.place.project().join("kept");
        assert_eq!(
            fakes.place.run(&["check", kept.to_str().unwrap()]).code,
            Some(0)
        );
    }
    assert!(stopped > 1, "the disk was never full");
}

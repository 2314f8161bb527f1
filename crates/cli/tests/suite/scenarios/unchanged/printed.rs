//! What a command printed, as it is recorded.

use std::sync::LazyLock;

use regex::Regex;

use super::world::World;

/// Bytes of a stream that is recorded whole; of a longer one its length and its hash are.
const MAX_WHOLE: usize = 600;

/// A command, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The command.
    pub(super) head: String,
    /// How it ended and what it printed, each line behind the mark of its stream.
    pub(super) body: String,
}

/// What begins the line with the command.
const COMMAND: &str = "$ agon ";

/// Runs a command that reads.
pub(super) fn run(world: &World, args: &[String]) -> Block {
    let words: Vec<_> = args.iter().map(String::as_str).collect();
    let output = world.command(&words).output().unwrap();
    let end = output
        .status
        .code()
        .map_or("a signal".to_owned(), |code| code.to_string());
    let mut body = format!("= exit {end}\n");
    for (mark, bytes) in [('>', &output.stdout), ('!', &output.stderr)] {
        match std::str::from_utf8(bytes) {
            Ok(text) => body.push_str(&stream(
                mark,
                without_now(&world.without_places(text)).as_bytes(),
            )),
            Err(_) => body.push_str(&stream(mark, bytes)),
        }
    }
    Block {
        head: args.join(" "),
        body,
    }
}

/// A stream's lines, or the length and the hash of one that is long or no text.
pub(super) fn stream(mark: char, bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok("") => String::new(),
        Ok(text) if bytes.len() <= MAX_WHOLE => {
            let mut lines: String = text
                .lines()
                .map(|line| format!("{mark} {line}\n"))
                .collect();
            if !text.ends_with('\n') {
                lines.push_str(&format!("{mark} (no line end)\n"));
            }
            lines
        }
        _ => format!("{mark} ({})\n", fingerprint(bytes)),
    }
}

/// The length and the hash of what is too long to be recorded whole.
pub(super) fn fingerprint(bytes: &[u8]) -> String {
    let hash = blake3::hash(bytes).to_hex();
    format!("{} bytes, {}", bytes.len(), &hash.as_str()[..32])
}

/// The text without how long ago something happened, which `agon recall` and `agon list` say, with
/// what stands behind it on its line: the line is cut at the width of the screen.
fn without_now(text: &str) -> String {
    static AGE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""age_s":\d+"#).unwrap());
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^(  .* · .* · .* · )(?:just now|\d+ [a-z]+).* similar$").unwrap()
    });
    static LISTED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?m)^(\S+  .*  )(?:just now|\d+ (?:min|h|d) ago|\d{4}-\d\d-\d\d) +(.{1,20}).*$",
        )
        .unwrap()
    });
    let text = AGE.replace_all(text, "\"age_s\":0");
    let text = LINE.replace_all(&text, "${1}[AGE]");
    LISTED.replace_all(&text, "${1}[AGE]  ${2}").into_owned()
}

/// The blocks as one text.
pub(super) fn to_text(blocks: &[Block]) -> String {
    let block = |block: &Block| format!("{COMMAND}{}\n{}\n", block.head, block.body);
    blocks.iter().map(block).collect()
}

/// Reads what [`to_text`] wrote.
pub(super) fn from_text(text: &str) -> Vec<Block> {
    let text = format!("\n{text}");
    let head = format!("\n{COMMAND}");
    let blocks = text.split(&head).skip(1);
    let block = |block: &str| {
        let (head, body) = block.split_once('\n').unwrap();
        Block {
            head: head.to_owned(),
            body: format!("{}\n", body.trim_end_matches('\n')),
        }
    };
    blocks.map(block).collect()
}

/// The commands that print otherwise than was recorded.
pub(super) fn differing(recorded: &[Block], printed: &[Block]) -> Vec<Block> {
    let differs = |block: &&Block| !recorded.contains(block);
    printed.iter().filter(differs).cloned().collect()
}

/// What is otherwise than it was recorded, command by command; `name` is the debate.
pub(super) fn differences(name: &str, recorded: &[Block], printed: &[Block]) -> Vec<String> {
    let difference = |block: Block| {
        let found = recorded.iter().find(|one| one.head == block.head);
        let before = found.map_or("(not recorded)\n", |one| &one.body);
        format!(
            "{name}: {COMMAND}{}\n--- recorded\n{before}--- now\n{}",
            block.head, block.body
        )
    };
    differing(recorded, printed)
        .into_iter()
        .map(difference)
        .collect()
}

#[test]
fn blocks_read_back_as_they_were_written() {
    let block = |head: &str, body: &str| Block {
        head: head.to_owned(),
        body: body.to_owned(),
    };
    let blocks = [
        block(
            "show s",
            "= exit 0\n> one\n> \n> $ agon is no head\n! two\n",
        ),
        block("list", "= exit 0\n"),
    ];
    assert_eq!(from_text(&to_text(&blocks)), blocks);
}

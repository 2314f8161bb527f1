//! Texts that would do harm if anything took them for more than texts.

use std::fs;

use agon_samples::steps::{case, rebuttal, scores};
use regex::Regex;
use serde_json::{Value, json};

use crate::ops::world::{Said, World, front};

/// What somebody would try, on lines of its own and in the middle of one.
const HOSTILE: &str = "# Boo\u{1b}[2J\u{1b}]0;gone\u{7}\u{9b}31m \u{202e}desrever\u{2066}\u{200b}\u{feff}\u{0}\u{7f}\r\n\
    {\n}\n---\n## Claim\n\n## Attacks\n\n### Attacking opp_001\n\n**Type:** claim_attack\n\
    <script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)></text></svg>]]>\n\
    <!-- hidden --> &lt; &#x1b; #34; ]] }} \"quoted\" 'twice' \\\" \\ | a | b |\n===\n\
    ```mermaid\nend\n~~~\n%%{init: {\"theme\": \"dark\"}}%%\nclick n0 \"javascript:alert(1)\"\n\
    subgraph x\nn0[\"y\"] --> n1:::pro\n![i](http://x.org/i.png) [l](javascript:x) www.x.org\n\
    > quoted\n1. one\n- two\n    code\n\t\u{2028}**bold** `code`\u{e0041}\u{301}\u{301}\u{301}\u{301}\n\n";

/// Bytes of the longest texts; a little more is refused.
const LONG: usize = 7_000;

/// Bytes of a title and a claim that fill a file, of which a mebibyte is read.
const TITLE: usize = 400_000;

/// The hostile text, over and over, up to about so many bytes.
fn much(bytes: usize) -> String {
    format!("{}end", HOSTILE.repeat(bytes / HOSTILE.len() + 1))
}

/// As long, and nothing but words.
fn peaceful(bytes: usize) -> String {
    "calm words ".repeat(bytes / 11)
}

/// A debate of two exchanges in which everybody says `text`; the motion says it too.
fn saying(text: &dyn Fn(usize) -> String) -> World {
    let world = World::about(&text(LONG), &text(500));
    let mut opening = case();
    for one in opening.as_array_mut().unwrap() {
        say(one, text(500).as_str());
    }
    let calm = opening.to_string();
    opening[0]["title"] = json!(text(LONG));
    opening[0]["claim"] = json!(text(LONG));
    let said = world.exchange(0, &opening.to_string(), &calm);
    assert_eq!(said.code, Some(0), "{}", &said.stdout[..300]);
    judged(&world, 0, &text(LONG));
    let [prop, opp] = ["prop", "opp"].map(|side| {
        let mut moves = rebuttal(side, 1);
        say(&mut moves, &text(LONG));
        moves["attacks"][0]["content"] = json!(text(LONG));
        moves["defends"][0]["content"] = json!(text(LONG));
        moves["defends"][0]["defense_type"] = json!("concede_and_pivot");
        moves.to_string()
    });
    let said = world.exchange(1, &prop, &opp);
    assert_eq!(said.code, Some(0), "{}", &said.stdout[..300]);
    is_calm("ops", &said);
    judged(&world, 1, &text(LONG));
    world
}

fn say(one: &mut Value, text: &str) {
    for key in ["title", "claim", "warrant", "backing", "qualifier"] {
        one[key] = json!(text);
    }
    for key in ["source", "content", "relevance"] {
        one["grounds"][0][key] = json!(text);
    }
    one["grounds"][0]["citation"] = json!({ "file": text, "anchor": text });
}

fn judged(world: &World, exchange: u16, text: &str) {
    let mut judged = scores(exchange);
    for list in ["scores", "rescores"] {
        let all = judged.get_mut(list).and_then(Value::as_array_mut);
        for one in all.into_iter().flatten() {
            one["reasoning"] = json!(text);
        }
    }
    let said = world.judgment(&judged.to_string());
    assert_eq!(said.code, Some(0), "{}", said.stdout);
    is_calm("ops", &said);
}

/// No character moves a cursor, turns a line around or hides.
fn harm(text: &str) -> Option<char> {
    text.chars().find(|&c| {
        let hidden = matches!(c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        hidden || (c.is_control() && c != '\n')
    })
}

fn is_calm(what: &str, said: &Said) {
    assert_eq!(harm(&said.stdout), None, "{what} on stdout");
    assert_eq!(harm(&said.stderr), None, "{what} on stderr");
    assert!(!said.stderr.contains("panicked"), "{what}: {}", said.stderr);
}

fn run(world: &World, args: &[&str]) -> Said {
    let said = world.run(args, None);
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    is_calm(&args.join(" "), &said);
    said
}

#[test]
fn a_megabyte_of_markup_in_title_and_claim_is_refused() {
    let world = World::new();
    let mut opening = case();
    opening[0]["title"] = json!(much(1_000_000));
    opening[0]["claim"] = json!(much(1_000_000));
    let before = world.files();
    let said = world.exchange(0, &opening.to_string(), &case().to_string());
    assert_eq!(said.code, Some(1));
    assert!(said.stdout.len() < 1_000, "{}", said.stdout);
    let text = "this text has more than 8000 characters (shorten it) [reply-schema]";
    let told = ["title", "claim"].map(|part| format!("arguments[0].{part}: {text}"));
    assert_eq!(said.errors(), told.join("\n"));
    is_calm("ops", &said);
    assert_eq!(before, world.files());
}

#[test]
fn markup_everywhere_stays_text_wherever_it_is_shown() {
    let (world, calm) = (saying(&much), saying(&peaceful));
    shown(&world, &calm, LONG);
}

#[test]
fn a_file_full_of_markup_in_a_folder_of_another_tool_stays_text() {
    let (world, calm) = (saying(&much), saying(&peaceful));
    for world in [&world, &calm] {
        let path = world.folder().join("arguments/prop_000a.md");
        let text = fs::read_to_string(&path).unwrap();
        let mut front = head(&text);
        if front["title"] == json!(much(LONG)) {
            front["title"] = json!(much(TITLE));
            front["claim"] = json!(much(TITLE));
        }
        let body = text.split_once("\n}").unwrap().1;
        fs::write(&path, format!("{}{body}", ascii(&front))).unwrap();
        // What only we have in a folder.
        fs::remove_dir_all(world.folder().join(".agon")).unwrap();
        for name in ["verdict.json", "verdict.md", "transcript.md"] {
            fs::remove_file(world.folder().join(name)).unwrap();
        }
    }
    shown(&world, &calm, TITLE);
}

/// Whatever shows it or reads it finds text; `longest` is about the size of the first title.
fn shown(world: &World, calm: &World, longest: usize) {
    for args in [
        &["show", "d"][..],
        &["show", "d", "--json"],
        &["show", "d", "--section", "arguments"],
        &["show", "d", "--section", "transcript"],
        &["show", "d", "--section", "findings", "--json"],
        &["check", "d"],
        &["list", "--debates-dir", "."],
        &["list", "--debates-dir", ".", "--json"],
    ] {
        run(world, args);
    }
    let checked = run(world, &["check", "d", "--json"]).document();
    let sound = (&checked["sound"], &checked["errors"], &checked["folder"]);
    assert_eq!(sound, (&json!(true), &json!(0), &json!([])));
    for world in [world, calm] {
        run(world, &["report", "d"]);
    }
    for (format, name) in [
        ("md", "README.md"),
        ("transcript", "transcript.md"),
        ("mermaid", "argument-graph.mmd"),
        ("svg", "argument-graph.svg"),
    ] {
        let said = run(world, &["report", "d", "--format", format]);
        assert!(said.stdout == unlinked(&world.read(name)), "{name}");
    }
    for name in ["README.md", "transcript.md", "verdict.md"] {
        let [text, calm] = [world, calm].map(|world| unlinked(&world.read(name)));
        markdown(name, &text, &calm);
    }
    drawn(world);
    mermaid(&world.read("argument-graph.mmd"));
    read_back(world, calm, longest);
}

/// A document without its links to the points' files, which are ours.
fn unlinked(text: &str) -> String {
    let link = Regex::new(r"\[(\w+)\]\(arguments/(\w+)\.md\)").unwrap();
    assert!(link.captures_iter(text).all(|link| link[1] == link[2]));
    link.replace_all(text, "$1").into_owned()
}

/// No heading, list, table, fence, link, picture or HTML that the calm one has not.
fn markdown(name: &str, text: &str, calm: &str) {
    assert_eq!(harm(text), None, "{name}");
    let block = Regex::new(r"^(#+ |[-*+] |\d+[.)] |[|>=~`]|---| {4}|\t)").unwrap();
    let blocks = |text: &str| {
        let begins = |line: &str| {
            let found = block.find(line)?.as_str();
            Some(found.to_owned())
        };
        let mut all: Vec<_> = text.lines().map(begins).collect();
        // Long texts are warned of in lists.
        all.dedup();
        all
    };
    assert_eq!(blocks(text), blocks(calm), "{name}");
    let headings = |text: &str| {
        let all = text.lines().filter(|line| line.starts_with("##"));
        all.map(str::to_owned).collect::<Vec<_>>()
    };
    let ours = headings(calm)
        .iter()
        .map(|line| line.contains("calm"))
        .collect::<Vec<_>>();
    for ((line, calm), theirs) in headings(text).iter().zip(headings(calm)).zip(ours) {
        assert!(theirs || *line == calm, "{name}: {line:?}");
    }
    let escaped = Regex::new(r"\\[[:punct:]]|`[a-z0-9 ./-]+`").unwrap();
    for line in text
        .lines()
        .filter(|line| !line.starts_with("| ") && !line.starts_with("|-"))
    {
        let bare = escaped.replace_all(line, "");
        assert_eq!(
            bare.find(['<', '>', '`', '[', ']', '|', '~', '\\']),
            None,
            "{name}: {bare:.300}"
        );
        assert!(
            !bare.contains("://") && !bare.contains("www."),
            "{name}: {bare:.300}"
        );
    }
}

/// Tags of ours alone, with text between them; long titles are cut.
fn drawn(world: &World) {
    let svg = world.read("argument-graph.svg");
    assert_eq!(harm(&svg), None);
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    let tag = r#"</?(svg|title|g|rect|path|text)( (xmlns|role|width|height|viewBox|font-family|font-size|x|y|rx|d|fill|stroke|stroke-width|stroke-dasharray|stroke-linejoin)="[^"<>&]*")*/?>"#;
    let rest = Regex::new(tag).unwrap().replace_all(&svg, "");
    let rest = Regex::new("&(amp|lt|gt|quot|#39);")
        .unwrap()
        .replace_all(&rest, "");
    assert_eq!(rest.find(['<', '>', '&']), None, "{rest:.300}");
    let png = fs::read(world.folder().join("argument-graph.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
}

/// Every line is one that we write, and nothing in a label ends it.
fn mermaid(text: &str) {
    let lines = Regex::new(concat!(
        "^(---|flowchart TD",
        r#"|title: "([^"\\<>%{}\[\]`]|\\u[0-9a-f]{4})*""#,
        r##"|    n[0-9]+\["([^"\\<>%{}\[\]`|;#&]|#[0-9]+;|<br/>)+"\]:::(pro|con)"##,
        r#"|    n[0-9]+ (-->|-\.->)\|"[a-z ]+"\| n[0-9]+"#,
        "|    classDef (pro|con|neither) fill:#[0-9a-fA-F]+,stroke:#[0-9a-fA-F]+,color:#[0-9a-fA-F]+",
        "|    linkStyle [0-9,]+ stroke:#[0-9a-fA-F]+)$",
    ))
    .unwrap();
    assert_eq!(harm(text), None);
    for line in text.lines() {
        assert!(lines.is_match(line) && line.len() < 1_500, "{line}");
    }
    let nodes = text.lines().filter(|line| line.contains("]:::")).count();
    assert_eq!(nodes, 8);
}

/// Both we and the simplest of readers find in the files what was said.
fn read_back(world: &World, calm: &World, longest: usize) {
    for (path, bytes) in world.files() {
        if path.starts_with(".agon/") || path.ends_with(".png") {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(harm(&text.replace('\t', " ")), None, "{path}");
        if path.starts_with("arguments/") {
            let said = &head(&text)["title"];
            let size = match path.as_str() {
                "arguments/prop_000a.md" => longest,
                "arguments/prop_001.md" | "arguments/opp_001.md" => LONG,
                _ => 500,
            };
            assert!(*said == json!(much(size)), "{path}: {said:.300}");
            let sections = |text: &str| {
                let all = text.lines().filter(|line| line.starts_with("##"));
                all.map(|line| line.split(". ").next().unwrap().to_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(sections(&text), sections(&calm.read(&path)), "{path}");
        }
    }
    let book: Value = serde_json::from_str(&world.read("scores.json")).unwrap();
    let said = &book["prop_000a"]["history"][0]["reasoning"];
    assert!(*said == json!(much(LONG)), "{said:.300}");
    let debate = world.read("debate.md");
    assert_eq!(head(&debate), front(&debate));
    let headings = debate.lines().filter(|line| line.starts_with('#'));
    assert_eq!(
        headings.collect::<Vec<_>>(),
        ["# Motion", "## Definitions", "## Scope"]
    );
}

/// JSON all of which is ASCII, as the other tool writes it.
fn ascii(json: &Value) -> String {
    let mut out = String::new();
    for c in serde_json::to_string_pretty(json).unwrap().chars() {
        if matches!(c, '\n' | ' '..='~') {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

/// The object at the head of a file, found by counting braces outside of strings.
fn head(text: &str) -> Value {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return serde_json::from_str(&text[..=at]).unwrap();
                }
            }
            _ => {}
        }
    }
    panic!("no object at the head of {text:.300}");
}

//! What the pictures promise together.

#[cfg(feature = "png")]
mod pixels;

use proptest::prelude::*;

use super::font::Font;
use super::frame::framed_scene;
use super::picture_text::sanitise_to_width;
use super::scene::{Area, Scene, SceneMark};
use super::{Drawing, DrawnEdge, DrawnNode, DrawnSide, Polarity, mermaid, svg};

fn node(id: &str, title: &str, (side, round): (DrawnSide, u16)) -> DrawnNode {
    DrawnNode {
        id: id.to_owned(),
        title: title.to_owned(),
        note: None,
        side,
        round: Some(round),
    }
}

fn edge(from: usize, to: usize, polarity: Polarity, label: &str) -> DrawnEdge {
    DrawnEdge {
        from,
        to,
        polarity,
        label: label.to_owned(),
    }
}

pub(super) fn debate() -> Drawing {
    use DrawnSide::{Against, For, Neither};
    use Polarity::{Attack, Concession, Support};
    let mut nodes = vec![
        node("answer", "Use SQLite for the job store", (Neither, 0)),
        node(
            "pro_001a",
            "It is a journal already, and a tested one",
            (For, 1),
        ),
        node(
            "con_001a",
            "Files need no schema & no migration",
            (Against, 1),
        ),
        node(
            "pro_002a",
            "A folder has no transactions <between> files",
            (For, 2),
        ),
        node("con_002a", "Two jobs never touch one file", (Against, 2)),
    ];
    nodes[1].note = Some("+0.35".to_owned());
    nodes[0].round = None;
    Drawing {
        title: "Where to keep \"jobs\"".to_owned(),
        nodes,
        edges: vec![
            edge(1, 0, Support, ""),
            edge(2, 0, Attack, "claim"),
            edge(3, 2, Attack, "warrant"),
            edge(3, 2, Attack, "grounds"),
            edge(4, 3, Attack, "warrant"),
            edge(4, 2, Concession, "concede and pivot"),
            edge(3, 1, Support, "reinforce"),
        ],
        ..Drawing::default()
    }
}

/// Eight arguments a round; edges go everywhere.
fn large(nodes: usize, edges: usize) -> Drawing {
    let side = |at: usize| {
        if at.is_multiple_of(2) {
            DrawnSide::For
        } else {
            DrawnSide::Against
        }
    };
    let round = |at: usize| u16::try_from(at / 8).unwrap();
    let made = (0..nodes).map(|at| node(&format!("a{at}"), "A claim", (side(at), round(at))));
    let drawn = (0..edges).map(|at| {
        let (from, to) = (at * 7 % nodes, at * 13 % nodes);
        edge(from, to, Polarity::Attack, "warrant")
    });
    Drawing {
        title: String::new(),
        nodes: made.collect(),
        edges: drawn.collect(),
        ..Drawing::default()
    }
}

/// The boxes of the nodes: the panels in groups.
fn boxes(scene: &Scene) -> Vec<Area> {
    let mut boxes = Vec::new();
    for mark in &scene.marks {
        if let SceneMark::Group { marks, .. } = mark
            && let Some(SceneMark::Panel { area, .. }) = marks.first()
        {
            boxes.push(*area);
        }
    }
    boxes
}

fn overlap(a: Area, b: Area) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/// All boxes are there, inside the picture and apart.
fn is_sound(drawing: &Drawing) -> bool {
    let scene = framed_scene(&Font::new(), drawing);
    let boxes = boxes(&scene);
    let page = |it: &Area| {
        it.x >= 0.0
            && it.y >= 0.0
            && it.x + it.width <= scene.width
            && it.y + it.height <= scene.height
    };
    let apart = |(at, a): (usize, &Area)| boxes[..at].iter().all(|b| !overlap(*a, *b));
    boxes.len() == drawing.nodes.len()
        && boxes.iter().all(page)
        && boxes.iter().enumerate().all(apart)
}

#[test]
fn a_small_debate_as_mermaid() {
    insta::assert_snapshot!(mermaid(&debate()));
}

#[test]
fn a_small_debate_as_svg() {
    insta::assert_snapshot!(svg(&debate()));
}

#[test]
fn the_same_drawing_gives_the_same_bytes() {
    let (first, second) = (debate(), debate());
    assert_eq!(mermaid(&first), mermaid(&second));
    assert_eq!(svg(&first), svg(&second));
}

#[test]
fn a_drawing_of_nothing_is_a_picture() {
    let none = Drawing::default();
    assert!(roxmltree::Document::parse(&svg(&none)).is_ok());
    assert!(mermaid(&none).starts_with("flowchart TD\n    classDef"));
}

#[test]
fn edges_that_name_no_node_are_left_out() {
    let mut more = debate();
    more.edges.insert(0, edge(5, 0, Polarity::Attack, "x"));
    more.edges.push(edge(0, usize::MAX, Polarity::Support, "y"));
    assert_eq!(mermaid(&more), mermaid(&debate()));
    assert_eq!(svg(&more), svg(&debate()));
}

#[test]
fn four_hundred_nodes_have_their_places() {
    let drawing = large(400, 1_200);
    assert!(is_sound(&drawing));
    let svg = svg(&drawing);
    let picture = roxmltree::Document::parse(&svg).unwrap();
    let words: Vec<_> = picture.descendants().filter_map(|it| it.text()).collect();
    assert!(
        drawing
            .nodes
            .iter()
            .all(|it| words.contains(&it.id.as_str()))
    );
}

#[test]
fn a_debate_beyond_the_limits_of_mermaid_is_drawn_in_part_and_says_so() {
    // Too many edges, too many characters.
    let mut wordy = large(400, 300);
    for node in &mut wordy.nodes {
        node.title = "a long title, ".repeat(12);
    }
    for drawing in [large(400, 1_200), wordy] {
        let text = mermaid(&drawing);
        let edges = text.lines().filter(|line| line.contains("-->"));
        let edges = edges.count();
        assert!(edges <= 499 && text.encode_utf16().count() <= 50_000);
        let nodes = text.lines().filter(|line| line.contains("\"]:::")).count() - 1;
        let (left, lost) = (drawing.nodes.len() - nodes, drawing.edges.len() - edges);
        assert!(left > 0);
        assert!(text.contains(&format!("rest[\"{left} nodes and {lost} edges left out")));
    }
    assert!(!mermaid(&large(100, 400)).contains("left out"));
}

#[test]
fn a_title_of_a_megabyte_is_cut() {
    let mut drawing = debate();
    drawing.nodes[1].title = "long ".repeat(200_000);
    drawing.nodes[2].id = "x".repeat(1_000_000);
    drawing.edges[1].label = "\u{301}".repeat(1_000_000);
    assert!(svg(&drawing).len() < 20_000);
    assert!(mermaid(&drawing).len() < 4_000);
    assert!(is_sound(&drawing));
}

#[test]
fn a_node_that_speaks_of_itself_has_room_for_that() {
    let (without, mut with) = (large(5, 0), large(5, 0));
    with.edges.push(edge(2, 2, Polarity::Support, ""));
    let width = |drawing: &Drawing| framed_scene(&Font::new(), drawing).width;
    assert_eq!(width(&with) - width(&without), 2.0 * super::layout::LOOP);
}

/// Text as a model that wants out would write it.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "(?s).{0,12}",
        prop::sample::select(vec![
            "\"]; click n0 \"javascript:alert(1)\"",
            "</text><script>",
            "]]>",
            "<!--",
            "&lt;&#60;",
            "\n    click n0 call x()\n",
            "%%{init: {}}%%",
            "---\n",
            "`**b**`",
            "[a](http://b)",
            "\u{1b}[31m",
            "\u{202e}",
            "\u{fffe}",
            "\u{0}",
            "#quot;",
            "ﬂ°°34¶ß",
            "1. one",
            "- one",
            "|x|",
            "end",
            "subgraph",
            "@{ shape: x }",
            ":::pro",
            "e\u{301}\u{301}\u{301}\u{301}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

prop_compose! {
    fn drawings()(
        title in hostile(),
        nodes in prop::collection::vec(
            (hostile(), hostile(), prop::option::of(hostile()), 0_usize..3, prop::option::of(0_u16..4)),
            0..9,
        ),
        edges in prop::collection::vec((0_usize..10, 0_usize..10, 0_usize..3, hostile()), 0..24),
    ) -> Drawing {
        let nodes = nodes.into_iter().map(|(id, title, note, side, round)| {
            DrawnNode { id, title, note, side: super::palette::SIDES[side], round }
        });
        let edges = edges.into_iter().map(|(from, to, polarity, label)| {
            DrawnEdge { from, to, polarity: super::palette::POLARITIES[polarity], label }
        });
        Drawing { title, nodes: nodes.collect(), edges: edges.collect(), ..Drawing::default() }
    }
}

/// Takes the entities out of a label again; none if something else is in it.
fn without_entities(label: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = label;
    while let Some(at) = rest.find([
        '#', '"', '<', '>', '`', '\\', '[', ']', '{', '}', '|', ';', '&', '%',
    ]) {
        out.push_str(&rest[..at]);
        let (code, after) = rest[at..].strip_prefix('#')?.split_once(';')?;
        out.push(char::from_u32(code.parse().ok()?)?);
        rest = after;
    }
    Some(out + rest)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_drawn_is_sound_and_only_text(drawing in drawings()) {
        prop_assert!(is_sound(&drawing));
        let svg = svg(&drawing);
        let picture = roxmltree::Document::parse(&svg).unwrap();
        for element in picture.descendants().filter(|it| it.is_element()) {
            let name = element.tag_name().name();
            prop_assert!(["svg", "title", "g", "rect", "path", "text"].contains(&name), "{name}");
            for attribute in element.attributes() {
                let name = attribute.name();
                prop_assert!(!name.starts_with("on") && !["href", "style"].contains(&name));
            }
        }
        let hidden = ['\u{202e}', '\u{1b}', '\u{0}', '\u{fffe}'];
        prop_assert!(!svg.contains(hidden), "{svg}");
    }

    #[test]
    fn mermaid_has_a_line_for_each_thing_and_reads_as_what_was_written(drawing in drawings()) {
        let text = mermaid(&drawing);
        let body = text.split_once("flowchart TD\n").unwrap().1;
        let mut lines = body.lines();
        for (nth, node) in drawing.nodes.iter().enumerate() {
            let line = lines.next().unwrap();
            let label = line.strip_prefix(&format!("    n{nth}[\"")).unwrap();
            let (label, class) = label.rsplit_once("\"]:::").unwrap();
            prop_assert!(["pro", "con", "neither"].contains(&class));
            let note = node.note.as_deref().unwrap_or_default();
            let shown = [sanitise_to_width(&node.id, 60), sanitise_to_width(&node.title, 140), sanitise_to_width(note, 40)];
            let shown: Vec<_> = shown.into_iter().filter(|it| !it.is_empty()).collect();
            let read: Option<Vec<_>> = label.split("<br/>").map(without_entities).collect();
            let read: Vec<_> = read.unwrap().into_iter().filter(|it| it != " ").collect();
            prop_assert_eq!(read, shown);
        }
        let n = drawing.nodes.len();
        for edge in drawing.edges.iter().filter(|it| it.from < n && it.to < n) {
            let line = lines.next().unwrap();
            let label = line.split_once("|\"").and_then(|(_, it)| it.rsplit_once("\"|"));
            let read = without_entities(label.map_or("", |it| it.0));
            prop_assert_eq!(read, Some(sanitise_to_width(&edge.label, 60)));
        }
        let styles = ["    classDef ", "    linkStyle "];
        for line in lines {
            prop_assert!(styles.iter().any(|it| line.starts_with(it)), "{line}");
        }
    }
}

#[test]
fn parts_that_nothing_joins_stand_close_together() {
    use DrawnSide::{Against, For};
    let mut nodes = vec![
        node("proposer", "Stay", (For, 1)),
        node("challenger", "Move", (Against, 1)),
    ];
    nodes[0].round = None;
    nodes[1].round = None;
    for at in 0..3 {
        nodes.push(node(&format!("pro_001{at}"), "A reason", (For, 1)));
    }
    nodes.push(node("cha_001d", "Another answer", (Against, 1)));
    let edges = [(2, 0), (3, 0), (4, 0), (5, 1)];
    let edges = edges.map(|(from, to)| edge(from, to, Polarity::Support, ""));
    let drawing = Drawing {
        nodes,
        edges: edges.into(),
        ..Drawing::default()
    };
    let scene = framed_scene(&Font::new(), &drawing);
    let boxes = boxes(&scene);
    assert_eq!(boxes[0].y, boxes[1].y, "the positions are side by side");
    let right = boxes[4].x + boxes[4].width;
    assert!(boxes[5].x - right < 60.0, "{} {right}", boxes[5].x);
    assert!(is_sound(&drawing));
}

#[test]
fn a_picture_says_what_its_words_mean_and_what_it_came_to() {
    let mut drawing = debate();
    drawing.subtitle = "Use SQLite · for claude".to_owned();
    drawing.has_exchanges = true;
    let text = svg(&drawing);
    for words in [
        "Use SQLite · for claude",
        "exchange 1",
        "attacks the step from the grounds to the claim",
        "+0.35: ",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!text.contains("round 1"), "{text}");
}

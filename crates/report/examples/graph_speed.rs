//! Draws a made-up graph and says how long that took:
//! `cargo run -p agon-report --features png --example graph_speed -- 400 1200 FOLDER`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "an example, which measures and writes files"
)]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use agon_report::graph::{Drawing, DrawnEdge, DrawnNode, DrawnSide, Polarity, mermaid, png, svg};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut number = |default| args.next().map_or(Ok(default), |it| it.parse());
    let (nodes, edges): (usize, usize) = (number(400)?, number(1_200)?);
    let drawing = drawing(nodes, edges);

    let start = Instant::now();
    let flowchart = mermaid(&drawing);
    println!("mermaid {:?}, {} bytes", start.elapsed(), flowchart.len());
    let start = Instant::now();
    let picture = svg(&drawing);
    println!("svg     {:?}, {} bytes", start.elapsed(), picture.len());
    let start = Instant::now();
    let pixels = png(&drawing, 24_000_000)?;
    println!("png     {:?}, {} bytes", start.elapsed(), pixels.len());

    if let Some(folder) = args.next() {
        let folder = Path::new(&folder);
        std::fs::write(folder.join("graph.mmd"), flowchart)?;
        std::fs::write(folder.join("graph.svg"), picture)?;
        std::fs::write(folder.join("graph.png"), pixels)?;
    }
    Ok(())
}

/// Two arguments a round, which speak mostly of the rounds just before.
fn drawing(nodes: usize, edges: usize) -> Drawing {
    const TITLES: [&str; 6] = [
        "A file per job survives a crash without a journal of our own",
        "SQLite already is that journal, and it is tested",
        "Two processes write at once; a folder has no transactions, so one of the two loses",
        "Measured: 40 writes a second",
        "The lock is held for a millisecond",
        "Moving later costs more than starting with a database does now",
    ];
    let mut random = Random(7);
    let mut titled = Random(3);
    let made = (0..nodes).map(|at| DrawnNode {
        id: format!("{}_{:03}", if at % 2 == 0 { "pro" } else { "con" }, at / 2),
        title: TITLES[titled.below(TITLES.len())].to_owned(),
        note: Some(format!("+0.{:02}", titled.below(99))),
        side: if at % 2 == 0 {
            DrawnSide::For
        } else {
            DrawnSide::Against
        },
        round: u16::try_from(at / 8).ok(),
    });
    let drawn = (0..edges).map(|_| {
        let from = random.below(nodes);
        let near = if random.below(4) > 0 { 16 } else { nodes };
        let to = from.saturating_sub(1 + random.below(near));
        let (polarity, label) = match (random.below(20), from % 2 == to % 2) {
            (0, _) => (Polarity::Concession, "concede"),
            (_, true) => (Polarity::Support, "reinforce"),
            (_, false) => (Polarity::Attack, "warrant"),
        };
        let label = label.to_owned();
        DrawnEdge {
            from,
            to,
            polarity,
            label,
        }
    });
    Drawing {
        title: format!("{nodes} arguments on where jobs are kept"),
        nodes: made.collect(),
        edges: drawn.collect(),
        ..Drawing::default()
    }
}

/// Numbers that are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end.max(1)
    }
}

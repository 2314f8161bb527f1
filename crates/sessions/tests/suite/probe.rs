use agon_sessions::*;
use std::path::Path;
#[test]
fn probe() {
    let home = std::env::var("PROBE_HOME").unwrap();
    let places = SessionPlaces {
        home: Path::new(&home),
        variable: &|_| None,
    };
    for host in Host::ALL {
        for found in find_sessions(host, places, None) {
            println!(
                "\n##### {host} {} {:?} {:?} {:?}",
                found.id, found.origin, found.project, found.bytes
            );
            let mut reader = open_session(&found).unwrap();
            let mut m = Measures::new();
            let p = reader.read(&mut |e| {
                m.add(&e);
                let text = e.kind.text().map(|t| {
                    t.redacted()
                        .chars()
                        .take(60)
                        .collect::<String>()
                        .replace('\n', "|")
                });
                let kind = match &e.kind {
                    EntryKind::Result(r) => {
                        format!("Result {:?} {:?} {:?}", r.call, r.failure, r.whole)
                    }
                    EntryKind::Call(c) => format!(
                        "{c:?} {}",
                        c.arguments.to_string().chars().take(80).collect::<String>()
                    ),
                    EntryKind::Prompt(_) => "Prompt".into(),
                    EntryKind::Text(_) => "Text".into(),
                    EntryKind::Reasoning(_) => "Reasoning".into(),
                    k => format!("{k:?}"),
                };
                println!(
                    "{} t{} c{} {:?} {} {:?}{} {kind} {text:?}",
                    e.index,
                    e.turn,
                    e.call,
                    e.agent,
                    e.location,
                    e.time.map(|t| t.to_string()),
                    if e.copied { " COPIED" } else { "" }
                );
            });
            println!(
                "{p:?}\n{:?}\n{:?}\nplan {:?}",
                reader.session(),
                reader.problems(),
                reader.plan()
            );
            println!(
                "turns {} calls {} tokens {:?} copied {:?} comp {:?} agents {:?} tools {} fail {} hidden {} subs {:?} compactions {:?}",
                m.turns,
                m.calls,
                m.tokens,
                m.copied,
                m.compaction_tokens,
                m.agents,
                m.tool_calls,
                m.failures,
                m.hidden_failures,
                m.sub_agents,
                m.compactions
            );
        }
    }
}

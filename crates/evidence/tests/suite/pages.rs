//! Pages are fetched only from the public internet, and checked like files.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::{self, BufRead, BufReader, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;

use agon_evidence::{Net, Page, Pages, Resolve, Resolver, Source, Vetted, Web};
use agon_record::moves::Citation;
use agon_record::stamp::{Absent, Stamp, StampKind};

/// A name server for which `.example` is public and served on loopback, and other names are
/// internal.
#[derive(Clone, Debug)]
struct Loopback {
    served: SocketAddr,
}

impl Resolve for Loopback {
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        match host {
            "inner.example" => Ok(vec![[10, 0, 0, 1].into()]),
            _ if host.ends_with(".example") => Ok(vec![[93, 184, 215, 14].into()]),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Net for Loopback {
    fn socket_addresses(&self, page: &Vetted) -> Vec<SocketAddr> {
        assert!(
            page.addresses
                .iter()
                .all(|it| agon_evidence::is_public(*it))
        );
        vec![self.served]
    }
}

type Asked = Arc<Mutex<Vec<String>>>;

/// A server of a few pages, and the requests it received.
fn serve() -> (Web<Loopback>, Asked) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let served = listener.local_addr().unwrap();
    let asked = Asked::default();
    let told = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let answer = answer(&path);
            told.lock().unwrap().push(path);
            // The client may have closed the connection.
            drop(stream.write_all(&answer));
        }
    });
    (Web::new(Loopback { served }), asked)
}

fn answer(path: &str) -> Vec<u8> {
    let with = |head: &str, body: &str| {
        let length = body.len();
        format!("HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
    };
    let page = "<html><head><script>retries = 3</script></head><body><h1>Limits</h1>\
                <p>Retries are capped at <b>five</b> per&nbsp;job.</p></body></html>";
    let html = "200 OK\r\ncontent-type: text/html; charset=utf-8";
    match path {
        "/limits" => with(html, page),
        "/plain" => with(
            "200 OK\r\ncontent-type: text/plain",
            "Retries <b>stay</b> at five.\n",
        ),
        "/image" => with("200 OK\r\ncontent-type: image/png", "PNG"),
        "/moved" => with("302 Found\r\nlocation: /limits", ""),
        "/inward" => with("302 Found\r\nlocation: http://inner.example/limits", ""),
        "/metadata" => with("302 Found\r\nlocation: http://169.254.169.254/latest", ""),
        "/round" => with("302 Found\r\nlocation: /round", ""),
        "/nowhere" => with("302 Found", ""),
        "/secret" => with("500 Oops", "a stack trace with hunter2 in it"),
        "/large" => with(html, &"word ".repeat(1 << 20)),
        "/cut" => "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf".to_owned(),
        _ => with("404 Not Found", "nothing"),
    }
    .into_bytes()
}

fn page(web: &Web<Loopback>, path: &str) -> Page {
    web.fetch(&format!("http://docs.example{path}"))
}

#[test]
fn a_page_is_read_as_text_wherever_it_was_moved_to() {
    let (web, asked) = serve();
    let Page::Text(text) = page(&web, "/moved") else {
        panic!("no text");
    };
    assert!(text.contains("Retries are capped at five"), "{text}");
    assert!(
        !text.contains('<') && !text.contains("retries = 3"),
        "{text}"
    );
    let plain = Page::Text("Retries <b>stay</b> at five.\n".to_owned());
    assert_eq!(page(&web, "/plain"), plain);
    assert_eq!(page(&web, "/gone"), Page::Absent);
    assert_eq!(
        *asked.lock().unwrap(),
        ["/moved", "/limits", "/plain", "/gone"]
    );
}

#[test]
fn what_cannot_be_read_says_why_and_nothing_that_the_server_wrote() {
    let (web, asked) = serve();
    let why = |path: &str| match page(&web, path) {
        Page::Unreachable(why) => why,
        other @ (Page::Text(_) | Page::Absent) => format!("{other:?}"),
    };
    for (path, expected) in [
        ("/inward", "its host is not on the public internet"),
        ("/metadata", "its host is not on the public internet"),
        ("/round", "it redirects more than 5 times"),
        ("/nowhere", "its redirect has no target"),
        ("/secret", "the server answered with status 500"),
        ("/image", "it is not a text document"),
        ("/large", "it is larger than 2097152 bytes"),
        ("/cut", "the connection broke off"),
    ] {
        assert_eq!(why(path), expected, "{path}");
    }
    let before = asked.lock().unwrap().len();
    for url in [
        "http://127.0.0.1/limits",
        "http://localhost/limits",
        "http://inner.example/limits",
        "file:///etc/passwd",
        "http://a:b@docs.example/limits",
    ] {
        assert!(matches!(web.fetch(url), Page::Unreachable(_)), "{url}");
    }
    assert_eq!(asked.lock().unwrap().len(), before);
    let closed = TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap();
    let nobody = Web::new(Loopback { served: closed });
    let nothing = Page::Unreachable("its server cannot be reached".to_owned());
    assert_eq!(page(&nobody, "/limits"), nothing);
}

fn citation(path: &str, words: &str) -> Citation {
    Citation {
        url: Some(format!("http://docs.example{path}")),
        anchor: Some(words.to_owned()),
        ..Citation::default()
    }
}

#[test]
fn a_cited_page_is_stamped_and_stamped_the_same_without_the_net() {
    let (web, asked) = serve();
    let source = Source::none().with_pages(Arc::new(web));
    let mut resolver = Resolver::new(&source);
    let cited = [
        citation("/limits", "Retries are capped at five per job"),
        citation("/limits", "Retries are capped at three per job"),
        citation("/gone", "Retries are capped at five"),
        citation("/inward", "Retries are capped at five"),
    ];
    let stamps: Vec<_> = cited.iter().map(|it| resolver.resolve(it)).collect();
    let kinds: Vec<_> = stamps.iter().map(Stamp::kind).collect();
    use StampKind::{Found, Missing, Unreachable, Wrong};
    assert_eq!(kinds, [Found, Wrong, Missing, Unreachable]);
    assert!(matches!(
        stamps[2],
        Stamp::Missing {
            what: Absent::Page,
            ..
        }
    ));
    // Each page is fetched once.
    assert_eq!(*asked.lock().unwrap(), ["/limits", "/gone", "/inward"]);

    let kept = resolver.archive();
    let later = Source::from_stored(source.manifest().clone(), kept.commits, kept.blobs);
    let mut resolver = Resolver::new(&later);
    let again: Vec<_> = cited.iter().map(|it| resolver.resolve(it)).collect();
    assert_eq!(again, stamps);

    let nobody = Source::none();
    let stamp = Resolver::new(&nobody).resolve(&cited[0]);
    assert_eq!(stamp.to_string(), "unchecked: web pages are not checked");
}

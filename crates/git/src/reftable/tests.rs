use std::path::PathBuf;

use agon_testkit::{git, git_has_reftable};

use super::*;

/// Returns a repository with references in tables and its folder, or `None` if git is too old.
fn repository(format: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    if !git_has_reftable() {
        eprintln!("skipped: this git has no tables of references");
        return None;
    }
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("p");
    std::fs::create_dir(&root).unwrap();
    let format = format!("--object-format={format}");
    let init = ["init", "-q", "-b", "main", "--ref-format=reftable", &format];
    git(&root, &init);
    Some((dir, root))
}

#[test]
fn every_reference_that_git_writes_is_found() {
    for format in ["sha1", "sha256"] {
        let Some((dir, root)) = repository(format) else {
            return;
        };
        let here = || Repository::discover(&root).unwrap();
        let id = |name: &str| git(&root, &["rev-parse", name]).trim().to_owned();
        assert!(here().has_reftable());
        assert_eq!(here().find_in_reftable("HEAD").unwrap(), None);
        git(&root, &["commit", "-q", "--allow-empty", "-m", "one"]);
        let one = id("HEAD");
        git(&root, &["tag", "-a", "-m", "x", "v1"]);
        // Enough to fill several blocks, in several tables and in one.
        let branch = |n: u32| format!("refs/heads/{}/{n:04}", "a long topic".replace(' ', "-"));
        for n in 0..40 {
            git(&root, &["update-ref", &branch(n), &one]);
        }
        let name = "x".repeat(150);
        for n in 40..60 {
            git(
                &root,
                &["update-ref", &format!("{}-{name}", branch(n)), &one],
            );
        }
        git(&root, &["update-ref", "-d", &branch(25)]);
        git(&root, &["commit", "-q", "--allow-empty", "-m", "two"]);
        for is_packed in [false, true] {
            if is_packed {
                git(&root, &["pack-refs", "--all"]);
            }
            let find = |name: &str| here().find_in_reftable(name).unwrap();
            let listed = git(
                &root,
                &["for-each-ref", "--format=%(refname) %(objectname)"],
            );
            assert_eq!(listed.lines().count(), 61);
            for line in listed.lines() {
                let (name, id) = line.split_once(' ').unwrap();
                assert_eq!(find(name).as_deref(), Some(id), "{name}");
            }
            assert_eq!(find("HEAD"), Some(id("HEAD")));
            assert_eq!(find(&branch(25)), None);
            assert_eq!(find("refs/tags/v2"), None);
        }
        // Each work tree has its own HEAD.
        let tree = dir.path().canonicalize().unwrap().join("t");
        let path = tree.to_str().unwrap();
        git(&root, &["worktree", "add", "-q", "-b", "t", path, &one]);
        let linked = Repository::discover(&tree).unwrap();
        assert_eq!(linked.find_in_reftable("HEAD").unwrap(), Some(one));
    }
}

#[test]
fn a_damaged_table_is_an_error_and_ends() {
    let Some((_dir, root)) = repository("sha1") else {
        return;
    };
    git(&root, &["commit", "-q", "--allow-empty", "-m", "one"]);
    git(&root, &["pack-refs", "--all"]);
    let stack = root.join(".git/reftable");
    let list = std::fs::read_to_string(stack.join("tables.list")).unwrap();
    let table = std::fs::read(stack.join(list.trim())).unwrap();
    let name = b"refs/heads/main";
    for at in 0..table.len() {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut changed = table.clone();
            changed[at] = byte;
            find_in_table(&changed, name);
        }
        assert_eq!(find_in_table(&table[..at.min(60)], name), None);
    }
}

fn varint(mut value: usize) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(value & 0x7f).unwrap()];
    value >>= 7;
    while value > 0 {
        value -= 1;
        bytes.insert(0, 0x80 | u8::try_from(value & 0x7f).unwrap());
        value >>= 7;
    }
    bytes
}

/// The names of a block, each with the number of bytes it shares with the previous one.
type Names<'a> = Vec<(usize, &'a str)>;

/// Returns a block that starts after `before` bytes.
fn block(before: usize, names: &Names<'_>) -> Vec<u8> {
    let mut records = Vec::new();
    for (shared, suffix) in names {
        records.extend(varint(*shared));
        records.extend(varint(suffix.len() << 3 | 1));
        records.extend_from_slice(suffix.as_bytes());
        records.push(0);
        records.extend([0xab; 20]);
    }
    let length = u32::try_from(before + 4 + records.len() + 2).unwrap();
    let mut block = vec![b'r'];
    block.extend(&length.to_be_bytes()[1..]);
    block.extend(records);
    block.extend([0, 0]);
    block
}

/// Returns a table of these blocks.
fn table(blocks: &[Names<'_>]) -> Vec<u8> {
    let mut table = b"REFT\x01".to_vec();
    table.resize(24, 0);
    for (at, names) in blocks.iter().enumerate() {
        let before = if at == 0 { table.len() } else { 0 };
        table.extend(block(before, names));
    }
    // The footer.
    table.resize(table.len() + 68, 0);
    table
}

#[test]
fn names_that_do_not_ascend_are_damage() {
    let id = Some(Some(Reference::Object("ab".repeat(20))));
    let find = |blocks: &[Names<'_>], name: &str| find_in_table(&table(blocks), name.as_bytes());
    assert_eq!(find(&[vec![(0, "a"), (1, "b"), (0, "c")]], "ab"), id);
    assert_eq!(find(&[vec![(0, "a")], vec![(0, "b")]], "b"), id);
    assert_eq!(find(&[vec![(0, "a"), (0, "c")]], "b"), Some(None));
    for blocks in [
        vec![vec![(0, "b"), (0, "a")]],
        vec![vec![(0, "b"), (0, "b")]],
        vec![vec![(0, "ab"), (1, "")]],
        vec![vec![(0, "")]],
        vec![vec![(0, "b")], vec![(0, "a")]],
        // A block starts with a complete name.
        vec![vec![(0, "a")], vec![(1, "b")]],
        // More than there is to share.
        vec![vec![(0, "a"), (2, "b")]],
    ] {
        assert_eq!(find(&blocks, "z"), None, "{blocks:?}");
    }
}

#[test]
fn a_name_has_at_most_four_kibibytes() {
    let longest = "n".repeat(4_096);
    let found = find_in_table(&table(&[vec![(0, &longest)]]), longest.as_bytes());
    assert_eq!(found, Some(Some(Reference::Object("ab".repeat(20)))));
    let grown = vec![(0, longest.as_str()), (4_096, "n")];
    assert_eq!(find_in_table(&table(&[grown]), b"z"), None);
    let long = "n".repeat(4_097);
    assert_eq!(find_in_table(&table(&[vec![(0, &long)]]), b"z"), None);
}

#[test]
fn a_list_has_so_many_tables_and_bytes_and_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let stack = dir.path();
    let list = |count: usize| {
        std::fs::write(stack.join("tables.list"), "one.ref\n".repeat(count)).unwrap();
        find(stack, "refs/heads/none").map_err(|_| ())
    };
    std::fs::write(stack.join("one.ref"), table(&[vec![(0, "a")]])).unwrap();
    assert_eq!(list(256), Ok(None));
    assert_eq!(list(257), Err(()));
    let mut options = std::fs::File::options();
    let file = options.write(true).open(stack.join("one.ref")).unwrap();
    file.set_len(MAX_TABLE_BYTES).unwrap();
    assert_eq!(list(2), Ok(None));
    assert_eq!(list(3), Err(()));
}

//! Finds paths in prose that are not known paths of the source.

use super::commit::is_commit_id;
use super::lines::{self, NamedLines};
use super::mention::path_run_start;

// More than the 260 of `MAX_PATH`, so that every path of a Windows checkout fits. A longer run
// without a space is not a path.
/// Maximum length of a path in bytes.
const MAX_BYTES: usize = 300;

// `[[...segments]]` has 15 bytes; a longer bracket is a remark.
/// Maximum length, in bytes, of a bracket before an extension.
const MAX_BRACKETS: usize = 40;

/// Characters before a path that are not part of it.
const BEFORE: [char; 5] = ['-', '+', '~', '%', '$'];
/// Characters after a path that are not part of it.
const AFTER: [char; 9] = ['.', '-', '/', '\\', '+', '~', '%', '$', '@'];

/// A path named in prose.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) file: String,
    pub(super) lines: Option<NamedLines>,
    /// The commit, if the text says `COMMIT:PATH` or `PATH@COMMIT`.
    pub(super) commit: Option<String>,
    /// The byte range of the path and its lines, including lines before the path.
    pub(super) span: [usize; 2],
    /// Where the path itself begins, after any lines before it.
    pub(super) name_start: usize,
    /// Where the path itself ends, before any lines after it.
    pub(super) name_end: usize,
}

impl Path {
    /// Returns the named line ranges, in order and without duplicates.
    pub(super) fn ranges(&self) -> Vec<[u32; 2]> {
        let mut ranges: Vec<[u32; 2]> = Vec::new();
        if let Some(lines) = &self.lines {
            for range in std::iter::once(&lines.lines).chain(&lines.more) {
                if !ranges.contains(range) {
                    ranges.push(*range);
                }
            }
        }
        ranges
    }
}

/// Extends each place to the lines named before its path, as in `line 5 of a.rs`. `paths` must be
/// in order.
pub(super) fn widen_to_lines_before(paths: &mut [Path]) {
    let mut end = 0;
    for path in paths {
        if let Some(lines) = &path.lines
            && end <= lines.at
            && lines.at < path.span[0]
        {
            path.span[0] = lines.at;
        }
        end = path.span[1];
    }
}

/// Functions that look up the files that a text may name.
pub(super) struct NamedFiles<'a> {
    /// Returns whether a path refers to one or several files.
    pub(super) has_file: &'a dyn Fn(&str) -> bool,
    /// Returns whether the source has a folder with this name, at any depth.
    pub(super) has_folder: &'a dyn Fn(&str) -> bool,
}

/// Extensions of files that people cite. None of them is a top-level domain.
const ENDINGS: &str = "adoc asm astro awk bash bat bazel bib bzl c cc cfg cjs clj cljs cmake cmd conf config cpp \
    cs csproj css csv cts cu cxx d dart diff dockerfile el elm env erl ex exs f90 fs fsx go \
    gql gradle graphql groovy h hbs hcl hh hpp hs htm html hxx ini ipynb j2 java jl js json \
    json5 jsonc jsonl jsx kt kts less lisp lock log lua m mak markdown md mdx mjs mk ml mli mm \
    mod mts nim nix patch php pl plist po prisma properties proto ps1 pug py pyi pyx r rake rb \
    rkt rs rst sass sbt scala scm scss service sh sol sql styl sum svelte svg swift tcl templ \
    tex tf tfvars thrift toml ts tsv tsx txt v vb vim vue wat wgsl xml xsd yaml yml zig zsh \
    axaml cshtml fsproj razor resx sln vbproj xaml";

/// Products whose names look like file names.
const PRODUCTS: &str = "alpine.js angular.js asp.net backbone.js chart.js d3.js discord.js ember.js express.js \
    knockout.js moment.js nest.js next.js node.js nuxt.js p5.js react.js solid.js three.js \
    vue.js";

/// Files without an extension whose lines are cited.
const NAMES: &str = "Makefile Dockerfile Justfile Rakefile Gemfile Procfile LICENSE README CMakeLists.txt BUILD \
    WORKSPACE CODEOWNERS Jenkinsfile Vagrantfile";

/// Finds the paths in a text that are not known, in order, with their lines. `taken` are the byte
/// ranges, in order, that are something else.
pub(super) fn find_unknown_paths(
    text: &str,
    taken: &[[usize; 2]],
    knows: &NamedFiles<'_>,
) -> Vec<Path> {
    let mut found: Vec<Path> = Vec::new();
    let mut from = 0;
    let mut taken = taken.iter().peekable();
    while let Some((start, end)) = next_path_char_run(text, from) {
        from = end;
        while taken.next_if(|span| span[1] <= start).is_some() {}
        if let Some(span) = taken.peek()
            && span[0] <= end
        {
            from = from.max(span[1]);
            continue;
        }
        // Skip the text of a link, because its target is more precise.
        if text[end..].starts_with("](") || text[end..].starts_with("`](") {
            continue;
        }
        let lowest = found.last().map_or(0, |it| it.span[1]);
        let Some(path) = parse_path_at(text, lowest, [start, end], knows) else {
            continue;
        };
        from = from.max(path.span[1]);
        found.push(path);
    }
    found
}

/// Reads the known path at `span`, with its commit and lines; `None` if the prose does not mean a
/// file.
pub(super) fn known_path(
    text: &str,
    lowest: usize,
    file: String,
    [start, end]: [usize; 2],
) -> Option<Path> {
    let written = &text[start..end];
    let mut commit = commit_id_before(text, start);
    let mut name_end = end;
    if let Some(id) = text[end..].strip_prefix('@') {
        let length = id.bytes().take_while(u8::is_ascii_hexdigit).count();
        if is_commit_id(&id[..length]) {
            commit = Some(id[..length].to_ascii_lowercase());
            name_end = end + 1 + length;
        }
    }
    let (lines, stop) = lines_around_path(text, lowest, start, name_end);
    is_meant_as_place(&file, written, lines.is_some()).then_some(Path {
        file,
        lines,
        commit,
        span: [start, stop],
        name_start: start,
        name_end,
    })
}

/// Returns whether a known path means a file: a single word without an extension is usually just a
/// word.
fn is_meant_as_place(file: &str, written: &str, has_lines: bool) -> bool {
    let last = file.rsplit(['/', '\\']).next().unwrap_or(file);
    if has_lines || last.len() < file.len() {
        return true;
    }
    match last.contains('.') {
        true => {
            !word_list_contains(PRODUCTS, &last.to_lowercase())
                && last.chars().any(char::is_alphabetic)
        }
        false => word_list_contains(NAMES, last) && written == last,
    }
}

/// Returns the range of the next run of path characters.
fn next_path_char_run(text: &str, from: usize) -> Option<(usize, usize)> {
    let rest = text.get(from..)?;
    let start = from + rest.find(is_path_char)?;
    let tail = &text[start..];
    let length = tail.find(|c| !is_path_char(c)).unwrap_or(tail.len());
    Some((start, start + length))
}

fn is_path_char(c: char) -> bool {
    c.is_alphanumeric() || "_./\\-+@~$%".contains(c)
}

/// Reads a run of characters as a path, using the text around it.
fn parse_path_at(
    text: &str,
    lowest: usize,
    [start, end]: [usize; 2],
    knows: &NamedFiles<'_>,
) -> Option<Path> {
    let whole = &text[start..end];
    if whole.len() > MAX_BYTES {
        return None;
    }
    let before = text[..start].chars().next_back();
    // One colon may precede the path of `COMMIT:PATH`; two colons precede a module name.
    let mut commit = before
        .filter(|it| *it == ':')
        .and_then(|_| commit_id_before(text, start));
    let word = whole.trim_start_matches(BEFORE);
    let mut start = end - word.len();
    if word.starts_with('/') && text[..start].ends_with([']', ')', '}']) {
        // In `app/[id]/new.ts`, brackets are part of the path.
        start = path_run_start(text, start).max(lowest);
    }
    if word.starts_with('/')
        && let Some(folder) = text[..start].strip_suffix('#')
        && folder.ends_with(char::is_alphanumeric)
    {
        // In `src/C#/new.cs`, `#` is part of a folder's name.
        let from = path_run_start(text, folder.len());
        // But in `a.json#/b`, it ends a file name.
        let ending = folder[from..]
            .rsplit('/')
            .next()
            .and_then(|it| it.rsplit_once('.'));
        if from >= lowest && !ending.is_some_and(|(_, it)| is_common_extension(it)) {
            start = from;
        }
    }
    if word.starts_with('.')
        && let Some(from) = bracketed_name_start(text, start)
    {
        // In `app/[id].tsx`, the file name begins with a bracket.
        start = from.max(lowest);
    }
    let name_end = start + text[start..end].trim_end_matches(AFTER).len();
    let mut name = &text[start..name_end];
    if let Some((path, id)) = name.rsplit_once('@')
        && is_commit_id(id)
        && !path.is_empty()
    {
        commit = Some(id.to_ascii_lowercase());
        name = path;
    }
    let drive = drive_letter_before(text, start, before);
    if name.is_empty() || is_email_address(name) || is_plain_word(name) {
        return None;
    }
    let (lines, stop) = lines_around_path(text, lowest, start, name_end);
    // Remove an emphasis around the path and its lines.
    if text[stop..].starts_with('_')
        && let Some(inner) = name.strip_prefix('_')
    {
        name = inner;
        start += 1;
    }
    let is_dotted_name = lines.is_none() && is_dotted_name(name, &text[name_end..]);
    // `[id].tsx` alone does not count, because many files may have this name.
    let is_bracket = lines.is_none() && name.starts_with(['[', '(', '{', '<']);
    if is_dotted_name
        || is_bracket && !name.contains('/')
        || !is_file_name(name, lines.is_some(), knows)
    {
        return None;
    }
    let file = match drive {
        Some(drive) => format!("{drive}:{name}"),
        None => name.to_owned(),
    };
    Some(Path {
        file,
        lines,
        commit,
        span: [start, stop],
        name_start: start,
        name_end,
    })
}

/// Returns where a path begins whose extension follows a bracket at `end`. The bracket must begin
/// the last part of the path, or a piece of code.
fn bracketed_name_start(text: &str, end: usize) -> Option<usize> {
    let mut open = Vec::new();
    for (at, c) in text[..end].char_indices().rev() {
        if c.is_control() || c == '`' || end - at > MAX_BRACKETS {
            return None;
        }
        match c {
            ']' => open.push('['),
            ')' => open.push('('),
            '}' => open.push('{'),
            _ if open.last() == Some(&c) => {
                open.pop();
            }
            _ if open.is_empty() => return None,
            _ => {}
        }
        if open.is_empty() {
            return match text[..at].chars().next_back() {
                Some('/') => Some(path_run_start(text, at)),
                Some('`') => Some(at),
                _ => None,
            };
        }
    }
    None
}

/// Reads the lines beside a path, and returns where the place ends.
fn lines_around_path(
    text: &str,
    lowest: usize,
    start: usize,
    end: usize,
) -> (Option<NamedLines>, usize) {
    if let Some(found) = lines::parse_fence_head(text, start) {
        return (Some(found), end);
    }
    let found =
        lines::parse_attached_lines(text, end).or_else(|| lines::parse_lines_after(text, end));
    if let Some(found) = found {
        let stop = found.at;
        return (Some(found), stop);
    }
    (lines::parse_lines_before(text, lowest, start), end)
}

/// Returns the commit of `COMMIT:PATH`, whose path begins at `start`.
fn commit_id_before(text: &str, start: usize) -> Option<String> {
    let before = text[..start].strip_suffix(':')?;
    let hex = before
        .bytes()
        .rev()
        .take(41)
        .take_while(u8::is_ascii_hexdigit)
        .count();
    let id = before.get(before.len() - hex..)?;
    let joined = before[..before.len() - hex].chars().next_back();
    (is_commit_id(id) && !joined.is_some_and(char::is_alphanumeric))
        .then(|| id.to_ascii_lowercase())
}

/// Returns the drive letter before `:\`.
fn drive_letter_before(text: &str, start: usize, before: Option<char>) -> Option<char> {
    if before != Some(':') || !text[start..].starts_with(['\\', '/']) {
        return None;
    }
    let mut chars = text[..start - 1].chars().rev();
    let drive = chars.next().filter(char::is_ascii_alphabetic)?;
    // `【F:/…` has a mark, not a drive.
    let joined = chars.next();
    (!joined.is_some_and(|c| c.is_alphanumeric() || c == '【')).then_some(drive)
}

/// Endings of domain names, and of products named like one.
const SITES: [&str; 7] = ["com", "dev", "edu", "gov", "io", "net", "org"];

/// Returns whether a name begins with a host name, as in `kubernetes.io/docs`.
pub(crate) fn starts_with_host_name(name: &str) -> bool {
    let host = name.split('/').next().unwrap_or("");
    let ending = host.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|it| SITES.iter().any(|site| site.eq_ignore_ascii_case(it)))
}

fn word_list_contains(list: &str, word: &str) -> bool {
    list.split(' ').any(|it| it == word)
}

/// Returns whether people cite files with this extension.
pub(super) fn is_common_extension(ending: &str) -> bool {
    word_list_contains(ENDINGS, &ending.to_lowercase())
}

/// Moves lines to the path after them, if the text says so but they were read as part of the path
/// before: `` `a.md:3` and L5 in `b.md` ``. `paths` must be in order.
pub(super) fn move_lines_to_next_path(text: &str, paths: &mut [Path]) {
    for at in 1..paths.len() {
        let earlier = at
            .checked_sub(2)
            .and_then(|it| paths.get(it))
            .map_or(0, |it| it.span[1]);
        let [before, next] = &mut paths[at - 1..=at] else {
            continue;
        };
        let first = lines::parse_first_lines(text, before.name_end);
        let lowest = first.as_ref().map_or(before.name_end, |it| it.at);
        if before.span[1] <= lowest {
            continue;
        }
        let Some(bound) = lines::parse_lines_before(text, lowest, next.span[0]) else {
            continue;
        };
        let lead = &text[lowest..bound.at.max(lowest)];
        let is_apart = lead.contains([',', ';', '(', '+', '&'])
            || [" and ", " und ", " et ", " also "]
                .iter()
                .any(|it| lead.ends_with(it));
        let is_other = next.lines.as_ref().is_some_and(|it| *it != bound);
        if is_other
            || bound.at >= before.span[1]
            || !is_apart
            || text[before.span[1]..].starts_with(',')
        {
            continue;
        }
        before.span[1] = before.name_end;
        before.lines = match first {
            Some(it) => {
                let more = lines::parse_more_lines(&text[..bound.at], before.name_end, &it);
                let found = more.unwrap_or(it);
                before.span[1] = found.at;
                Some(found)
            }
            None => lines::parse_lines_before(text, earlier, before.span[0]),
        };
        next.lines = Some(bound);
    }
}

/// Returns whether a name is an ordinary word, even with lines beside it. Checked first, because
/// most words are.
fn is_plain_word(name: &str) -> bool {
    !name.contains(['.', '/', '\\']) && !word_list_contains(NAMES, name.trim_start_matches('_'))
}

/// Returns whether a name is an email address.
fn is_email_address(name: &str) -> bool {
    let Some((user, host)) = name.split_once('@') else {
        return false;
    };
    !user.is_empty() && !user.ends_with('/') && host.contains('.') && !host.contains('/')
}

/// Returns whether a name is a file name.
fn is_file_name(name: &str, has_lines: bool, knows: &NamedFiles<'_>) -> bool {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let in_folder = last.len() < name.len();
    let ending = last
        .rsplit_once('.')
        .map(|(stem, ending)| (stem, ending.to_lowercase()));
    let usual = match &ending {
        Some((stem, ending)) => {
            word_list_contains(ENDINGS, ending) && (!stem.is_empty() || in_folder)
        }
        None => word_list_contains(NAMES, last),
    };
    if !has_lines
        && (word_list_contains(PRODUCTS, &name.to_lowercase()) || starts_with_host_name(name))
    {
        return false;
    }
    let has_letters = last.chars().any(char::is_alphabetic);
    if !has_letters {
        return false;
    }
    if usual {
        // Short names such as `e.g` and `a.c` are rarely files, unless they have lines.
        let short = ending.is_some_and(|(stem, ending)| stem.len() + ending.len() < 3);
        return has_lines
            || (in_folder && !short)
            || (!short && last.contains('.'))
            || (knows.has_file)(name);
    }
    let first = name
        .split(['/', '\\'])
        .find(|it| !matches!(*it, "" | "." | ".."));
    let is_in_known = in_folder && first.is_some_and(|it| (knows.has_folder)(it));
    if has_lines && is_in_known && ending.is_some_and(|(_, it)| is_extension(&it)) {
        return true;
    }
    let plain = !last.contains('.') && !in_folder && !has_lines;
    !plain && (in_folder || last.contains('.')) && (knows.has_file)(name)
}

fn is_extension(ending: &str) -> bool {
    (1..=8).contains(&ending.len()) && ending.bytes().all(|it| it.is_ascii_alphanumeric())
}

/// Returns whether a name with several dots is from a language or a table, such as `java.util.List`
/// or `a.b.c:d`, and not a file.
fn is_dotted_name(name: &str, rest: &str) -> bool {
    let Some((stem, ending)) = name
        .rsplit_once('.')
        .filter(|_| !name.contains(['/', '\\']))
    else {
        return false;
    };
    let goes_on = rest
        .strip_prefix([':', '('])
        .is_some_and(|it| it.starts_with(char::is_alphabetic));
    let is_of_type = ending.starts_with(char::is_uppercase) && ending.contains(char::is_lowercase);
    stem.contains('.') && (goes_on || is_of_type || stem.matches('.').count() > 2)
}

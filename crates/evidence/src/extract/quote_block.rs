//! Finds quotations in lines that begin with `>`.

// A quotation with more lines usually exceeds `MAX_BYTES` in `code.rs` and is dropped anyway.
/// Maximum number of lines in one block quotation.
const MAX_LINES: usize = 40;

/// Returns the block quotations of a text in order: the words without `>`, and the byte range.
pub(super) fn find_quote_blocks(text: &str) -> Vec<(String, [usize; 2])> {
    let mut blocks: Vec<(Vec<&str>, [usize; 2])> = Vec::new();
    let mut is_open = false;
    let mut is_fenced = false;
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let at = [from, from + line.trim_end().len()];
        from += line.len();
        let bare = line.trim();
        if bare.starts_with("```") {
            is_fenced = !is_fenced;
        }
        // Lines that begin with `>=` or `->` are not quotations.
        let words = bare
            .strip_prefix('>')
            .filter(|it| !is_fenced && (it.is_empty() || it.starts_with([' ', '\t', '>'])));
        let Some(words) = words else {
            is_open = false;
            continue;
        };
        match blocks.last_mut().filter(|_| is_open) {
            Some((lines, span)) if lines.len() < MAX_LINES => {
                lines.push(words.trim_start_matches('>').trim());
                span[1] = at[1].max(span[1]);
            }
            Some(_) => {}
            None => blocks.push((vec![words.trim_start_matches('>').trim()], at)),
        }
        is_open = true;
    }
    let joined = blocks
        .into_iter()
        .map(|(lines, at)| (strip_marks(lines), at));
    joined.collect()
}

/// Joins the lines into one text, and removes quotation marks around the whole.
fn strip_marks(lines: Vec<&str>) -> String {
    let words = lines.join("\n");
    let words = words.trim();
    let inner = words
        .strip_prefix("```")
        .and_then(|it| it.strip_suffix("```"))
        .and_then(|it| it.split_once('\n'))
        .map(|(_, code)| code);
    inner.unwrap_or(words).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_the_mark_are_one_quotation() {
        let words = |text: &str| -> Vec<String> {
            let found = find_quote_blocks(text).into_iter();
            found.map(|(words, _)| words).collect()
        };
        assert_eq!(
            words("so:\n\n> one of\n> two\n\nand\n> three"),
            ["one of\ntwo", "three"]
        );
        assert_eq!(words("a\n>= b\n-> c"), Vec::<String>::new());
        assert_eq!(words("```\n> $ ls\n```\n> \"kept\""), ["\"kept\""]);
        assert_eq!(words("> ```rs\n> let a = 1;\n> ```"), ["let a = 1;"]);
        assert_eq!(find_quote_blocks("x\n> ab\n")[0].1, [2, 6]);
    }
}

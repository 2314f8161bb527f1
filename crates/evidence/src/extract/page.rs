//! Addresses of pages in prose.

/// A page that prose names.
pub(super) struct PageMention {
    pub(super) url: String,
    pub(super) span: [usize; 2],
}

/// The addresses in a text, without the marks that end a sentence or a link.
pub(super) fn find_pages(text: &str) -> Vec<PageMention> {
    let mut pages = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("://")) {
        let middle = from + at;
        from = middle + 3;
        let before = text.get(..middle).unwrap_or("");
        let Some(scheme) = ["https", "http"].iter().find(|it| before.ends_with(**it)) else {
            continue;
        };
        let start = middle - scheme.len();
        if before[..start]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric)
        {
            continue;
        }
        let ends = |c: char| c.is_whitespace() || "<>\"'`|\\^{}[]”’".contains(c);
        let rest = &text[start..];
        let length = rest.find(ends).unwrap_or(rest.len());
        let url = trim_trailing_punctuation(&rest[..length]);
        from = from.max(start + length);
        if url.len() > scheme.len() + 3 {
            pages.push(PageMention {
                url: url.to_owned(),
                span: [start, start + url.len()],
            });
        }
    }
    pages
}

/// An address without the marks after it; a bracket is its own when it was opened in it.
fn trim_trailing_punctuation(url: &str) -> &str {
    let mut url = url;
    let open = url.matches('(').count();
    let mut closed = url.matches(')').count();
    loop {
        let shorter = match url.chars().next_back() {
            Some('.' | ',' | ';' | ':' | '!' | '?' | '*' | '_') => url.len() - 1,
            Some(')') if closed > open => {
                closed -= 1;
                url.len() - 1
            }
            Some(_) | None => return url,
        };
        url = &url[..shorter];
    }
}

//! Finds the URLs of web pages in a text.

/// The address of a web page in a text.
pub(super) struct PageMention {
    pub(super) url: String,
    pub(super) span: [usize; 2],
    /// Whether the URL contains a known path.
    pub(super) has_known_path: bool,
}

/// Returns the URLs in a text, without the marks that end a sentence or a link.
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
                has_known_path: false,
            });
        }
    }
    pages
}

/// Extends the page at the beginning of `span` to the end of the known path in it, whatever
/// characters that contains, and to the next space.
pub(super) fn widen(text: &str, pages: &mut [PageMention], [start, end]: [usize; 2]) {
    let at = pages.partition_point(|page| page.span[1] <= start);
    let Some(page) = pages.get_mut(at).filter(|page| page.span[0] <= start) else {
        return;
    };
    page.has_known_path = true;
    if page.span[1] >= end {
        return;
    }
    let rest = &text[end..];
    let ends = |c: char| c.is_whitespace() || "<>\"'`|\\^{}[]()”’,;".contains(c);
    let length = rest.find(ends).unwrap_or(rest.len());
    let stop = end + trim_trailing_punctuation(&rest[..length]).len();
    page.url = text[page.span[0]..stop].to_owned();
    page.span[1] = stop;
}

/// Removes punctuation after a URL. A closing bracket stays if the URL contains the opening one.
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

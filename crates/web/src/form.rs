//! The form in which a client wants what is at an address.

use axum::extract::Request;

/// The form of a document at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Page,
    Markdown,
    Json,
    /// The report of a debate as one file, to keep or to pass on.
    File,
}

impl Form {
    /// The endings of addresses with their forms.
    pub(crate) const ENDINGS: [(&'static str, Self); 3] = [
        (".md", Self::Markdown),
        (".json", Self::Json),
        (".html", Self::File),
    ];

    /// Returns the form that a client prefers: what it names first.
    pub(crate) fn of_accept(request: &Request) -> Self {
        let accept = request.headers().get("accept");
        let accept = accept.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let kinds = accept.split(',').map(|kind| kind.split(';').next());
        for kind in kinds.flatten().map(str::trim) {
            match kind {
                "text/html" => return Self::Page,
                "text/markdown" | "text/plain" => return Self::Markdown,
                "application/json" => return Self::Json,
                _ => {}
            }
        }
        Self::Page
    }

    /// Returns the form of an address whose last segment contains no dot except before its ending.
    pub(crate) fn of_request(request: &Request) -> Self {
        let path = request.uri().path();
        let endings = Self::ENDINGS.iter().take(2);
        let mut named = endings.filter(|(ending, _)| path.ends_with(ending));
        match named.next() {
            Some((_, form)) => *form,
            None => Self::of_accept(request),
        }
    }
}

/// Returns a name without the ending of a form.
pub(crate) fn without_ending(name: &str) -> &str {
    let endings = Form::ENDINGS.iter().take(2);
    let mut rest = endings.filter_map(|(ending, _)| name.strip_suffix(ending));
    rest.next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn request(path: &str, accept: &str) -> Request {
        let request = Request::builder().uri(path).header("accept", accept);
        request.body(Body::empty()).unwrap()
    }

    #[test]
    fn an_ending_counts_before_what_the_client_accepts() {
        let browser = "text/html,application/xhtml+xml,*/*;q=0.8";
        for (path, accept, form) in [
            ("/team", browser, Form::Page),
            ("/team", "*/*", Form::Page),
            ("/team", "application/json, text/html", Form::Json),
            ("/team", "text/plain", Form::Markdown),
            ("/team.md", browser, Form::Markdown),
            ("/team/tasks/t1.json", browser, Form::Json),
        ] {
            assert_eq!(
                Form::of_request(&request(path, accept)),
                form,
                "{path} {accept}"
            );
        }
        assert_eq!(["t1.json", "t1.md", "t1"].map(without_ending), ["t1"; 3]);
    }
}

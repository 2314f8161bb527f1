//! A topic with places for the text of columns: `Is {claim} true?`.

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Column(String),
}

impl Template {
    /// Parses a template; `{{` and `}}` stand for braces.
    ///
    /// # Errors
    ///
    /// If a brace is not closed or not opened, or a name is empty.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '{' | '}' if rest.peek() == Some(&c) => {
                    rest.next();
                    plain.push(c);
                }
                '{' => {
                    let mut name = String::new();
                    loop {
                        match rest.next() {
                            Some('}') => break,
                            Some(c) if c != '{' => name.push(c),
                            _ => return Err(format!("`{{{name}` is not closed with `}}`")),
                        }
                    }
                    if name.trim().is_empty() {
                        return Err("`{}` names no column".to_owned());
                    }
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                    parts.push(Part::Column(name.trim().to_owned()));
                }
                '}' => return Err("`}` without `{`; write `}}` for a brace".to_owned()),
                c => plain.push(c),
            }
        }
        parts.push(Part::Text(plain));
        Ok(Self(parts))
    }

    /// Returns the names of its columns.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Column(name) => Some(name.as_str()),
        })
    }

    /// Returns the text with the columns' texts from `value`.
    pub(super) fn render<'a>(&self, value: impl Fn(&str) -> Option<&'a str>) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Column(name) => value(name).unwrap_or_default().to_owned(),
        };
        self.0.iter().map(part).collect()
    }
}

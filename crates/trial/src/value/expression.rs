//! Expressions with `+ - * /` and brackets.

/// The deepest nesting of brackets and signs that is read.
const MAX_DEPTH: u32 = 50;

/// Returns the value of an expression; `None` if it is not one, or divides by zero.
pub(crate) fn expression_value(text: &str) -> Option<f64> {
    let mut reader = Reader {
        rest: text,
        depth: 0,
    };
    let value = reader.sum()?;
    let is_whole = reader.rest.trim().is_empty();
    (is_whole && value.is_finite()).then_some(value)
}

/// Returns the whole numbers in an expression, sorted.
pub(crate) fn numbers_of(text: &str) -> Vec<i64> {
    let words = text.split(|c: char| !c.is_ascii_digit());
    let mut numbers: Vec<i64> = words.filter_map(|word| word.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl Reader<'_> {
    /// Takes the next character if it is one of `wanted`.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let rest = self.rest.trim_start();
        let next = rest.chars().next().filter(|next| wanted.contains(next))?;
        self.rest = rest.get(next.len_utf8()..).unwrap_or_default();
        Some(next)
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        while let Some(sign) = self.take(&['+', '-', '−']) {
            let next = self.product()?;
            value = if sign == '+' {
                value + next
            } else {
                value - next
            };
        }
        Some(value)
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        while let Some(sign) = self.take(&['*', '×', '·', '/', '÷']) {
            let next = self.factor()?;
            value = match sign {
                '/' | '÷' if next == 0.0 => return None,
                '/' | '÷' => value / next,
                _ => value * next,
            };
        }
        Some(value)
    }

    fn factor(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = if self.take(&['-', '−']).is_some() {
            self.factor().map(|value| -value)
        } else if self.take(&['(']).is_some() {
            let value = self.sum()?;
            self.take(&[')']).map(|_| value)
        } else {
            let rest = self.rest.trim_start();
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
            let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
            self.rest = after;
            number.parse().ok()
        };
        self.depth -= 1;
        value
    }
}

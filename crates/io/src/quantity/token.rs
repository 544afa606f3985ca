use super::ExpressionError;

/// A word of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// Digits as written.
    Number(String),
    Name(String),
    Symbol(char),
}

/// A token with its bytes in the expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spanned {
    pub(crate) token: Token,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Splits an expression into tokens.
pub(crate) fn tokenize(text: &str) -> Result<Vec<Spanned>, ExpressionError> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some(&(start, c)) = rest.peek() {
        let end = if c.is_whitespace() {
            rest.next();
            continue;
        } else if c.is_ascii_digit() || c == '.' {
            number_end(text, start)
        } else if c.is_alphabetic() || c == '_' {
            text[start..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(text.len(), |k| start + k)
        } else if "+-*/^(),%".contains(c) {
            start + 1
        } else {
            let end = start + c.len_utf8();
            let error = ExpressionError::new("E0103", (start, end), format!("unexpected character `{c}`"));
            return Err(error.expected("numbers, units, names, + - * / ^ and parentheses"));
        };
        let word = &text[start..end];
        let token = if c.is_ascii_digit() || c == '.' {
            Token::Number(word.to_owned())
        } else if c == '%' {
            Token::Name(word.to_owned())
        } else if c.is_alphabetic() || c == '_' {
            // Two code points of the micro sign are in use; the table of units has the first.
            Token::Name(word.replace('\u{3bc}', "\u{b5}"))
        } else {
            Token::Symbol(c)
        };
        tokens.push(Spanned { token, start, end });
        while rest.peek().is_some_and(|(k, _)| *k < end) {
            rest.next();
        }
    }
    Ok(tokens)
}

/// End of the number that starts at `start`: digits, a point, digits, an exponent.
fn number_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut k: usize| {
        while k < bytes.len() && (bytes[k].is_ascii_digit() || bytes[k] == b'_') {
            k += 1;
        }
        k
    };
    let mut end = digits(start);
    if end < bytes.len() && bytes[end] == b'.' {
        end = digits(end + 1);
    }
    if end < bytes.len() && (bytes[end] == b'e' || bytes[end] == b'E') {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    end
}

use std::f64::consts::PI;

use super::token::{Spanned, Token, tokenize};
use super::unit::{Unit, find_unit, is_weak_unit, unit_names};
use super::{ExpressionError, Names};
use crate::suggest;

/// An expression with the bytes it spans.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Number in SI units; the unit gives the dimension.
    Number(f64, Option<Unit>),
    Name(String),
    Negate(Box<Expr>),
    Binary(char, Box<Expr>, Box<Expr>),
    Call(Function, Vec<Expr>),
    /// A parenthesis or constant followed by a unit.
    Scaled(Box<Expr>, Unit),
}

/// Functions by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sqrt,
    Sin,
    Cos,
    Tan,
    Atan2,
    Floor,
    Min,
    Max,
    Abs,
}

const FUNCTIONS: [(&str, Function); 9] = [
    ("sqrt", Function::Sqrt),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("atan2", Function::Atan2),
    ("floor", Function::Floor),
    ("min", Function::Min),
    ("max", Function::Max),
    ("abs", Function::Abs),
];

/// Deepest nesting of an expression; more is a mistake, and the parser recurses.
const MAX_DEPTH: usize = 64;
/// Most words of an expression: a long chain of operators is a deep tree.
const MAX_TOKENS: usize = 500;

/// Parses an expression; `names` decides which words are parameters.
pub(crate) fn parse(text: &str, names: &dyn Names) -> Result<Expr, ExpressionError> {
    parse_up_to(text, names, MAX_TOKENS)
}

/// The same with room for what programs write: parameters in place, constants with their signs.
pub(crate) fn parse_long(text: &str, names: &dyn Names) -> Result<Expr, ExpressionError> {
    parse_up_to(text, names, 3 * MAX_TOKENS)
}

fn parse_up_to(text: &str, names: &dyn Names, max_tokens: usize) -> Result<Expr, ExpressionError> {
    let tokens = tokenize(text)?;
    if tokens.is_empty() {
        return Err(ExpressionError::new("E0103", (0, text.len()), "the expression is empty"));
    }
    if tokens.len() > max_tokens {
        let message = format!("the expression has {} words; at most {max_tokens} are allowed", tokens.len());
        return Err(ExpressionError::new("E0103", (0, text.len()), message).help("split it into parameters"));
    }
    let mut parser = Parser { tokens, next: 0, names, length: text.len(), depth: 0 };
    let expr = parser.sum()?;
    match parser.peek() {
        None => Ok(expr),
        Some(_) => Err(parser.unexpected()),
    }
}

struct Parser<'a> {
    tokens: Vec<Spanned>,
    next: usize,
    names: &'a dyn Names,
    length: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|t| &t.token)
    }

    fn at(&self) -> (usize, usize) {
        self.tokens.get(self.next).map_or((self.length, self.length), |t| (t.start, t.end))
    }

    fn end(&self) -> usize {
        if self.next == 0 { 0 } else { self.tokens[self.next - 1].end }
    }

    fn take_symbol(&mut self, choices: &str) -> Option<char> {
        match self.peek() {
            Some(Token::Symbol(c)) if choices.contains(*c) => {
                let c = *c;
                self.next += 1;
                Some(c)
            }
            _ => None,
        }
    }

    /// sum = product (('+' | '-') product)*
    fn sum(&mut self) -> Result<Expr, ExpressionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExpressionError::new(
                "E0103",
                self.at(),
                format!("more than {MAX_DEPTH} levels deep"),
            ));
        }
        let mut left = self.product()?;
        while let Some(op) = self.take_symbol("+-") {
            let right = self.product()?;
            left = binary(op, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    /// product = signed (('*' | '/') signed)*
    fn product(&mut self) -> Result<Expr, ExpressionError> {
        let mut left = self.signed()?;
        while let Some(op) = self.take_symbol("*/") {
            let right = self.signed()?;
            left = binary(op, left, right);
        }
        Ok(left)
    }

    /// signed = ('+' | '-')* power
    fn signed(&mut self) -> Result<Expr, ExpressionError> {
        let start = self.at().0;
        let mut negative = false;
        while let Some(sign) = self.take_symbol("+-") {
            negative ^= sign == '-';
        }
        let inner = self.power()?;
        let end = inner.end;
        Ok(if negative { Expr { kind: Kind::Negate(Box::new(inner)), start, end } } else { inner })
    }

    /// power = primary ('^' signed)?
    fn power(&mut self) -> Result<Expr, ExpressionError> {
        let base = self.primary()?;
        if self.take_symbol("^").is_none() {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExpressionError::new(
                "E0103",
                self.at(),
                format!("more than {MAX_DEPTH} levels deep"),
            ));
        }
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(binary('^', base, exponent))
    }

    /// primary = number unit? | '(' sum ')' unit? | function '(' arguments ')' | name | unit
    fn primary(&mut self) -> Result<Expr, ExpressionError> {
        let (start, end) = self.at();
        match self.peek().cloned() {
            Some(Token::Number(digits)) => {
                self.next += 1;
                let unit = self.unit()?;
                let value = read_number(&digits, unit.as_ref()).ok_or_else(|| {
                    ExpressionError::new("E0103", (start, end), format!("`{digits}` is not a number"))
                })?;
                self.refuse_word_after_number(&digits)?;
                Ok(Expr { kind: Kind::Number(value, unit), start, end: self.end() })
            }
            Some(Token::Symbol('(')) => {
                self.next += 1;
                let inner = self.sum()?;
                self.close(start)?;
                self.with_unit(inner, start)
            }
            Some(Token::Name(name)) => {
                self.next += 1;
                self.name(&name, start, end)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn name(&mut self, name: &str, start: usize, end: usize) -> Result<Expr, ExpressionError> {
        if self.peek() == Some(&Token::Symbol('(')) {
            if let Some((_, function)) = FUNCTIONS.iter().find(|f| f.0 == name) {
                return self.call(*function, start);
            }
            let known = FUNCTIONS.iter().map(|f| f.0);
            let error = ExpressionError::new("E0108", (start, end), format!("there is no function `{name}`"));
            return Err(match suggest::help(name, known) {
                Some(help) => error.help(help),
                None => error,
            });
        }
        if name == "pi" {
            return self.with_unit(Expr { kind: Kind::Number(PI, None), start, end }, start);
        }
        if self.is_unit(name) {
            // A unit that follows no number is one of it: "1/s", "pi*rad".
            self.next -= 1;
            let unit = self.unit()?.unwrap_or(Unit {
                power_of_ten: 0.0,
                factor: 1.0,
                dimension: super::Dimension::NONE,
            });
            let value = read_number("1", Some(&unit)).unwrap_or(1.0);
            return Ok(Expr { kind: Kind::Number(value, Some(unit)), start, end: self.end() });
        }
        Ok(Expr { kind: Kind::Name(name.to_owned()), start, end })
    }

    fn call(&mut self, function: Function, start: usize) -> Result<Expr, ExpressionError> {
        let open = self.at().0;
        self.next += 1;
        let mut arguments = vec![self.sum()?];
        while self.take_symbol(",").is_some() {
            arguments.push(self.sum()?);
        }
        self.close(open)?;
        let expected = match function {
            Function::Min | Function::Max => arguments.len(),
            Function::Atan2 => 2,
            _ => 1,
        };
        if arguments.len() != expected {
            let name = FUNCTIONS.iter().find(|f| f.1 == function).map_or("", |f| f.0);
            let message = format!("`{name}` takes {expected} argument(s), got {}", arguments.len());
            return Err(ExpressionError::new("E0103", (start, self.end()), message));
        }
        let call = Expr { kind: Kind::Call(function, arguments), start, end: self.end() };
        self.with_unit(call, start)
    }

    fn close(&mut self, open: usize) -> Result<(), ExpressionError> {
        match self.take_symbol(")") {
            Some(_) => Ok(()),
            None if self.peek().is_none() => {
                let error = ExpressionError::new("E0103", (open, open + 1), "this parenthesis is not closed");
                Err(error.expected("`)`"))
            }
            None => Err(self.unexpected()),
        }
    }

    fn with_unit(&mut self, inner: Expr, start: usize) -> Result<Expr, ExpressionError> {
        Ok(match self.unit()? {
            Some(unit) => Expr { kind: Kind::Scaled(Box::new(inner), unit), start, end: self.end() },
            None => inner,
        })
    }

    fn is_unit(&self, name: &str) -> bool {
        find_unit(name).is_some() && !(is_weak_unit(name) && self.names.defines(name))
    }

    /// unit = name ('^' exponent)? (('*' | '/') name ('^' exponent)?)*, as far as the names are units.
    fn unit(&mut self) -> Result<Option<Unit>, ExpressionError> {
        let Some(mut unit) = self.unit_factor()? else { return Ok(None) };
        loop {
            let before = self.next;
            let Some(op) = self.take_symbol("*/") else { break };
            match self.unit_factor()? {
                Some(factor) => unit = unit.times(if op == '/' { factor.power(-1.0) } else { factor }),
                None => {
                    // The operator belongs to the expression: "2 m * x".
                    self.next = before;
                    break;
                }
            }
        }
        Ok(Some(unit))
    }

    fn unit_factor(&mut self) -> Result<Option<Unit>, ExpressionError> {
        let name = match self.peek() {
            Some(Token::Name(name)) if self.is_unit(name) => name.clone(),
            _ => return Ok(None),
        };
        // "min(" is the function.
        if self.tokens.get(self.next + 1).is_some_and(|t| t.token == Token::Symbol('(')) {
            return Ok(None);
        }
        let Some(unit) = find_unit(&name) else { return Ok(None) };
        self.next += 1;
        if self.take_symbol("^").is_none() {
            return Ok(Some(unit));
        }
        Ok(Some(unit.power(self.unit_exponent()?)))
    }

    /// exponent = sign? number | '(' sign? number ('/' number)? ')'
    fn unit_exponent(&mut self) -> Result<f64, ExpressionError> {
        let open = self.at().0;
        let in_parentheses = self.take_symbol("(").is_some();
        let sign = if self.take_symbol("+-") == Some('-') { -1.0 } else { 1.0 };
        let mut exponent = sign * self.plain_number()?;
        if in_parentheses {
            if self.take_symbol("/").is_some() {
                exponent /= self.plain_number()?;
            }
            self.close(open)?;
        }
        Ok(exponent)
    }

    fn plain_number(&mut self) -> Result<f64, ExpressionError> {
        let at = self.at();
        if let Some(Token::Number(digits)) = self.peek()
            && let Some(value) = read_number(digits, None)
        {
            self.next += 1;
            return Ok(value);
        }
        Err(ExpressionError::new("E0103", at, "the power of a unit must be a number"))
    }

    /// "2 x" is neither a number with a unit nor a product.
    fn refuse_word_after_number(&self, digits: &str) -> Result<(), ExpressionError> {
        let Some(Token::Name(name)) = self.peek() else { return Ok(()) };
        let at = self.at();
        if self.names.defines(name) {
            let error =
                ExpressionError::new("E0103", at, format!("`{name}` follows a number without an operator"));
            return Err(error.help(format!("write `{digits}*{name}`")));
        }
        if self.is_unit(name) {
            let error = ExpressionError::new(
                "E0103",
                at,
                format!("unit `{name}` follows a unit without an operator"),
            );
            return Err(error.help("write the product of units with `*`, as in `kg*m^2`"));
        }
        let error = ExpressionError::new("E0108", at, format!("there is no unit `{name}`"));
        Err(match suggest::nearest(name, unit_names()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(
                "units: m, kg, g, t, s, ms, N, kN, Pa, MPa, J, W, Hz, rad, deg, rev, rpm, with SI prefixes",
            ),
        })
    }

    fn unexpected(&self) -> ExpressionError {
        let at = self.at();
        match self.peek() {
            None => ExpressionError::new("E0103", at, "the expression ends too early")
                .expected("a number or a name"),
            Some(Token::Number(t) | Token::Name(t)) => {
                ExpressionError::new("E0103", at, format!("unexpected `{t}`"))
                    .help("is an operator missing before it?")
            }
            Some(Token::Symbol(c)) => ExpressionError::new("E0103", at, format!("unexpected `{c}`")),
        }
    }
}

fn binary(op: char, left: Expr, right: Expr) -> Expr {
    let (start, end) = (left.start, right.end);
    Expr { kind: Kind::Binary(op, Box::new(left), Box::new(right)), start, end }
}

/// Value of digits with a unit, the power of ten taken into the decimal so that it is rounded once.
fn read_number(digits: &str, unit: Option<&Unit>) -> Option<f64> {
    let digits = digits.replace('_', "");
    let Some(unit) = unit else { return digits.parse().ok() };
    let power = unit.power_of_ten;
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (digits.as_str(), 0),
    };
    let value: f64 = if power.fract() == 0.0 && power.abs() < 1e6 {
        format!("{mantissa}e{}", exponent.saturating_add(power as i64)).parse().ok()?
    } else {
        digits.parse::<f64>().ok()? * libm::pow(10.0, power)
    };
    Some(value * unit.factor)
}

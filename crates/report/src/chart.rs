//! What is drawn, whatever draws it.

/// A curve. Points with a value that is not finite interrupt it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Abscissae.
    pub x: Vec<f64>,
    /// Ordinates.
    pub y: Vec<f64>,
}

/// Points that belong to a curve and are drawn in its colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Dots {
    /// Index of the curve.
    pub line: usize,
    /// Abscissae.
    pub x: Vec<f64>,
    /// Ordinates.
    pub y: Vec<f64>,
}

/// What an axis shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// Quantity; may be empty.
    pub label: String,
    /// Unit of the values as given; empty for pure numbers.
    pub unit: &'static str,
}

impl Axis {
    /// A quantity and its unit.
    pub fn new(label: impl Into<String>, unit: &'static str) -> Self {
        Self { label: label.into(), unit }
    }
}

/// One pair of axes with its curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Title.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves.
    pub lines: Vec<Line>,
    /// Points of curves.
    pub dots: Vec<Dots>,
    /// Abscissae of events, drawn as ticks.
    pub marks: Vec<f64>,
    /// Horizontal range, if not that of the curves.
    pub x_range: Option<[f64; 2]>,
    /// Ordinates are decimal logarithms of the values, which the ticks show.
    pub decades: bool,
    /// A metre is as long on both axes.
    pub equal_aspect: bool,
}

/// Panels one above the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Panels, top first.
    pub panels: Vec<Panel>,
}

impl Panel {
    /// Smallest and greatest finite abscissa and ordinate of all curves and points; `None` without any point.
    pub fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        let mut bounds: Option<[[f64; 2]; 2]> = None;
        let lines = self.lines.iter().flat_map(|line| line.x.iter().zip(&line.y));
        let dots = self.dots.iter().flat_map(|dots| dots.x.iter().zip(&dots.y));
        for (&x, &y) in lines.chain(dots) {
            if x.is_finite() && y.is_finite() {
                let [bx, by] = bounds.get_or_insert([[x, x], [y, y]]);
                *bx = [bx[0].min(x), bx[1].max(x)];
                *by = [by[0].min(y), by[1].max(y)];
            }
        }
        bounds
    }
}

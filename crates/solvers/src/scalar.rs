use crate::dot::dot;

/// Parts of a real and of a complex number.
pub(crate) const REAL: usize = 1;
pub(crate) const COMPLEX: usize = 2;

/// A number by its parts: \[re] or \[re, im]. Many of them are one slice a part, side by side, which vector instructions
/// take as they are.
pub(crate) trait Scalar<const PARTS: usize>: Copy + PartialEq {
    /// A measure of size for pivots: |re| + |im|.
    fn size(self) -> f64;
    /// a b.
    fn times(self, b: Self) -> Self;
    /// a/b.
    fn over(self, b: Self) -> Self;
    /// a − b.
    fn minus(self, b: Self) -> Self;
    /// a − Σ b c over a few products. The rounding of either kind is its own: real ones are summed first, complex ones
    /// subtracted one by one.
    fn minus_products(self, products: impl Iterator<Item = (Self, Self)>) -> Self;
    /// Σ a_i b_i.
    fn dot(a: [&[f64]; PARTS], b: [&[f64]; PARTS]) -> Self;
    /// x_i = x_i f.
    fn scale(x: [&mut [f64]; PARTS], f: Self);
    /// x_i = x_i − f y_i.
    fn subtract(x: [&mut [f64]; PARTS], f: Self, y: [&[f64]; PARTS]);
}

impl Scalar<REAL> for [f64; REAL] {
    #[inline(always)]
    fn size(self) -> f64 {
        self[0].abs()
    }

    #[inline(always)]
    fn times(self, b: Self) -> Self {
        [self[0] * b[0]]
    }

    #[inline(always)]
    fn over(self, b: Self) -> Self {
        [self[0] / b[0]]
    }

    #[inline(always)]
    fn minus(self, b: Self) -> Self {
        [self[0] - b[0]]
    }

    #[inline(always)]
    fn minus_products(self, products: impl Iterator<Item = (Self, Self)>) -> Self {
        [self[0] - products.map(|([b], [c])| b * c).sum::<f64>()]
    }

    #[inline(always)]
    fn dot([a]: [&[f64]; REAL], [b]: [&[f64]; REAL]) -> Self {
        [dot(a, b)]
    }

    #[inline(always)]
    fn scale([x]: [&mut [f64]; REAL], [f]: Self) {
        x.iter_mut().for_each(|x| *x *= f);
    }

    #[inline(always)]
    fn subtract([x]: [&mut [f64]; REAL], [f]: Self, [y]: [&[f64]; REAL]) {
        x.iter_mut().zip(y).for_each(|(x, y)| *x -= f * y);
    }
}

impl Scalar<COMPLEX> for [f64; COMPLEX] {
    #[inline(always)]
    fn size(self) -> f64 {
        self[0].abs() + self[1].abs()
    }

    #[inline(always)]
    fn times(self, [br, bi]: Self) -> Self {
        let [ar, ai] = self;
        [ar * br - ai * bi, ar * bi + ai * br]
    }

    /// By Smith's method.
    #[inline(always)]
    fn over(self, [br, bi]: Self) -> Self {
        let [ar, ai] = self;
        if br.abs() >= bi.abs() {
            let ratio = bi / br;
            let size = br + bi * ratio;
            [(ar + ai * ratio) / size, (ai - ar * ratio) / size]
        } else {
            let ratio = br / bi;
            let size = br * ratio + bi;
            [(ar * ratio + ai) / size, (ai * ratio - ar) / size]
        }
    }

    #[inline(always)]
    fn minus(self, [br, bi]: Self) -> Self {
        [self[0] - br, self[1] - bi]
    }

    #[inline(always)]
    fn minus_products(self, products: impl Iterator<Item = (Self, Self)>) -> Self {
        products.fold(self, |a, (b, c)| a.minus(b.times(c)))
    }

    #[inline(always)]
    fn dot([ar, ai]: [&[f64]; COMPLEX], [br, bi]: [&[f64]; COMPLEX]) -> Self {
        [dot(ar, br) - dot(ai, bi), dot(ar, bi) + dot(ai, br)]
    }

    #[inline(always)]
    fn scale([xr, xi]: [&mut [f64]; COMPLEX], f: Self) {
        for (xr, xi) in xr.iter_mut().zip(xi) {
            [*xr, *xi] = [*xr, *xi].times(f);
        }
    }

    #[inline(always)]
    fn subtract([xr, xi]: [&mut [f64]; COMPLEX], [fr, fi]: Self, [yr, yi]: [&[f64]; COMPLEX]) {
        for ((xr, xi), (yr, yi)) in xr.iter_mut().zip(xi).zip(yr.iter().zip(yi)) {
            *xr -= fr * yr - fi * yi;
            *xi -= fr * yi + fi * yr;
        }
    }
}

/// Number i of many.
#[inline(always)]
pub(crate) fn at<const PARTS: usize>(numbers: &[impl AsRef<[f64]>; PARTS], i: usize) -> [f64; PARTS] {
    std::array::from_fn(|part| numbers[part].as_ref()[i])
}

/// Makes number i of many `x`.
#[inline(always)]
pub(crate) fn put<const PARTS: usize>(numbers: &mut [impl AsMut<[f64]>; PARTS], i: usize, x: [f64; PARTS]) {
    for (part, x) in numbers.iter_mut().zip(x) {
        part.as_mut()[i] = x;
    }
}

use carom_math::{Vec3, orthonormal_basis};

/// A triangle with its index in the mesh.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) corners: [Vec3; 3],
    pub(super) index: u32,
}

/// Box about a centre (m), with unit axes and half edges (m); the third axis is near the normal if there is one.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    pub(super) centre: Vec3,
    pub(super) axes: [Vec3; 3],
    pub(super) half: [f64; 3],
}

/// Length of the mean normal over that of normals alike, from which a group counts as a piece of a surface that has a normal.
const ONE_SIDED: f64 = 0.3;

/// Cosine and sine of eighths of a right angle, by which boxes are tried turned about their normals.
const TURNS: [[f64; 2]; 4] = [
    [1.0, 0.0],
    [0.923_879_532_511_286_7, 0.382_683_432_365_089_8],
    [std::f64::consts::FRAC_1_SQRT_2; 2],
    [0.382_683_432_365_089_8, 0.923_879_532_511_286_7],
];

/// A small box around triangles: flat along their mean normal, or along the axes of the frame if they have none.
pub(super) fn fit(items: &[Item]) -> Fitted {
    let normals = || items.iter().map(|Item { corners: [a, b, c], .. }| (b - a).cross(&(c - a)));
    let (sum, total) = normals().fold((Vec3::zeros(), 0.0), |(sum, total), n| (sum + n, total + n.norm()));
    let size = sum.norm();
    if size > ONE_SIDED * total && size > 0.0 && size.is_finite() {
        return fit_about(items, &(sum / size));
    }
    let mut fitted = enclose(items, [Vec3::x(), Vec3::y(), Vec3::z()]);
    let thinnest = (0..3).fold(0, |best, k| if fitted.half[k] < fitted.half[best] { k } else { best });
    fitted.axes.swap(thinnest, 2);
    fitted.half.swap(thinnest, 2);
    fitted
}

/// Turned about the normal as the spread of the corners says, or by some eighths of a right angle more.
fn fit_about(items: &[Item], normal: &Vec3) -> Fitted {
    let (x, y) = orthonormal_basis(normal);
    let corners = || items.iter().flat_map(|item| &item.corners);
    let middle = corners().sum::<Vec3>() / (3 * items.len()) as f64;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in corners() {
        let (u, v) = (x.dot(&(p - middle)), y.dot(&(p - middle)));
        xx += u * u;
        xy += u * v;
        yy += v * v;
    }
    let angle = 0.5 * libm::atan2(2.0 * xy, xx - yy);
    let (sin, cos) = libm::sincos(angle);
    let (x, y) = (cos * x + sin * y, cos * y - sin * x);
    let turned = TURNS.map(|[c, s]| enclose(items, [c * x + s * y, c * y - s * x, *normal]));
    let area = |f: &Fitted| f.half[0] * f.half[1];
    let [first, rest @ ..] = turned;
    rest.into_iter().fold(first, |best, next| if area(&next) < area(&best) { next } else { best })
}

fn enclose(items: &[Item], axes: [Vec3; 3]) -> Fitted {
    let origin = items[0].corners[0];
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for p in items.iter().flat_map(|item| &item.corners) {
        let from = p - origin;
        for k in 0..3 {
            let at = axes[k].dot(&from);
            low[k] = low[k].min(at);
            high[k] = high[k].max(at);
        }
    }
    let middle = |k: usize| 0.5 * (low[k] + high[k]);
    let centre = origin + middle(0) * axes[0] + middle(1) * axes[1] + middle(2) * axes[2];
    Fitted { centre, axes, half: [0, 1, 2].map(|k| 0.5 * (high[k] - low[k])) }
}

/// Reorders items so that the first `count` lie below the others along the longest extent of their centres. Equal ones
/// are in the order of their indices: what is made of the same mesh is the same.
pub(super) fn cut_longest(items: &mut [Item], count: usize) {
    let centre = |item: &Item| item.corners.iter().sum::<Vec3>();
    let none = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) = items.iter().map(centre).fold(none, |(low, high), c| (low.inf(&c), high.sup(&c)));
    let axis = (high - low).imax();
    let at = |item: &Item| item.corners.iter().map(|p| p[axis]).sum::<f64>();
    items.select_nth_unstable_by(count, |a, b| at(a).total_cmp(&at(b)).then(a.index.cmp(&b.index)));
}

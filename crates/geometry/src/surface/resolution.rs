use crate::shape::ShapeFault;

/// Largest number of triangles a generator makes.
pub const MAX_TRIANGLES: usize = 10_000_000;

/// How fine a generated surface is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The generator's own number of divisions, which each of them explains.
    Divisions(u32),
    /// The number of divisions whose triangles are nearest to this count, the coarser of two equally near. The
    /// mesh tells the count that came out.
    Facets(usize),
}

impl Resolution {
    /// Number of divisions for a surface with at least `least` of them and `count(n)` triangles at n, which must
    /// grow with n.
    pub(super) fn divisions(self, least: u32, count: impl Fn(u32) -> usize) -> Result<u32, ShapeFault> {
        match self {
            Self::Divisions(n) if n < least => Err(ShapeFault {
                field: "divisions",
                value: f64::from(n),
                expected: "more divisions: three around, one otherwise",
            }),
            Self::Divisions(n) if n > MAX_TRIANGLES as u32 || count(n) > MAX_TRIANGLES => Err(ShapeFault {
                field: "divisions",
                value: f64::from(n),
                expected: "divisions that make at most 10 000 000 triangles",
            }),
            Self::Divisions(n) => Ok(n),
            Self::Facets(wanted) if !(1..=MAX_TRIANGLES).contains(&wanted) => Err(ShapeFault {
                field: "facets",
                value: wanted as f64,
                expected: "1 to 10 000 000 triangles",
            }),
            Self::Facets(_) if count(least) > MAX_TRIANGLES => Err(ShapeFault {
                field: "facets",
                value: count(least) as f64,
                expected: "at most 10 000 000 triangles, which so long and thin a shape exceeds however few are asked for",
            }),
            Self::Facets(wanted) => Ok(find_nearest(wanted, least, count)),
        }
    }
}

fn find_nearest(wanted: usize, least: u32, count: impl Fn(u32) -> usize) -> u32 {
    let mut low = least;
    let mut high = least + 1;
    while count(high) < wanted {
        low = high;
        high *= 2;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if count(middle) < wanted { low = middle } else { high = middle }
    }
    if wanted.abs_diff(count(low)) <= wanted.abs_diff(count(high)) { low } else { high }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Such a shape took all memory: four thousand million rings are counted by being made.
    #[test]
    fn needles_are_refused_before_they_take_all_memory() {
        let fault = crate::surface::cylinder(1e-12, 1e12, Resolution::Facets(2000)).unwrap_err();
        assert_eq!(fault.field, "facets");
    }

    #[test]
    fn nearest_count_is_that_of_a_search_through_all() {
        let count = |n: u32| 20 * n as usize * n as usize;
        for wanted in 1..3000_usize {
            let all = (1..20).min_by_key(|&n| wanted.abs_diff(count(n))).unwrap();
            assert_eq!(Resolution::Facets(wanted).divisions(1, count), Ok(all), "{wanted}");
        }
        assert_eq!(Resolution::Facets(1).divisions(3, count), Ok(3));
    }

    #[test]
    fn too_few_and_too_many_are_refused() {
        let count = |n: u32| 2 * n as usize;
        let field = |resolution: Resolution| resolution.divisions(3, count).map_err(|fault| fault.field);
        assert_eq!(field(Resolution::Divisions(2)), Err("divisions"));
        assert_eq!(field(Resolution::Divisions(5_000_001)), Err("divisions"));
        assert_eq!(field(Resolution::Divisions(5_000_000)), Ok(5_000_000));
        assert_eq!(field(Resolution::Facets(0)), Err("facets"));
        assert_eq!(field(Resolution::Facets(10_000_001)), Err("facets"));
    }
}

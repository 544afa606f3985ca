/// Steps of the table that a curve's length is measured with.
const STEPS: u32 = 4096;

/// Parameters in 0 … 1 that cut a plane curve into `n` pieces of equal length (to the table's accuracy), both ends
/// included. The curve's own points at them are exact.
pub(super) fn equal_pieces(curve: impl Fn(f64) -> [f64; 2], n: u32) -> Vec<f64> {
    let table = cumulative(curve);
    let total = table[STEPS as usize];
    let parameter = |k: u32| {
        let wanted = total * f64::from(k) / f64::from(n);
        let after = table.partition_point(|length| *length < wanted).clamp(1, STEPS as usize);
        let inside = (wanted - table[after - 1]) / (table[after] - table[after - 1]);
        ((after - 1) as f64 + inside) / f64::from(STEPS)
    };
    (0..=n).map(parameter).collect()
}

/// Length of a plane curve over the parameters 0 … 1 (m).
pub(super) fn length(curve: impl Fn(f64) -> [f64; 2]) -> f64 {
    cumulative(curve)[STEPS as usize]
}

fn cumulative(curve: impl Fn(f64) -> [f64; 2]) -> Vec<f64> {
    let mut table = vec![0.0];
    let mut sum = 0.0;
    let mut last = curve(0.0);
    for k in 1..=STEPS {
        let point = curve(f64::from(k) / f64::from(STEPS));
        sum += libm::hypot(point[0] - last[0], point[1] - last[1]);
        table.push(sum);
        last = point;
    }
    table
}

/** Quantities of two runs at the same times. */

import { SAME_TIME, type Run } from "./run";

/** Value of a quantity at any time, between two output times that are known by interpolation; no number outside of the run. */
export function valueAt(run: Run, plot: number, time: number): number {
  const known = run.knowing(plot, time);
  const values = known.values(plot);
  const k = known.frameAt(time);
  const [from, to] = [known.times[k], known.times[Math.min(k + 1, known.frames - 1)]];
  const same = SAME_TIME * (run.end - run.start);
  if (time < run.start - same || time > run.end + same) return Number.NaN;
  const part = to > from ? Math.min(Math.max((time - from) / (to - from), 0), 1) : 0;
  return part === 0 ? values[k] : values[k] + part * (values[k + 1] - values[k]);
}

/** By how much a quantity of the other run is greater, at the output times that the page has of this one; no number where one has none. */
export function difference(run: Run, plot: number, other: Run, inOther: number): Float64Array {
  const own = run.whole.values(plot);
  return Float64Array.from(run.whole.times, (time, k) => (inOther >= 0 ? valueAt(other, inOther, time) - own[k] : Number.NaN));
}

//! `pairs`: one row per pair of surfaces, stop or cable that may touch, with what the run amounts to for it. Totals
//! are 0 until the run has ended.

use super::{Column, Columns};
use crate::manifest::{JumpRecord, TotalsRecord};
use crate::{Error, Scene, SceneContact, ScenePair};

/// Between the names of the features of a pair.
const SEPARATOR: &str = "; ";

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        Column::text("pair", "name, `line` or `line[a|b]`"),
        Column::word("line", "contact line"),
        Column::text("a", "surface A; the normal points away from it"),
        Column::text("b", "surface B; the forces act on it"),
        Column::word("kernel", "what finds its contacts"),
        Column::word("law", "law in words and numbers, as resolved"),
        Column::count("angular", "1 for a stop of an angle: rad and N m in place of m and N"),
        Column::count("contacts", "number of its features"),
        Column::word("features", "their names"),
        Column::count("begins", "contacts begun"),
        Column::float("max_penetration", "m", "greatest penetration, located"),
        Column::float("max_penetration_time", "s", "when that was"),
        Column::float("max_fn", "N", "greatest sum of the normal forces, located"),
        Column::float("max_fn_time", "s", "when that was"),
        Column::float("min_fn", "N", "least sum of the normal forces, located"),
        Column::float("min_fn_time", "s", "when that was, first"),
        Column::float("max_pressure", "Pa", "greatest pressure, located; 0 if the pair is not areal"),
        Column::float("max_pressure_time", "s", "when that was"),
        Column::float("impulse_normal", "N s", "normal impulse"),
        Column::float("dissipated", "J", "energy lost"),
        Column::float("model_defect", "J", "energy stored beyond the work that went into its contacts"),
        Column::float("jump", "J", "what the step that added most to it has added"),
        Column::float("jump_time", "s", "end of that step"),
        Column::word(
            "jump_base",
            "base of the contact element with the largest share, a or b; empty if there is none",
        ),
        Column::count("jump_triangle", "that element"),
    ]
}

/// Rows of the pairs of a scene from `first` on.
pub fn push(columns: &mut Columns, scene: &Scene, first: usize, totals: &[TotalsRecord]) {
    let mut contacts = scene.contacts.iter().skip_while(|contact| contact.pair < first).peekable();
    for (index, pair) in scene.pairs.iter().enumerate().skip(first) {
        let mut features = Vec::new();
        while let Some(contact) = contacts.next_if(|contact| contact.pair == index) {
            features.push(contact.feature.as_str());
        }
        let t = totals.get(index).copied().unwrap_or_default();
        let jump = t.worst_jump.unwrap_or_default();
        columns
            .row()
            .text(&pair.name)
            .word(&pair.line)
            .text(&pair.a)
            .text(&pair.b)
            .word(&pair.kernel)
            .word(&pair.law)
            .count(u32::from(pair.angular))
            .count(features.len() as u32)
            .word(&features.join(SEPARATOR))
            .count(u32::try_from(t.begins).unwrap_or(u32::MAX))
            .floats(&[t.max_penetration_m, t.max_penetration_time_s, t.max_fn_n, t.max_fn_time_s])
            .floats(&[t.min_fn_n, t.min_fn_time_s, t.max_pressure_pa, t.max_pressure_time_s])
            .floats(&[t.impulse_n_s, t.dissipated_j, t.model_defect_j, jump.energy_j, jump.time_s])
            .word(&jump.base.map(String::from).unwrap_or_default())
            .count(jump.triangle.unwrap_or(0))
            .end();
    }
}

/// Contents of the table, by the indices of the pairs.
#[derive(Default)]
pub(crate) struct Contents {
    pub(crate) pairs: Vec<ScenePair>,
    pub(crate) contacts: Vec<SceneContact>,
    pub(crate) totals: Vec<TotalsRecord>,
}

/// Reads a table.
pub(crate) fn read(columns: &Columns) -> Result<Contents, Error> {
    let missing = |name: &str| Error::NoValue { message: format!("the table of pairs has no column {name}") };
    let texts = |name: &str| columns.texts(name).ok_or_else(|| missing(name));
    let words =
        |name: &str| Ok::<_, Error>(columns.words(name).ok_or_else(|| missing(name))?.collect::<Vec<_>>());
    let counts = |name: &str| columns.counts(name).ok_or_else(|| missing(name));
    let floats = |name: &str| columns.floats(name).ok_or_else(|| missing(name));
    let (names, lines, a, b) = (texts("pair")?, words("line")?, texts("a")?, texts("b")?);
    let (kernels, laws, angular) = (words("kernel")?, words("law")?, counts("angular")?);
    let (number, features) = (counts("contacts")?, words("features")?);
    let (begins, base, triangle) = (counts("begins")?, words("jump_base")?, counts("jump_triangle")?);
    let [depth, depth_at] = [floats("max_penetration")?, floats("max_penetration_time")?];
    let [force, force_at, least, least_at] =
        [floats("max_fn")?, floats("max_fn_time")?, floats("min_fn")?, floats("min_fn_time")?];
    let [pressure, pressure_at] = [floats("max_pressure")?, floats("max_pressure_time")?];
    let [impulse, lost, defect] = [floats("impulse_normal")?, floats("dissipated")?, floats("model_defect")?];
    let [jump, jump_at] = [floats("jump")?, floats("jump_time")?];
    let Contents { mut pairs, mut contacts, mut totals } = Contents::default();
    for i in 0..columns.rows() {
        pairs.push(ScenePair {
            name: names[i].clone(),
            line: lines[i].to_owned(),
            a: a[i].clone(),
            b: b[i].clone(),
            kernel: kernels[i].to_owned(),
            law: laws[i].to_owned(),
            angular: angular[i] != 0,
        });
        let of_pair = features[i].split(SEPARATOR).take(number[i] as usize);
        contacts.extend(of_pair.map(|feature| SceneContact { pair: i, feature: feature.to_owned() }));
        let on = base[i].chars().next();
        totals.push(TotalsRecord {
            max_penetration_m: depth[i],
            max_penetration_time_s: depth_at[i],
            max_fn_n: force[i],
            max_fn_time_s: force_at[i],
            min_fn_n: least[i],
            min_fn_time_s: least_at[i],
            max_pressure_pa: pressure[i],
            max_pressure_time_s: pressure_at[i],
            impulse_n_s: impulse[i],
            dissipated_j: lost[i],
            begins: u64::from(begins[i]),
            model_defect_j: defect[i],
            worst_jump: (jump[i] != 0.0).then_some(JumpRecord {
                energy_j: jump[i],
                time_s: jump_at[i],
                base: on,
                triangle: on.map(|_| triangle[i]),
            }),
        });
    }
    Ok(Contents { pairs, contacts, totals })
}

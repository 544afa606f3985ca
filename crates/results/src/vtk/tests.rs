use super::*;
use crate::fixture::{self, FakeRun, TempDir};

/// Contents of a file: text up to the numbers, and these.
struct Read {
    text: String,
    binary: Vec<u8>,
}

fn read(path: &Path) -> Read {
    let bytes = fs::read(path).unwrap();
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let at = bytes.windows(mark.len()).position(|window| window == mark).unwrap();
    Read { text: String::from_utf8(bytes[..at].to_vec()).unwrap(), binary: bytes[at + mark.len()..].to_vec() }
}

/// Numbers of an array of 64-bit floats, as its entry says where they are.
fn array(read: &Read, name: &str) -> Vec<f64> {
    let entry = read.text.lines().find(|line| line.contains(&format!("Name=\"{name}\""))).unwrap();
    assert!(entry.contains("type=\"Float64\""), "{entry}");
    let offset = entry.split("offset=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let at: usize = offset.parse().unwrap();
    let (length, rest) = read.binary[at..].split_at(8);
    let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
    rest[..length].as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

fn finished(name: &str, run: &FakeRun) -> TempDir {
    let dir = TempDir::new(name);
    fixture::finished(dir.path(), run);
    dir
}

/// Elements and contacts are those of the tables, digit by digit, and stand in the collection at their time.
#[test]
fn files_have_the_rows_of_the_tables() {
    let dir = finished("vtk", &FakeRun::single_ball());
    let out = dir.path().join("run.pvd");
    let (folder, written) = convert_to_vtk(dir.path(), &out, false).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), written);
    let data = RunData::open(dir.path()).unwrap();
    let collection = fs::read_to_string(&out).unwrap();
    let mut seen = [0; 2];
    for (table, columns) in
        [(Table::Elements, ["pressure", "penetration"]), (Table::Contacts, ["penetration", "pressure"])]
    {
        let rows = data.table(table).unwrap();
        let moments: Option<Vec<&str>> = rows.words("moment").map(Iterator::collect);
        let times = rows.floats("time").unwrap();
        for (frame, time) in data.times().unwrap().iter().enumerate() {
            let is_own = |row: &usize| {
                times[*row] == *time && moments.as_ref().is_none_or(|moments| moments[*row] == "output")
            };
            let own: Vec<usize> = (0..rows.rows()).filter(is_own).collect();
            let name = format!("{}_{frame:06}.vtp", table.name());
            assert_eq!(
                collection.contains(&format!(
                    "timestep=\"{time:?}\" part=\"0\" name=\"{}\" file=\"run-vtk/{name}\"",
                    table.name()
                )) || collection.contains(&format!(
                    "timestep=\"{time:?}\" part=\"1\" name=\"{}\" file=\"run-vtk/{name}\"",
                    table.name()
                )),
                !own.is_empty()
            );
            if own.is_empty() {
                continue;
            }
            seen[usize::from(table == Table::Contacts)] += 1;
            let piece = read(&folder.join(name));
            for column in columns {
                let values = rows.floats(column).unwrap();
                let of_table: Vec<f64> = own.iter().map(|&row| values[row]).collect();
                assert_eq!(array(&piece, column), of_table, "{column} at {time}");
            }
            if table == Table::Contacts {
                let (fn_, nz) = (rows.floats("fn").unwrap(), rows.floats("nz").unwrap());
                let vectors = array(&piece, "normal_force");
                let along: Vec<f64> = vectors.as_chunks::<3>().0.iter().map(|v| v[2]).collect();
                assert_eq!(along, own.iter().map(|&row| fn_[row] * nz[row]).collect::<Vec<_>>());
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

#[test]
fn what_is_there_is_replaced_only_when_told() {
    let dir = finished("vtk-again", &FakeRun::single_ball());
    let out = dir.path().join("run.pvd");
    fs::create_dir(dir.path().join("run-vtk")).unwrap();
    assert_eq!(convert_to_vtk(dir.path(), &out, false).unwrap_err().code(), "E0713");
    assert!(!out.exists());
    convert_to_vtk(dir.path(), &out, true).unwrap();
    assert_eq!(convert_to_vtk(dir.path(), &out, false).unwrap_err().code(), "E0713");
}

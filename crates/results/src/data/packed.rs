//! A run in memory as bytes and back, for another process.

use std::path::Path;

use serde_json::Value;

use super::RunData;
use crate::container::{Array, Container};
use crate::store::{pack, unpack};
use crate::tables::{Columns, Table, pairs as table_of_pairs};
use crate::{Error, Manifest, shapes};

/// Entry of the header with what `run.json` has.
const MANIFEST: &str = "manifest";
/// Array of the shapes.
const SHAPES: &str = "shapes";

impl RunData {
    /// The whole run, tables and shapes with every bit.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut container = Container::default();
        let manifest = serde_json::to_value(&self.manifest).map_err(damaged)?;
        container.header.insert(MANIFEST.to_owned(), manifest);
        for table in Table::ALL {
            let bytes = pack(self.table(table)?).map_err(damaged)?;
            container.arrays.insert(table.name().to_owned(), Array::U8(bytes));
        }
        if let Some(shapes) = self.shapes()? {
            let hash = &self.manifest.provenance.model.hash;
            container.arrays.insert(SHAPES.to_owned(), Array::U8(shapes::to_bytes(&shapes, hash)));
        }
        Ok(container.to_bytes())
    }

    /// A run that was packed; it is in memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut container = Container::from_bytes(bytes).map_err(damaged)?;
        let manifest = container.header.remove(MANIFEST).unwrap_or(Value::Null);
        let mut manifest: Manifest = serde_json::from_value(manifest).map_err(damaged)?;
        let mut bytes_of = |name: &str| match container.arrays.remove(name) {
            Some(Array::U8(bytes)) => Some(bytes),
            _ => None,
        };
        // The pairs are in their table, whose columns do not depend on them; those of others may.
        let pairs = bytes_of(Table::Pairs.name()).ok_or_else(|| damaged("it has no table of pairs"))?;
        let pairs = unpack(&pairs, Table::Pairs.columns(&manifest.scene)).map_err(damaged)?;
        let contents = table_of_pairs::read(&pairs)?;
        (manifest.scene.pairs, manifest.scene.contacts) = (contents.pairs, contents.contacts);
        manifest.totals = contents.totals;
        let mut known = Some(pairs);
        let mut load = |table: Table| -> Result<Columns, Error> {
            if table == Table::Pairs {
                return Ok(known.take().unwrap_or_else(|| Columns::new(table.columns(&manifest.scene))));
            }
            let packed =
                bytes_of(table.name()).ok_or_else(|| damaged(format!("it has no {}", table.name())))?;
            unpack(&packed, table.columns(&manifest.scene)).map_err(damaged)
        };
        let tables = Table::ALL.into_iter().map(&mut load).collect::<Result<_, _>>()?;
        let shapes = bytes_of(SHAPES).map(|bytes| shapes::from_bytes(&bytes, &manifest.scene));
        let shapes = shapes.transpose().map_err(damaged)?;
        Ok(Self { shapes, ..Self::in_memory(manifest, tables) })
    }
}

fn damaged(what: impl std::fmt::Display) -> Error {
    Error::damaged(Path::new("a run in memory"), what)
}

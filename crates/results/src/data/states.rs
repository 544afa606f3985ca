//! States over time, of either form of their table.

use super::RunData;
use crate::Error;
use crate::tables::{Column, Table, states};

impl RunData {
    /// Output times (s).
    pub fn times(&self) -> Result<&[f64], Error> {
        let all = self.floats(Table::States, "time")?;
        if !self.scene().is_long() {
            return Ok(all);
        }
        if let Some(times) = self.times.get() {
            return Ok(times);
        }
        let times = self.of_body(all, 0)?;
        Ok(self.times.get_or_init(|| times))
    }

    /// A column of states by its name with or without unit, such as `ball.z_m` or `hinge.q`: of long states the one
    /// that wide ones would have. `None` if there is none.
    pub fn state(&self, name: &str) -> Result<Option<(Column, Vec<f64>)>, Error> {
        if !self.scene().is_long() {
            let table = self.table(Table::States)?;
            let column = table.find(name).map(|index| table.columns()[index].clone());
            return Ok(column.and_then(|column| Some((column, table.floats(name)?.to_vec()))));
        }
        if let Some((owner, quantity)) = name.rsplit_once('.')
            && let Some(body) = self.scene().bodies.iter().position(|body| body.name == owner)
            && let Some((base, ..)) = states::body_quantities()
                .find(|&(base, unit)| Column::float(base, unit, "").answers_to(quantity))
        {
            let table = self.table(Table::States)?;
            let values = table.floats(base).unwrap_or_default();
            let column = table.find(base).map(|index| table.columns()[index].clone());
            return match column {
                Some(column) => Ok(Some((
                    Column { base: format!("{owner}.{base}"), ..column },
                    self.of_body(values, body)?,
                ))),
                None => Ok(None),
            };
        }
        self.long_mechanism(name)
    }

    /// The rows of one body in a long table: each time has all bodies in the order of the scene.
    fn of_body(&self, values: &[f64], body: usize) -> Result<Vec<f64>, Error> {
        let bodies = self.scene().bodies.len();
        let table = self.table(Table::States)?;
        let numbers = table.counts("body").unwrap_or_default();
        let is_whole = numbers.len() % bodies == 0;
        if !is_whole || numbers.iter().skip(body).step_by(bodies).any(|&number| number as usize != body) {
            let path = self.dir().join(Table::States.parquet_file());
            return Err(Error::damaged(
                &path,
                "the rows of a time are not those of all bodies in their order",
            ));
        }
        Ok(values.iter().skip(body).step_by(bodies).copied().collect())
    }

    /// A column of a joint, force element or constraint from the table of mechanisms.
    fn long_mechanism(&self, name: &str) -> Result<Option<(Column, Vec<f64>)>, Error> {
        let Some(column) = states::mechanism_columns(self.scene()).find(|column| column.answers_to(name))
        else {
            return Ok(None);
        };
        let rows = self.table(Table::Mechanism)?;
        let (keys, words) = rows.word_keys("quantity").unwrap_or_default();
        let key = words.iter().position(|word| *word == column.base);
        let values = self.floats(Table::Mechanism, "value_si")?;
        let of_column = keys.iter().zip(values).filter(|(of, _)| key == usize::try_from(**of).ok());
        Ok(Some((column, of_column.map(|(_, value)| *value).collect())))
    }
}

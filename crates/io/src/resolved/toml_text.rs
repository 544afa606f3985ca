//! Values as TOML 1.0: tables with headers, what is in them on one line.

use serde_json::{Map, Value};

/// A text of tables.
#[derive(Default)]
pub(super) struct TomlText(String);

impl TomlText {
    /// Keys before the first header.
    pub(super) fn top(&mut self, table: &Map<String, Value>) {
        self.entries(table);
    }

    /// A table under its header.
    pub(super) fn table(&mut self, path: &[&str], table: &Value) {
        let Value::Object(table) = table else { return };
        let header: Vec<String> = path.iter().map(|p| key(p)).collect();
        self.0.push_str(&format!("\n[{}]\n", header.join(".")));
        self.entries(table);
    }

    fn entries(&mut self, table: &Map<String, Value>) {
        for (name, value) in table.iter().filter(|e| !e.1.is_null()) {
            self.0.push_str(&format!("{} = {}\n", key(name), inline(value)));
        }
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { name.to_owned() } else { quoted(name) }
}

/// A basic string: the escapes of JSON are among those of TOML.
fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string().replace('\u{7f}', "\\u007f")
}

fn inline(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Bool(b) => b.to_string(),
        // The shortest digits that give the same bits.
        Value::Number(n) if n.is_f64() => format!("{:?}", n.as_f64().unwrap_or_default()),
        Value::Number(n) => n.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(table) if table.values().all(Value::is_null) => "{}".to_owned(),
        Value::Object(table) => {
            let entries = table.iter().filter(|e| !e.1.is_null());
            let entries: Vec<String> = entries.map(|(k, v)| format!("{} = {}", key(k), inline(v))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

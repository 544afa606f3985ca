//! Slips of XML that other readers of robot files pass over: they must not keep a robot from loading.

use carom_io::import::{self, Options};

use crate::import_kit::*;

const MODEL: &str = "<mujoco model=\"m\"><!-- made -- by hand ---><worldbody><body name=\"a\"><freejoint/>\
                     <geom size=\"0.1\"/></body></worldbody></mujoco>";

#[test]
fn comments_declarations_and_document_types_as_people_write_them() {
    for text in [
        MODEL.to_owned(),
        format!("\n\n  <?xml version=\"1.0\"?>\n{MODEL}"),
        format!("<?xml version=\"1.0\"?>\n<!DOCTYPE mujoco>\n{MODEL}"),
    ] {
        let import = import::mjcf(&text, "m.xml".as_ref(), &Options::default());
        assert!(has(&toml(&import), "body.a"));
        assert!(codes(&import).is_empty(), "{:?}", import.problems);
    }
    // Places are those of the file.
    let late = format!(
        "\n<?xml version=\"1.0\"?><!-- é -- -->\n{}",
        MODEL
            .replace("<freejoint/>", "<freejoint/><inertial pos=\"zero\" mass=\"1\" diaginertia=\"1 1 1\"/>")
    );
    let import = import::mjcf(&late, "m.xml".as_ref(), &Options::default());
    assert_eq!(codes(&import), ["E0805"]);
    let place = import.problems[0].location.as_ref().unwrap();
    assert_eq!((place.text.as_str(), place.line), ("zero", 3));
}

#[test]
fn bytes_that_are_no_utf8_are_read_and_binary_files_are_not() {
    let folder = std::env::temp_dir().join("carom-import-lenient");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("m.xml");
    let author = MODEL.replace("made", "made by Andr\u{fffd}");
    let latin: Vec<u8> = author.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(0xe9)).collect();
    std::fs::write(&file, &latin).unwrap();
    let import = import::robot_file(&file, &Options::default()).unwrap();
    assert!(has(&toml(&import), "body.a"));
    let wide: Vec<u8> = author.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(&file, [&[0xff, 0xfe][..], &wide].concat()).unwrap();
    let report = import::robot_file(&file, &Options::default()).unwrap_err();
    assert!(report.diagnostics[0].problem.message.contains("not UTF-8"), "{report:?}");
}

#[test]
fn a_turn_that_urdf_1_0_does_not_have_is_told() {
    let origin = "<origin xyz=\"1 0 0\" quat_xyzw=\"0.5 0 0 1\"/>";
    let import = urdf(&(link("a", "") + &link("b", "") + &joint("j", "continuous", "a", "b", origin)));
    assert_eq!(codes(&import), ["W0801"]);
    assert!(import.problems[0].problem.message.contains("quat_xyzw"));
}

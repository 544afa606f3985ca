//! The table is complete, symmetric, and says what it leaves out.

use carom_geometry::{Cell, ShapeKind, accuracy_table_markdown, find_kernel};
use carom_testkit::SplitMix64;

use crate::scene::random_shape;

#[test]
fn unsupported_pairs_are_these_and_no_others() {
    let mut unsupported = Vec::new();
    for (i, a) in ShapeKind::ALL.into_iter().enumerate() {
        for b in ShapeKind::ALL.into_iter().skip(i) {
            if let Cell::Unsupported(why) = find_kernel(a, b) {
                assert!(why.len() > 20, "{} and {}: no reason given", a.name(), b.name());
                unsupported.push(format!("{}, {}", a.name(), b.name()));
            }
        }
    }
    let expected = [
        "sphere, convex solid",
        "sphere, mesh",
        "sphere, planar shape",
        "hollow sphere, hollow sphere",
        "hollow sphere, half-space",
        "hollow sphere, box",
        "hollow sphere, cylinder",
        "hollow sphere, hollow cylinder",
        "hollow sphere, capsule",
        "hollow sphere, convex solid",
        "hollow sphere, mesh",
        "hollow sphere, planar shape",
        "half-space, half-space",
        "half-space, hollow cylinder",
        "half-space, convex solid",
        "half-space, mesh",
        "half-space, planar shape",
        "box, box",
        "box, cylinder",
        "box, hollow cylinder",
        "box, capsule",
        "box, convex solid",
        "box, mesh",
        "box, planar shape",
        "cylinder, cylinder",
        "cylinder, hollow cylinder",
        "cylinder, capsule",
        "cylinder, convex solid",
        "cylinder, mesh",
        "cylinder, planar shape",
        "hollow cylinder, hollow cylinder",
        "hollow cylinder, capsule",
        "hollow cylinder, convex solid",
        "hollow cylinder, mesh",
        "hollow cylinder, planar shape",
        "capsule, convex solid",
        "capsule, mesh",
        "capsule, planar shape",
        "convex solid, convex solid",
        "convex solid, mesh",
        "convex solid, planar shape",
        "mesh, mesh",
        "mesh, planar shape",
        "planar shape, planar shape",
    ];
    assert_eq!(unsupported, expected);
}

#[test]
fn both_orders_of_a_pair_lead_to_one_kernel() {
    for a in ShapeKind::ALL {
        for b in ShapeKind::ALL {
            match (find_kernel(a, b), find_kernel(b, a)) {
                (Cell::Direct(one), Cell::Swapped(two)) | (Cell::Swapped(one), Cell::Direct(two)) => {
                    assert!(a != b && std::ptr::eq(one, two));
                }
                (Cell::Direct(one), Cell::Direct(two)) => assert!(a == b && std::ptr::eq(one, two)),
                (Cell::Unsupported(one), Cell::Unsupported(two)) => assert_eq!(one, two),
                _ => panic!("{} and {} disagree", a.name(), b.name()),
            }
        }
    }
}

#[test]
fn names_follow_the_kinds_and_features_have_names_of_their_own() {
    let mut rng = SplitMix64::new(61);
    for a in ShapeKind::ALL {
        for b in ShapeKind::ALL {
            if let Cell::Direct(kernel) = find_kernel(a, b) {
                assert_eq!(kernel.name, format!("{}–{}", a.name(), b.name()));
                let count = (kernel.features)(&random_shape(a, &mut rng), &random_shape(b, &mut rng));
                let mut names: Vec<&str> = (0..count).map(kernel.feature_name).collect();
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), count, "{}", kernel.name);
            }
        }
    }
}

#[test]
fn kinds_index_the_table_in_their_order() {
    for (index, kind) in ShapeKind::ALL.into_iter().enumerate() {
        assert_eq!(kind as usize, index);
    }
}

#[test]
fn the_docs_show_the_table() {
    let page = include_str!("../../../../docs/pairs.md");
    let table = accuracy_table_markdown();
    assert!(page.contains(&table), "docs/pairs.md must contain this table:\n\n{table}");
}

/// A kernel answers for its two kinds and for no others, whoever calls it.
#[test]
fn shapes_of_another_kind_are_an_error() {
    let mut rng = SplitMix64::new(31);
    let (x_wa, x_wb) = (rng.pose(1.0), rng.pose(1.0));
    let mut refused = 0;
    for row in ShapeKind::ALL {
        for column in ShapeKind::ALL {
            let Cell::Direct(kernel) = find_kernel(row, column) else { continue };
            for a in ShapeKind::ALL {
                for b in ShapeKind::ALL {
                    let shapes = [a, b].map(|kind| random_shape(kind, &mut rng));
                    let found = (kernel.point)(&shapes[0], &x_wa, &shapes[1], &x_wb, 0);
                    assert_eq!(found.is_ok(), (a, b) == (row, column), "{} with {shapes:?}", kernel.name);
                    if let Err(fault) = found {
                        assert!(
                            [(a, row), (b, column)].iter().any(|(is, must)| is != must && *is == fault.found)
                        );
                        refused += 1;
                    }
                }
            }
        }
    }
    assert_eq!(refused, 11 * 99);
}

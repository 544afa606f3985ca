use super::BlockMatrix;

/// Contacts that hang together through blocks of the matrix, each island ascending, in the order of their first contacts.
pub(super) fn find_islands(matrix: &BlockMatrix) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..matrix.len()).collect();
    for row in 0..matrix.len() {
        for (column, _) in matrix.row(row).filter(|(column, _)| *column < row) {
            let (a, b) = (find(&mut leader, row), find(&mut leader, column));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut islands: Vec<Vec<usize>> = Vec::new();
    let mut number = vec![usize::MAX; matrix.len()];
    for contact in 0..matrix.len() {
        let first = find(&mut leader, contact);
        if number[first] == usize::MAX {
            number[first] = islands.len();
            islands.push(Vec::new());
        }
        islands[number[first]].push(contact);
    }
    islands
}

/// The first contact of an island, on a path that is halved on the way.
fn find(leader: &mut [usize], mut contact: usize) -> usize {
    while leader[contact] != contact {
        leader[contact] = leader[leader[contact]];
        contact = leader[contact];
    }
    contact
}

/** Triangles of a surface as the renderer wants them. */

import * as THREE from "three";
import type { MeshPlace, Run } from "../data/run";

/** Edges sharper than this are drawn as edges. */
const CREASE = (35 / 180) * Math.PI;

export function meshGeometry(run: Run, place: MeshPlace): THREE.BufferGeometry {
  const vertices = run.array<Float32Array>("vertices").subarray(3 * place.vertex, 3 * (place.vertex + place.vertices));
  const triangles = run.array<Uint32Array>("triangles").subarray(3 * place.triangle, 3 * (place.triangle + place.triangles));
  const geometry = new THREE.BufferGeometry();
  const corners = new Float32Array(3 * triangles.length);
  triangles.forEach((vertex, k) => corners.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
  geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(cornerNormals(corners, triangles, place.vertices), 3));
  return geometry;
}

/**
 * Normal of each corner: the mean of the normals of the triangles at its vertex that are no farther than a crease from its
 * own, weighted by their angles there.
 */
export function cornerNormals(corners: Float32Array, triangles: Uint32Array, vertices: number): Float32Array {
  const count = triangles.length / 3;
  const faces = new Float32Array(3 * count);
  const angles = new Float32Array(3 * count);
  const p = [0, 1, 2].map(() => new THREE.Vector3());
  const [e, f] = [new THREE.Vector3(), new THREE.Vector3()];
  for (let k = 0; k < count; k++) {
    p.forEach((point, c) => point.fromArray(corners, 9 * k + 3 * c));
    e.subVectors(p[1], p[0]).cross(f.subVectors(p[2], p[0])).normalize().toArray(faces, 3 * k);
    for (let c = 0; c < 3; c++) {
      e.subVectors(p[(c + 1) % 3], p[c]);
      f.subVectors(p[(c + 2) % 3], p[c]);
      angles[3 * k + c] = e.angleTo(f) || 0;
    }
  }
  // The corners at each vertex, one after the other.
  const start = new Uint32Array(vertices + 1);
  triangles.forEach((vertex) => start[vertex + 1]++);
  for (let v = 0; v < vertices; v++) start[v + 1] += start[v];
  const at = new Uint32Array(triangles.length);
  const next = start.slice();
  triangles.forEach((vertex, k) => (at[next[vertex]++] = k));
  const normals = new Float32Array(3 * triangles.length);
  const least = Math.cos(CREASE);
  triangles.forEach((vertex, k) => {
    const own = 3 * Math.floor(k / 3);
    let [x, y, z] = [0, 0, 0];
    for (let n = start[vertex]; n < start[vertex + 1]; n++) {
      const other = 3 * Math.floor(at[n] / 3);
      const cos = faces[own] * faces[other] + faces[own + 1] * faces[other + 1] + faces[own + 2] * faces[other + 2];
      if (cos < least) continue;
      const weight = angles[at[n]];
      x += weight * faces[other];
      y += weight * faces[other + 1];
      z += weight * faces[other + 2];
    }
    const length = Math.hypot(x, y, z);
    const [nx, ny, nz] = length > 0 ? [x / length, y / length, z / length] : faces.subarray(own, own + 3);
    normals.set([nx, ny, nz], 3 * k);
  });
  return normals;
}

/** Volume inside (m³); negative of cavities, whose triangles face the inside. */
export function signedVolume(geometry: THREE.BufferGeometry): number {
  const p = geometry.getAttribute("position");
  const index = geometry.getIndex();
  const count = index ? index.count : p.count;
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  let volume = 0;
  for (let k = 0; k < count; k += 3) {
    const at = (corner: number) => (index ? index.getX(k + corner) : k + corner);
    a.fromBufferAttribute(p, at(0));
    b.fromBufferAttribute(p, at(1));
    c.fromBufferAttribute(p, at(2));
    volume += a.dot(b.cross(c)) / 6;
  }
  return volume;
}

/** The plane z = 0 with a pattern whose squares have a round size; a wall, through which one has to see, without. */
export function plane(size: number, square: number, isWall: boolean): THREE.Group {
  const group = new THREE.Group();
  const squares = 2 * Math.round(size / square / 2);
  const sheet = new THREE.Mesh(
    new THREE.PlaneGeometry(squares * square, squares * square),
    new THREE.MeshLambertMaterial({ color: 0x8a949e, transparent: true, opacity: isWall ? 0.07 : 0.45, side: THREE.DoubleSide, depthWrite: false }),
  );
  sheet.renderOrder = -2;
  group.add(sheet);
  if (isWall) return group;
  const grid = new THREE.GridHelper(squares * square, squares, 0x6b7580, 0x6b7580);
  grid.rotation.x = Math.PI / 2;
  (grid.material as THREE.Material).transparent = true;
  (grid.material as THREE.Material).opacity = 0.5;
  grid.renderOrder = -1;
  group.add(grid);
  return group;
}

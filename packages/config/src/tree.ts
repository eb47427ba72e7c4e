import type { KeyPath } from './faults.ts';

/** A parsed YAML document, unchecked. */
export type Tree = { [key: string]: unknown };

/** Whether the value is a mapping. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own member, even `__proto__`. */
function put(target: Tree | unknown[], part: string | number, value: unknown): void {
  Object.defineProperty(target, part, { value, configurable: true, enumerable: true, writable: true });
}

function own(target: Tree | unknown[], part: string | number): unknown {
  return Object.hasOwn(target, part) ? (target as Tree)[part] : undefined;
}

/** Copies a value and applies `change` to every scalar, depth first. */
export function mapScalars(
  value: unknown,
  change: (scalar: unknown, path: KeyPath) => unknown,
  path: KeyPath = [],
): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mapScalars(item, change, [...path, index]));
  if (!isTree(value)) return change(value, path);
  const copy: Tree = {};
  for (const [key, member] of Object.entries(value))
    put(copy, key, mapScalars(member, change, [...path, key]));
  return copy;
}

/** Sets the value at `path` in place, and creates missing containers. Does nothing if a scalar is on the way, which is a fault. */
export function setAt(root: Tree, path: KeyPath, value: unknown): void {
  let target: Tree | unknown[] = root;
  for (const [depth, part] of path.slice(0, -1).entries()) {
    const next = own(target, part) ?? (typeof path[depth + 1] === 'number' ? [] : {});
    if (typeof next !== 'object') return;
    put(target, part, next);
    target = next as Tree | unknown[];
  }
  const last = path.at(-1);
  if (last !== undefined) put(target, last, value);
}

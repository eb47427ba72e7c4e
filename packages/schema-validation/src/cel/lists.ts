import { Environment } from '@marcbachmann/cel-js';
import { compareNumbers, Quantity } from './quantity.ts';

type Comparable = bigint | number | string | boolean | Date | Quantity;

function compare(a: Comparable, b: Comparable): number {
  if (a instanceof Quantity && b instanceof Quantity) return a.compare(b);
  if (typeof a === 'number' || typeof b === 'number') return compareNumbers(a as number, b as number);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Adds the functions for lists. */
export function registerLists(environment: Environment): void {
  const best = (list: readonly Comparable[], sign: number) => {
    if (list.length === 0) throw new Error('the list is empty');
    return list.reduce((found, item) => (compare(item, found) * sign > 0 ? item : found));
  };
  environment
    .registerFunction('list.isSorted(): bool', (list: readonly Comparable[]) =>
      list.every((item, index) => index === 0 || compare(list[index - 1] as Comparable, item) <= 0),
    )
    .registerFunction('list.min(): dyn', (list: readonly Comparable[]) => best(list, -1))
    .registerFunction('list.max(): dyn', (list: readonly Comparable[]) => best(list, 1))
    .registerFunction('list.sum(): dyn', (list: readonly (bigint | number)[]) =>
      list.every((item) => typeof item === 'bigint')
        ? list.reduce((sum, item) => sum + item, 0n)
        : list.reduce<number>((sum, item) => sum + Number(item), 0),
    )
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
      BigInt(list.findIndex((one) => isSame(one, item))),
    )
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
      BigInt(list.findLastIndex((one) => isSame(one, item))),
    );
}

/** Whether two values of CEL are equal. */
function isSame(a: unknown, b: unknown): boolean {
  return equal({ a, b }) === true;
}

const equal = new Environment({ enableOptionalTypes: true })
  .registerVariable('a', 'dyn')
  .registerVariable('b', 'dyn')
  .parse('a == b');

/** The name that functions for sets are below. */
class Sets {}

/** Adds `sets.contains`, `sets.equivalent` and `sets.intersects`. */
export function registerSets(environment: Environment): void {
  const type = 'kubernetes.Sets';
  type List = readonly unknown[];
  const contains = (list: List, part: List) => part.every((item) => list.some((one) => isSame(one, item)));
  environment.registerType(type, { ctor: Sets, fields: {} }).registerConstant('sets', type, new Sets());
  environment
    .registerFunction(`${type}.contains(list, list): bool`, (_: Sets, a: List, b: List) => contains(a, b))
    .registerFunction(
      `${type}.equivalent(list, list): bool`,
      (_: Sets, a: List, b: List) => contains(a, b) && contains(b, a),
    )
    .registerFunction(`${type}.intersects(list, list): bool`, (_: Sets, a: List, b: List) =>
      a.some((item) => contains(b, [item])),
    );
}

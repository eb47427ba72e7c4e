import { escapePointer } from '@platform/kernel';
import { equalValues, type JsonValue, lengthOf, renderValue } from '../model/json-value.ts';
import type { JsonText } from '../model/resource.ts';

/** Characters of operations that an object or an array may always have. More than these are no longer than the value that they make. */
const alwaysKept = 16 * 1024;

/**
 * The JSON Patch (RFC 6902) that makes `after` of `before`, as text. Numbers keep their digits.
 *
 * Attack: every item of a long array changes, and each change has a path. One replacement of the array says the same, and is no longer than
 * the array.
 */
export function diffJson(before: JsonValue, after: JsonValue): JsonText {
  return new Difference().between(before, after);
}

class Difference {
  /** Values that differ, each with the one that it was compared with last. */
  readonly #different = new Map<JsonValue, JsonValue>();
  readonly #operations: JsonText[] = [];
  #length = 0;

  between(before: JsonValue, after: JsonValue): JsonText {
    this.#collect(before, after, '');
    return `[${this.#operations.join(',')}]`;
  }

  #collect(before: JsonValue, after: JsonValue, path: string): void {
    if (before instanceof Map && after instanceof Map)
      this.#shortest(path, after, (isLong) => this.#collectMembers(before, after, path, isLong));
    else if (Array.isArray(before) && Array.isArray(after))
      this.#shortest(path, after, (isLong) => this.#collectItems(before, after, path, isLong));
    else if (!equalValues(before, after)) this.#add('replace', path, after);
  }

  /** Collects until the operations are longer than one that replaces the value, which takes their place then. The root stays. */
  #shortest(path: string, after: JsonValue, collect: (isLong: () => boolean) => void): void {
    if (path === '') {
      collect(() => false);
      return;
    }
    const [count, length] = [this.#operations.length, this.#length];
    let limit: number | null = null;
    const isLong = () => {
      const added = this.#length - length;
      if (added <= alwaysKept) return false;
      limit ??= lengthOf(after);
      return added > limit;
    };
    collect(isLong);
    if (!isLong()) return;
    this.#operations.length = count;
    this.#length = length;
    this.#add('replace', path, after);
  }

  #collectMembers(
    before: ReadonlyMap<string, JsonValue>,
    after: ReadonlyMap<string, JsonValue>,
    path: string,
    isLong: () => boolean,
  ): void {
    for (const key of before.keys()) {
      if (isLong()) return;
      if (!after.has(key)) this.#add('remove', `${path}/${escapePointer(key)}`);
    }
    for (const [key, value] of after) {
      if (isLong()) return;
      const at = `${path}/${escapePointer(key)}`;
      const known = before.get(key);
      if (known === undefined) this.#add('add', at, value);
      else this.#collect(known, value, at);
    }
  }

  /** Items in front and at the end that are equal stay; those between are compared one by one, then removed or added. */
  #collectItems(
    before: readonly JsonValue[],
    after: readonly JsonValue[],
    path: string,
    isLong: () => boolean,
  ): void {
    const shorter = Math.min(before.length, after.length);
    let front = 0;
    while (front < shorter && this.#areEqual(before[front] as JsonValue, after[front] as JsonValue))
      front += 1;
    let end = 0;
    while (
      end < shorter - front &&
      this.#areEqual(before[before.length - 1 - end] as JsonValue, after[after.length - 1 - end] as JsonValue)
    ) {
      end += 1;
    }
    const common = shorter - end;
    for (let index = front; index < common && !isLong(); index += 1) {
      this.#collect(before[index] as JsonValue, after[index] as JsonValue, `${path}/${index}`);
    }
    for (let index = before.length - end - 1; index >= common && !isLong(); index -= 1) {
      this.#add('remove', `${path}/${index}`);
    }
    for (let index = common; index < after.length - end && !isLong(); index += 1) {
      this.#add('add', `${path}/${index}`, after[index]);
    }
  }

  /**
   * Attack: lists that are 60 levels deep and differ at the bottom. Compared again at each level, they take 60 times as long. A list with a
   * difference is known to differ.
   */
  #areEqual(before: JsonValue, after: JsonValue): boolean {
    if (this.#different.get(before) === after) return false;
    const areEqual =
      Array.isArray(before) && Array.isArray(after)
        ? before.length === after.length &&
          before.every((item, index) => this.#areEqual(item, after[index] as JsonValue))
        : equalValues(before, after);
    if (!areEqual && typeof before !== 'string') this.#different.set(before, after);
    return areEqual;
  }

  #add(op: 'add' | 'remove' | 'replace', path: string, value?: JsonValue): void {
    const rendered = value === undefined ? '' : `,"value":${renderValue(value)}`;
    const operation = `{"op":"${op}","path":${JSON.stringify(path)}${rendered}}`;
    this.#operations.push(operation);
    this.#length += operation.length + 1;
  }
}

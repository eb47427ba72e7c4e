import { escapePointer } from '@platform/kernel';
import { equalValues, type JsonValue, renderValue } from '../model/json-value.ts';
import type { JsonText } from '../model/resource.ts';

/** The JSON Patch (RFC 6902) that makes `after` of `before`, as text. Numbers keep their digits. */
export function diffJson(before: JsonValue, after: JsonValue): JsonText {
  const operations: JsonText[] = [];
  collect(before, after, '', operations);
  return `[${operations.join(',')}]`;
}

function collect(before: JsonValue, after: JsonValue, path: string, operations: JsonText[]): void {
  if (before instanceof Map && after instanceof Map) {
    for (const key of before.keys()) {
      if (!after.has(key)) operations.push(operation('remove', `${path}/${escapePointer(key)}`));
    }
    for (const [key, value] of after) {
      const at = `${path}/${escapePointer(key)}`;
      const known = before.get(key);
      if (known === undefined) operations.push(operation('add', at, value));
      else collect(known, value, at, operations);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    collectItems(before, after, path, operations);
  } else if (!equalValues(before, after)) operations.push(operation('replace', path, after));
}

/** Items in front and at the end that are equal stay; those between are compared one by one, then removed or added. */
function collectItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
  operations: JsonText[],
): void {
  const shorter = Math.min(before.length, after.length);
  let front = 0;
  while (front < shorter && equalValues(before[front], after[front])) front += 1;
  let end = 0;
  while (
    end < shorter - front &&
    equalValues(before[before.length - 1 - end], after[after.length - 1 - end])
  ) {
    end += 1;
  }
  const common = shorter - end;
  for (let index = front; index < common; index += 1) {
    collect(before[index] as JsonValue, after[index] as JsonValue, `${path}/${index}`, operations);
  }
  for (let index = before.length - end - 1; index >= common; index -= 1) {
    operations.push(operation('remove', `${path}/${index}`));
  }
  for (let index = common; index < after.length - end; index += 1) {
    operations.push(operation('add', `${path}/${index}`, after[index]));
  }
}

function operation(op: 'add' | 'remove' | 'replace', path: string, value?: JsonValue): JsonText {
  const rendered = value === undefined ? '' : `,"value":${renderValue(value)}`;
  return `{"op":"${op}","path":${JSON.stringify(path)}${rendered}}`;
}

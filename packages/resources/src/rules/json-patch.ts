import { type Fault, Problem, pointerSteps } from '@platform/kernel';
import { maxNesting } from '../model/json-document.ts';
import { cloneValue, equalValues, type JsonObject, type JsonValue, stringOf } from '../model/json-value.ts';

/** A path of RFC 6901, split and unescaped. */
interface Pointer {
  readonly text: string;
  readonly steps: readonly string[];
}

/** One operation of a JSON Patch (RFC 6902, section 4). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer };

/** The most operations of one patch, as in Kubernetes. */
const maxOperations = 10_000;

/**
 * The most array items that one patch may shift; a value that `copy` makes takes as long as {@link copyCost} of them.
 *
 * Attack: 30 copies of a document into itself are 2^30 of it.
 */
const maxTouched = 2_000_000;
const copyCost = 8;

/** No document is nested deeper, in any form in which it is patched. The exact limit is checked when the result is stored. */
const maxDepth = 2 * maxNesting;

/** Reads a patch. Throws `malformed_patch` with every fault; unknown members of an operation are ignored (RFC 6902, section 4). */
export function readJsonPatch(value: JsonValue): readonly JsonPatchOperation[] {
  if (!Array.isArray(value)) throw malformedPatch([{ path: '', message: 'must be an array of operations' }]);
  if (value.length > maxOperations) {
    throw new Problem('payload_too_large', `A patch has at most ${maxOperations} operations.`);
  }
  const faults: Fault[] = [];
  const operations = value.map((item, index) => readOperation(item, `/${index}`, faults));
  if (faults.length > 0) throw malformedPatch(faults);
  return operations as readonly JsonPatchOperation[];
}

/** The refusal of a patch that is not well-formed. */
export function malformedPatch(faults: readonly Fault[]): Problem {
  const [first] = faults;
  return new Problem('malformed_patch', `${first?.path || 'patch'}: ${first?.message}`, { errors: faults });
}

function readOperation(item: JsonValue, at: string, faults: Fault[]): JsonPatchOperation | null {
  if (!(item instanceof Map)) {
    faults.push({ path: at, message: 'must be an object' });
    return null;
  }
  const op = stringOf(item.get('op'));
  const path = readPointer(item, 'path', at, faults);
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      const value = item.get('value');
      if (value === undefined) faults.push({ path: `${at}/value`, message: 'is required' });
      return path === null || value === undefined ? null : { op, path, value };
    }
    case 'remove':
      return path === null ? null : { op, path };
    case 'move':
    case 'copy': {
      const from = readPointer(item, 'from', at, faults);
      return path === null || from === null ? null : { op, path, from };
    }
    default:
      faults.push({ path: `${at}/op`, message: 'must be add, remove, replace, move, copy or test' });
      return null;
  }
}

function readPointer(item: JsonObject, member: string, at: string, faults: Fault[]): Pointer | null {
  const text = stringOf(item.get(member));
  if (text === undefined || !/^(?:\/(?:[^~]|~[01])*)?$/s.test(text)) {
    faults.push({ path: `${at}/${member}`, message: 'must be a JSON pointer (RFC 6901)' });
    return null;
  }
  return { text, steps: pointerSteps(text) };
}

/** Applies a patch to a document, which it changes. Throws `patch_failed` for the first operation that cannot be applied. */
export function applyJsonPatch(document: JsonValue, operations: readonly JsonPatchOperation[]): JsonValue {
  // The document is the one item of an array, so that its root is a place like any other.
  const run = new PatchRun([document]);
  operations.forEach((operation, index) => {
    try {
      run.apply(operation);
    } catch (error) {
      if (!(error instanceof PatchFault)) throw error;
      const detail = `Operation ${index} (${operation.op} ${operation.path.text || 'the document'}): ${error.message}.`;
      throw new Problem('patch_failed', detail, {
        errors: [{ path: `/${index}`, message: error.message }],
      });
    }
  });
  const [result] = run.root;
  if (result === undefined) throw new Problem('patch_failed', 'The patch removes the whole document.');
  sizeOf(result);
  return result;
}

/** The reason why an operation cannot be applied. */
class PatchFault extends Error {}

class PatchRun {
  readonly root: JsonValue[];
  #touched = 0;

  constructor(root: JsonValue[]) {
    this.root = root;
  }

  apply(operation: JsonPatchOperation): void {
    const { op, path } = operation;
    switch (op) {
      case 'add':
        this.#add(path, cloneValue(operation.value));
        return;
      case 'replace':
        this.#find(path);
        this.#set(path, cloneValue(operation.value));
        return;
      case 'test':
        if (!equalValues(this.#find(path), operation.value)) throw new PatchFault('the value is another one');
        return;
      case 'remove':
        this.#remove(path);
        return;
      case 'copy': {
        const value = this.#find(operation.from);
        this.#touch(copyCost * sizeOf(value));
        this.#add(path, cloneValue(value));
        return;
      }
      case 'move':
        if (path.text.startsWith(`${operation.from.text}/`)) {
          throw new PatchFault('a value cannot be moved into itself');
        }
        this.#add(path, this.#remove(operation.from));
    }
  }

  #touch(count: number): void {
    this.#touched += count;
    if (this.#touched > maxTouched) throw new Problem('payload_too_large', 'The patch copies too much.');
  }

  /** The container of the place that a pointer names, and the last step. */
  #place({ steps }: Pointer): readonly [container: JsonValue[] | JsonObject, step: string] {
    let container: JsonValue = this.root;
    let last = '0';
    for (const step of steps) {
      container = memberOf(container, last);
      last = step;
    }
    if (typeof container === 'string') throw new PatchFault('the path leads into a scalar');
    return [container, last];
  }

  #find(pointer: Pointer): JsonValue {
    const [container, step] = this.#place(pointer);
    return memberOf(container, step);
  }

  #add(pointer: Pointer, value: JsonValue): void {
    const [container, step] = this.#place(pointer);
    if (container === this.root) this.root[0] = value;
    else if (container instanceof Map) container.set(step, value);
    else {
      const index = step === '-' ? container.length : indexOf(step);
      if (index > container.length) throw new PatchFault(`the array has ${container.length} items`);
      this.#touch(container.length - index);
      container.splice(index, 0, value);
    }
  }

  #set(pointer: Pointer, value: JsonValue): void {
    const [container, step] = this.#place(pointer);
    if (container instanceof Map) container.set(step, value);
    else container[indexOf(step)] = value;
  }

  #remove(pointer: Pointer): JsonValue {
    const [container, step] = this.#place(pointer);
    const value = memberOf(container, step);
    if (container instanceof Map) container.delete(step);
    else {
      this.#touch(container.length);
      container.splice(indexOf(step), 1);
    }
    return value;
  }
}

function memberOf(container: JsonValue, step: string): JsonValue {
  if (typeof container === 'string') throw new PatchFault('the path leads into a scalar');
  const value = container instanceof Map ? container.get(step) : container[indexOf(step)];
  if (value === undefined) throw new PatchFault(`there is no ${JSON.stringify(step.slice(0, 100))}`);
  return value;
}

/** An index of an array: no sign and no leading zero (RFC 6901, section 4). */
function indexOf(step: string): number {
  if (!/^(?:0|[1-9]\d{0,14})$/.test(step)) {
    throw new PatchFault(`${JSON.stringify(step.slice(0, 100))} is not an index of the array`);
  }
  return Number(step);
}

/**
 * The number of values in a value; a long text counts as several. Throws `malformed_body` for a value that is nested too deep. Attack:
 * values are moved into each other until recursive functions overflow the stack.
 */
function sizeOf(value: JsonValue): number {
  let size = 0;
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) {
      throw new Problem('malformed_body', `The patched resource is nested deeper than ${maxNesting} levels.`);
    }
    const below: JsonValue[] = [];
    for (const one of level) {
      size += typeof one === 'string' ? 1 + one.length / 8 : 1;
      if (typeof one !== 'string') for (const member of one.values()) below.push(member);
    }
    level = below;
  }
  return size;
}

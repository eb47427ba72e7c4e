import type { z } from 'zod';
import { type ConfigFault, type KeyPath, keyName } from './faults.ts';
import { type SectionName, type Settings, sections } from './schema/platform.ts';
import { isTree, type Tree } from './tree.ts';

/** The valid part of the settings: a key with a fault is missing. */
export type Partially<T> = { readonly [S in keyof T]: Partial<T[S]> };

/**
 * Checks every key separately, so that one invalid value does not hide others. A key without a value and a section without keys count as
 * absent. The settings are complete if there is no fault.
 */
export function checkSettings(tree: Tree): { settings: Partially<Settings>; faults: ConfigFault[] } {
  const faults = [...unknownKeys(tree, sections, []), ...droppedKeys(tree, [])];
  const settings: Record<string, Tree> = {};
  for (const name of Object.keys(sections) as SectionName[]) {
    const given = tree[name] ?? {};
    if (isTree(given)) settings[name] = checkSection(name, given, faults);
    else faults.push({ key: name, message: 'must be a mapping of keys' });
  }
  return { settings: settings as unknown as Partially<Settings>, faults };
}

function checkSection(name: SectionName, given: Tree, faults: ConfigFault[]): Tree {
  const shape: Readonly<Record<string, z.ZodType>> = sections[name].shape;
  const section: Tree = {};
  faults.push(...unknownKeys(given, shape, [name]));
  for (const [key, schema] of Object.entries(shape)) {
    const result = schema.safeParse(given[key] ?? undefined, { reportInput: true });
    if (result.success) section[key] = result.data;
    else faults.push(...result.error.issues.flatMap((issue) => toFaults(issue, [name, key])));
  }
  return section;
}

function unknownKeys(given: Tree, known: Readonly<Record<string, unknown>>, path: KeyPath): ConfigFault[] {
  return Object.keys(given)
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => ({ key: keyName([...path, key]), message: 'is not a known key' }));
}

// Attack: a required claim that is dropped silently widens who matches. The schemas drop this key.
function droppedKeys(value: unknown, path: KeyPath): ConfigFault[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => droppedKeys(item, [...path, index]));
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '__proto__'
      ? [{ key: keyName([...path, key]), message: 'is not a known key' }]
      : droppedKeys(member, [...path, key]),
  );
}

function toFaults(issue: z.core.$ZodIssue, base: KeyPath): ConfigFault[] {
  const path = [...base, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ key: keyName([...path, key]), message: 'is not a known key' }));
  }
  const absent = issue.code === 'invalid_type' && issue.input === undefined;
  return [{ key: keyName(path), message: absent ? 'is required' : plain(issue) }];
}

function plain(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    return `must be ${article(issue.expected)}`;
  }
  return issue.message;
}

function article(expected: string): string {
  const words: Record<string, string> = { string: 'a string', array: 'a list', object: 'a mapping' };
  return words[expected] ?? words[expected === 'record' ? 'object' : expected] ?? `a ${expected}`;
}

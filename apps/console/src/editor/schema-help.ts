import { valueIn } from '../form/tree.ts';
import { pointerSteps } from '../logic/json-pointer.ts';

/** The part of a JSON Schema that helps with typing. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint | boolean;
  readonly exclusiveMaximum?: number | bigint | boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  readonly info: string | undefined;
  readonly insert: string;
}

/** Every schema that describes the same place: itself, its reference, and its branches. */
export function unfold(schema: Schema | undefined, root: Schema): readonly Schema[] {
  const found = new Set<Schema>();
  const visit = (one: unknown) => {
    // A schema may refer to itself.
    if (typeof one !== 'object' || one === null || found.has(one)) return;
    found.add(one);
    const { $ref, allOf = [], oneOf = [], anyOf = [] } = one as Schema;
    for (const next of [referenced($ref, root), ...allOf, ...oneOf, ...anyOf]) visit(next);
  };
  visit(schema);
  return [...found];
}

/** The target of a reference into the same document by a JSON pointer; other references are not followed. */
function referenced($ref: string | undefined, root: Schema): unknown {
  if ($ref === undefined || !/^#(?:\/|$)/.test($ref)) return undefined;
  try {
    return valueIn(root, pointerSteps(decodeURIComponent($ref.slice(1))));
  } catch {
    return undefined;
  }
}

/** The schemas of a place below the root. */
function schemasAt(root: Schema, path: readonly string[]): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (at, name) =>
      at.flatMap((schema) => {
        const next = name === '-' ? schema.items : (schema.properties?.[name] ?? additional(schema));
        return unfold(next, root);
      }),
    unfold(root, root),
  );
}

function additional({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The place of a line in a YAML text by its indentation, root first; `-` stands for an item of a list. */
function pathAtLine(lines: readonly string[], line: number): readonly string[] {
  const path: string[] = [];
  let indent = indentOf(lines[line] ?? '');
  for (let at = line - 1; at >= 0 && indent > 0; at -= 1) {
    const text = lines[at] ?? '';
    if (text.trim() === '' || text.trim().startsWith('#')) continue;
    const own = indentOf(text);
    const match = /^(\s*)((?:- )*)([\w./-]+|"[^"]*"):\s*$/.exec(text);
    if (own >= indent || match === null) continue;
    if (/^\s*- /.test(lines[line] ?? '') && path.length === 0) path.unshift('-');
    path.unshift((match[3] ?? '').replaceAll('"', ''));
    indent = own;
  }
  return path;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** The keys or values that fit at the end of a line. */
export function suggest(root: Schema, lines: readonly string[], line: number): readonly Suggestion[] {
  const text = lines[line] ?? '';
  const path = pathAtLine(lines, line);
  const value = /^\s*(?:- )?([\w./-]+):\s+\S*$/.exec(text);
  if (value !== null) {
    const schemas = schemasAt(root, [...path, value[1] ?? '']);
    const values = schemas.flatMap((one) => one.enum ?? (one.type === 'boolean' ? [true, false] : []));
    return [...new Set(values)].map((one) => ({
      label: String(one),
      detail: 'value',
      info: undefined,
      insert: typeof one === 'string' || typeof one === 'bigint' ? String(one) : JSON.stringify(one),
    }));
  }
  const found = new Map<string, Suggestion>();
  for (const schema of schemasAt(root, path)) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const isRequired = schema.required?.includes(name) ?? false;
      const [type = ''] = unfold(member, root).flatMap((one) => one.type ?? []);
      const detail = `${type}${isRequired ? ', required' : ''}`;
      found.set(name, { label: name, detail, info: member.description, insert: `${name}: ` });
    }
  }
  return [...found.values()];
}

/** Members that are begun below each other at most: a schema may require itself. */
const deepest = 16;

/** The initial content of a new resource: the members that its schema requires, and defaults. */
export function skeleton(schema: Schema | undefined, root: Schema = schema ?? {}, depth = 0): unknown {
  const all = unfold(schema, root);
  const given = all.find((one) => one.const !== undefined || one.default !== undefined);
  if (given !== undefined) return given.const ?? given.default;
  const choice = all.find((one) => one.enum !== undefined);
  if (choice !== undefined) return choice.enum?.[0];
  const [type] = all.flatMap((one) => one.type ?? []);
  if (type === 'string') return '';
  if (type === 'integer' || type === 'number') {
    return all.find(({ minimum = 0 }) => minimum > 0)?.minimum ?? 0;
  }
  if (type === 'boolean') return false;
  if (type === 'array' || depth > deepest) return [];
  const required = new Set(all.flatMap((one) => one.required ?? []));
  const members = all.flatMap((one) => Object.entries(one.properties ?? {}));
  return Object.fromEntries(
    members
      .filter(([name]) => required.has(name))
      .map(([name, one]) => [name, skeleton(one, root, depth + 1)]),
  );
}

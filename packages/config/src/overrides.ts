import { parseDocument } from 'yaml';
import type { ConfigFault, KeyPath } from './faults.ts';
import { sections } from './schema/platform.ts';
import { shapeAt } from './schema/shape.ts';
import type { Environment } from './source.ts';
import { setAt, type Tree } from './tree.ts';

const prefix = 'PLATFORM__';

/**
 * Applies `PLATFORM__SECTION__KEY=value` to the tree, in place. Values are YAML; an empty value or `null` unsets the key. A number is the
 * index of a list: `PLATFORM__AUTH__CONTROLLERS__0__ID`.
 */
export function applyOverrides(tree: Tree, env: Environment): ConfigFault[] {
  const faults: ConfigFault[] = [];
  // In sorted order a whole section comes before its keys, so that the narrower variable wins.
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith(prefix)) continue;
    const path = overridePath(name);
    const value = path === undefined ? undefined : parseValue(env[name] ?? '', path);
    if (path === undefined) faults.push({ key: name, message: 'has an empty level in its name' });
    else if (value === undefined) faults.push({ key: name, message: 'is not valid YAML' });
    else setAt(tree, path, value.parsed);
  }
  return faults;
}

/** A warning for each variable that begins like a key of the configuration, with one underscore too few, and so has no effect. */
export function misspelledOverrides(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => {
      const [, section = ''] = /^PLATFORM_([A-Z]+(?:_[A-Z]+)*)__/.exec(name) ?? [];
      return Object.hasOwn(sections, section.toLowerCase());
    })
    .sort()
    .map((name) => `${name}: has no effect; write ${name.replace('PLATFORM_', prefix)}`);
}

function overridePath(name: string): KeyPath | undefined {
  const path: (string | number)[] = [];
  for (const level of name.slice(prefix.length).split('__')) {
    if (level === '') return undefined;
    const inList = /^\d{1,4}$/.test(level) && shapeAt(path)?.type === 'array';
    path.push(inList ? Number(level) : keyOf(level, path));
  }
  return path;
}

// The members of claims, annotations and a spec differ by case, as in `spec.displayName`; the keys of the platform have no capitals.
function keyOf(level: string, path: KeyPath): string {
  const shape = shapeAt(path);
  const hasAnyKeys = shape === undefined || (shape.type === 'object' && shape.properties === undefined);
  return hasAnyKeys && level !== level.toUpperCase() ? level : level.toLowerCase();
}

/**
 * Parses one value. If the key is a string, text that YAML would parse as something else (a secret of digits, a PEM with several lines, a
 * leading `@`) is used unchanged.
 */
export function parseValue(text: string, path: KeyPath): { parsed: unknown } | undefined {
  const document = parseDocument(text, { prettyErrors: false });
  const parsed: unknown = document.errors.length === 0 ? attempt(() => document.toJS()) : undefined;
  if (shapeAt(path)?.type !== 'string') return parsed === undefined ? undefined : { parsed };
  if (parsed === null) return { parsed };
  const explicit = /^\s*["'|>]/.test(text) || !/\n|^\s*!/.test(text);
  return { parsed: typeof parsed === 'string' && explicit ? parsed : text };
}

function attempt(convert: () => unknown): unknown {
  try {
    return convert();
  } catch {
    return undefined;
  }
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ConfigFault, type KeyPath, keyName } from './faults.ts';
import { parseValue } from './overrides.ts';
import { shapeAt } from './schema/shape.ts';
import type { Environment } from './source.ts';
import { mapScalars, type Tree } from './tree.ts';

const reference = /\$?\$\{(env|file):([^}]*)\}/g;

/**
 * Replaces `${env:NAME}` and `${file:/path}` inside string values; `$${env:NAME}` is the literal text. Inserted values are not
 * interpolated again. The final line break of a file is removed.
 */
export function interpolate(tree: Tree, env: Environment, cwd: string) {
  const faults: ConfigFault[] = [];
  const filled = mapScalars(tree, (scalar, path) => {
    if (typeof scalar !== 'string' || !scalar.includes('${')) return scalar;
    const text = scalar.replace(reference, (whole: string, kind: string, name: string) => {
      if (whole.startsWith('$$')) return whole.slice(1);
      const found = kind === 'env' ? readVariable(env, name) : readSecret(name, cwd);
      if ('fault' in found) faults.push({ key: keyName(path), message: found.fault });
      return 'text' in found ? found.text : '';
    });
    return convert(text, path);
  });
  return { tree: filled as Tree, faults };
}

/** The text of a reference, or why it leads nowhere. */
type Found = { readonly text: string } | { readonly fault: string };

function readVariable(env: Environment, name: string): Found {
  const text = env[name];
  return text === undefined ? { fault: `the variable ${name} is not set` } : { text };
}

function readSecret(name: string, cwd: string): Found {
  try {
    return { text: readFileSync(resolve(cwd, name), 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return { fault: `the file ${name} cannot be read (${code})` };
  }
}

// `port: ${env:PORT}` is a string in YAML; for a key with a number or a boolean it is converted.
function convert(text: string, path: KeyPath): unknown {
  const type = shapeAt(path)?.type;
  if (type !== 'integer' && type !== 'boolean') return text;
  return parseValue(text, path)?.parsed;
}

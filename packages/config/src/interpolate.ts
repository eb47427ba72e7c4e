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
      const value = kind === 'env' ? env[name] : readSecret(resolve(cwd, name));
      if (value === undefined) faults.push(missing(path, kind, name));
      return value ?? '';
    });
    return convert(text, path);
  });
  return { tree: filled as Tree, faults };
}

function missing(path: KeyPath, kind: string, name: string): ConfigFault {
  const message = kind === 'env' ? `the variable ${name} is not set` : `the file ${name} cannot be read`;
  return { key: keyName(path), message };
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}

// `port: ${env:PORT}` is a string in YAML; for a key with a number or a boolean it is converted.
function convert(text: string, path: KeyPath): unknown {
  const type = shapeAt(path)?.type;
  if (type !== 'integer' && type !== 'boolean') return text;
  return parseValue(text, path)?.parsed;
}

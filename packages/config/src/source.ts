import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { ConfigError } from './faults.ts';
import { isTree, type Tree } from './tree.ts';

/** The environment variables of a process, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration file, unchecked. */
export interface Source {
  /** Absolute path of the file; undefined without one. */
  readonly file: string | undefined;
  readonly tree: Tree;
}

/** Reads the file named by `PLATFORM_CONFIG`, or `platform.yaml` in `cwd` when there is one. */
export function readSource(env: Environment, cwd: string): Source {
  const named = env['PLATFORM_CONFIG'] || undefined;
  const file = resolve(cwd, named ?? 'platform.yaml');
  const text = readText(file, named !== undefined);
  return text === undefined ? { file: undefined, tree: {} } : { file, tree: parse(text, file) };
}

function readText(file: string, mustExist: boolean): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    if (code === 'ENOENT' && !mustExist) return undefined;
    throw new ConfigError([{ key: file, message: `the configuration file cannot be read (${code})` }]);
  }
}

// The messages of the parser quote the source, which may contain secrets, so only code and place are reported.
function parse(text: string, file: string): Tree {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new ConfigError(
      document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        return { key: `${file}:${line}:${col}`, message: `is not valid YAML (${error.code})` };
      }),
    );
  }
  const value: unknown = toPlain(() => document.toJS(), file) ?? {};
  if (isTree(value)) return value;
  throw new ConfigError([{ key: file, message: 'must contain a YAML mapping' }]);
}

// Reports an alias without its anchor. Attack: nested aliases that expand to gigabytes.
function toPlain(convert: () => unknown, file: string): unknown {
  try {
    return convert();
  } catch {
    throw new ConfigError([{ key: file, message: 'is not valid YAML (bad alias)' }]);
  }
}

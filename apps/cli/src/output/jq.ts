import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';

/** Applies a filter of jq; strings are printed as they are. jq is loaded when it is used, because it is large. */
export async function jq(value: unknown, filter: string): Promise<string> {
  const { raw } = await loadJq();
  const text = losslessJson.stringify(value) ?? 'null';
  try {
    const output = await raw(text, filter, ['-r']);
    return output === '' ? '' : `${output.replace(/\n$/, '')}\n`;
  } catch (error) {
    const reason = (error as Error).message.split('\n').find((line) => line.trim() !== '') ?? 'unknown error';
    throw new Failure(
      'usage',
      `--jq: ${reason.replace(/^.*?jq: /, '')}`,
      'https://jqlang.org/manual describes filters',
    );
  }
}

/** The package is CommonJS: the bundle has its exports in `default` only. */
async function loadJq(): Promise<typeof import('jq-wasm')> {
  const loaded: typeof import('jq-wasm') & { readonly default?: typeof import('jq-wasm') } = await import(
    'jq-wasm'
  );
  return loaded.default ?? loaded;
}

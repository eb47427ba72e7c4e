import { readFileSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import { fromYaml } from '../output/yaml.ts';
import type { Register, Workbench } from './command.ts';

interface ApiOptions {
  readonly method?: string;
  readonly data?: string;
  readonly file?: string;
}

/** `api`: any request to the platform, for what has no command of its own. */
export const registerApi: Register = (program, benchOf) => {
  program
    .command('api <path>')
    .description('send any request, and print the answer; GET without a body, POST with one')
    .option('-X, --method <method>', 'another method')
    .option('-d, --data <json>', 'the body, as YAML or JSON')
    .option('-f, --file <file>', 'the body from a file, as YAML or JSON; - is standard input')
    .addHelpText(
      'after',
      '\nExamples:\n  platform api /api/v1/projects\n  platform api /api/v1/projects -d \'{"name": "shop"}\'\n',
    )
    .action(async (path: string, options: ApiOptions, command) => {
      const bench = benchOf(command);
      // Attack: an address instead of a path would be handed the session.
      if (!/^\/(?!\/)/.test(path)) throw new Failure('usage', 'the path must begin with one /');
      const body = await readBody(bench, options);
      const method = (options.method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase();
      const call = { method, path, signal: bench.signal };
      const { text, headers } = await bench.client.send(body === undefined ? call : { ...call, body });
      bench.out(readable(text, headers));
    });
};

/** The body as JSON, to the digit; undefined when there is none. */
async function readBody({ terminal }: Workbench, { data, file }: ApiOptions): Promise<string | undefined> {
  if (data !== undefined && file !== undefined) throw new Failure('usage', '--data or --file, not both');
  const source = file ?? '--data';
  const text =
    file === undefined ? data : file === '-' ? await terminal.readInput() : readFileSync(file, 'utf8');
  if (text === undefined) return undefined;
  const values = fromYaml(text, source === '-' ? 'standard input' : source);
  if (values.length !== 1) throw new Failure('usage', `${source} must hold one document`);
  return losslessJson.stringify(values[0]);
}

/** JSON laid out for people, anything else as it came. */
function readable(text: string, headers: Headers): string {
  if (text === '') return '';
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '');
  return isJson ? losslessJson.pretty(losslessJson.parse(text)) : text.replace(/\n?$/, '\n');
}

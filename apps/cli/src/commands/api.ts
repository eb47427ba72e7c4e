import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import { jq } from '../output/jq.ts';
import { fromYaml } from '../output/yaml.ts';
import { readFileOrInput } from '../read-file.ts';
import type { CommandContext, Register } from './command-context.ts';
import { jqOption } from './options.ts';

interface ApiOptions {
  readonly method?: string;
  readonly data?: string;
  readonly file?: string;
  readonly jq?: string;
}

/** `api`: sends any request to the platform. */
export const registerApi: Register = (program, contextOf) => {
  program
    .command('api <path>')
    .description('send any request and print the response; GET without a body, POST with one')
    .option('-X, --method <method>', 'the method')
    .option('-d, --data <json>', 'the body as YAML or JSON')
    .option('-f, --file <file>', 'read the body from a file (- for standard input)')
    .addOption(jqOption())
    .addHelpText(
      'after',
      '\nExamples:\n  platform api /api/v1/projects\n  platform api /api/v1/projects --jq .items[].url\n  platform api /api/v1/projects -d \'{"name": "shop"}\'\n',
    )
    .action(async (path: string, options: ApiOptions, command) => {
      const ctx = contextOf(command);
      // Attack: a URL instead of a path would send the session to another server.
      if (!/^\/(?!\/)/.test(path))
        throw new Failure('usage', `invalid path ${path}: it must begin with a single /`);
      const body = await readBody(ctx, options);
      const method = (options.method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase();
      const request = { method, path, signal: ctx.signal };
      const { text, headers } = await ctx.client.send(body === undefined ? request : { ...request, body });
      if (options.jq === undefined) ctx.out(readable(text, headers));
      else ctx.out(await jq(losslessJson.parse(text === '' ? 'null' : text), options.jq));
    });
};

/** The body as JSON with exact numbers; undefined without a body. */
async function readBody(
  { terminal }: CommandContext,
  { data, file }: ApiOptions,
): Promise<string | undefined> {
  if (data !== undefined && file !== undefined)
    throw new Failure('usage', '--data and --file cannot be used together');
  const source = file ?? '--data';
  const text = file === undefined ? data : await readFileOrInput(file, terminal);
  if (text === undefined) return undefined;
  const values = fromYaml(text, source === '-' ? 'standard input' : source);
  if (values.length !== 1)
    throw new Failure(
      'usage',
      `${source === '-' ? 'standard input' : source}: expected one YAML or JSON document, found ${values.length}`,
    );
  return losslessJson.stringify(values[0]);
}

/** Indents JSON; leaves anything else unchanged. */
function readable(text: string, headers: Headers): string {
  if (text === '') return '';
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '');
  return isJson ? losslessJson.pretty(losslessJson.parse(text)) : text.replace(/\n?$/, '\n');
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CliFixture } from './cli-fixture.ts';

const cli = new CliFixture();

/** Passes requests on as a replica of release 0.24 takes them: it has no batches, reads JSON alone, and passes over `dryRun`. */
let older: Server;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  older = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', cli.api.publicUrl);
    const type = request.headers['content-type'];
    const [isBatch, isJson] = [
      url.pathname === '/api/v1/batch',
      type === undefined || type === 'application/json',
    ];
    let body = '';
    for await (const chunk of request) body += chunk;
    if (isBatch || !isJson) return void response.writeHead(isBatch ? 404 : 415).end('{}');
    url.searchParams.delete('dryRun');
    const answer = await fetch(url, {
      method: request.method as string,
      headers: {
        Authorization: request.headers.authorization ?? '',
        ...(type === undefined ? {} : { 'Content-Type': type }),
      },
      body: body === '' ? null : body,
    });
    response.writeHead(answer.status).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => older.once('listening', resolve));
  env = { PLATFORM_URL: `http://127.0.0.1:${(older.address() as AddressInfo).port}` };
});
afterAll(() => void older.close());

function file(name: string, document: object): string {
  mkdirSync(cli.home, { recursive: true });
  writeFileSync(cli.path(name), JSON.stringify({ apiVersion: 'platform.dev/v1alpha1', ...document }));
  return cli.path(name);
}

const definition = (schema: object) => ({
  kind: 'ResourceDefinition',
  metadata: { name: 'notes.notes.example' },
  spec: {
    group: 'notes.example',
    kind: 'Note',
    plural: 'notes',
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
});

// Accident: `platform diff` during an upgrade creates what it should compare.
it('makes no dry run at a replica that would carry it out', async () => {
  const project = file('project.json', {
    kind: 'Project',
    metadata: { name: 'shop' },
    spec: { owner: { user: 'owner@example.dev' } },
  });
  const stored = file('stored.json', definition({ type: 'object' }));
  const changed = file('changed.json', definition({ type: 'object', required: ['size'] }));
  await cli.ok(`apply -f ${stored}`);
  for (const words of [
    `diff -f ${project}`,
    `apply -f ${project} --dry-run=server`,
    `diff -f ${changed}`,
    `apply -f ${changed} --dry-run=server`,
    `kinds impact -f ${changed}`,
  ]) {
    expect([words, (await cli.run(words, { as: 'admin', env })).code]).not.toEqual([words, 0]);
  }
  expect((await cli.run('get project shop', { as: 'admin' })).err).toContain('not_found');
  expect(await cli.ok(`diff -f ${stored}`)).toContain('unchanged');
  await cli.ok(`apply -f ${project}`, { as: 'admin', env });
});

it('asks for the impact of a definition that is longer than a body in YAML may be', async () => {
  const long = file('long.json', definition({ type: 'object', description: 'x'.repeat(300_000) }));
  await cli.ok(`apply -f ${long}`);
  expect(await cli.ok(`kinds impact -f ${long}`)).toContain('v1');
});

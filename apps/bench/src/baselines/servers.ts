import type { ServerResponse } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import postgres from 'postgres';
import { roots } from '../fixture/rows.ts';

// Has the size of an item of the benchmark.
const document = {
  apiVersion: 'bench.example.dev/v1',
  kind: 'Level1',
  metadata: { name: 'item-1', uid: '00000000-0000-4000-8000-000000000000', revision: 1, annotations: {} },
  spec: { size: 3, ports: [80, 443, 8080], text: 'An ordinary description. '.repeat(20) },
  status: { controllers: {} },
};

/** The minimum for Node.js: a small JSON body, serialized for each response. */
export function bareHttp(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
}

/** Express with its defaults, one route and `res.json`. */
export function bareExpress(page: RequestHandler): Express {
  const app = express();
  app.get('/express', (_request, response) => {
    response.json(document);
  });
  app.get('/page', page);
  return app;
}

/** Pages of 100 in the straightforward way: the driver parses the rows, each becomes an object, and the page is serialized. */
export function parsedPage(databaseUrl: string): RequestHandler {
  const sql = postgres(databaseUrl, { max: 10 });
  let count = 0;
  return async (_request, response) => {
    count += 1;
    const rows = await sql`
      select uid, name, revision, generation, discriminator, api_version, kind, created_at, finalizers, owner_references,
        metadata, spec, status
      from resources where parent_uid = (
        select uid from resources where parent_uid is null and api_group = 'bench.example.dev' and kind = 'Level0' and name = ${`root-${1 + (count % roots)}`})
        and api_group = 'bench.example.dev' and kind = 'Level1' order by name limit 100`;
    const items = rows.map((row) => ({
      apiVersion: row['api_version'],
      kind: row['kind'],
      metadata: {
        name: row['name'],
        uid: row['uid'],
        revision: Number(row['revision']),
        generation: Number(row['generation']),
        discriminator: row['discriminator'],
        creationTimestamp: row['created_at'],
        annotations: row['metadata'].annotations,
        finalizers: row['finalizers'],
        ownerReferences: row['owner_references'],
      },
      spec: row['spec'],
      status: row['status'],
    }));
    response.json({ apiVersion: 'bench.example.dev/v1', kind: 'Level1List', metadata: {}, items });
  };
}

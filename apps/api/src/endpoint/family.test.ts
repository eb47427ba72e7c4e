import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { recordingLogger } from '@platform/development/testing';
import express from 'express';
import { Entrance } from '../http/entrance.ts';
import { errorHandler } from '../http/error-handler.ts';
import { requestContext } from '../http/request-context.ts';
import { mountFamilies } from './family.ts';

const large = 'x'.repeat(20_000);

let server: Server;
let begun: string[];
let ends: (() => void)[];
let isOpen: boolean;

beforeEach(async () => {
  begun = [];
  ends = [];
  isOpen = true;
  const app = express();
  app.use(requestContext);
  const family = {
    prefix: '/things',
    access: 'authenticated' as const,
    async handle({ method, path, rawQuery }: { method: string; path: string; rawQuery: string }) {
      begun.push(`${method} ${path}?${rawQuery}`);
      if (!isOpen && method === 'GET' && rawQuery === '') await new Promise<void>((end) => ends.push(end));
      return { status: 200, body: path.endsWith('/many') ? large : 'x' };
    },
  };
  const settings = { authorize: async () => null };
  mountFamilies(app, [family], settings as never, new Entrance({ atOnce: 1, holdMs: 60_000 }));
  app.use(errorHandler(recordingLogger()));
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = async (path: string, method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method,
  });
  return (await response.text()).length;
};

it('lets requests wait for a path with large answers, but no others, and no watches', async () => {
  expect(await ask('/things/many')).toBe(large.length);
  isOpen = false;
  const first = ask('/things/many');
  while (ends.length < 1) await turn();
  const second = ask('/things/many');
  begun = [];
  await ask('/things/many?watch=true');
  await ask('/things/many', 'POST');
  isOpen = true;
  await ask('/things/one');
  expect(begun).toEqual(['GET /things/many?watch=true', 'POST /things/many?', 'GET /things/one?']);
  ends[0]?.();
  expect([await first, await second]).toEqual([large.length, large.length]);
});

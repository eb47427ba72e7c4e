import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bareExpress, bareHttp, parsedPage } from './servers.ts';
import { runStatement, type StatementLoad } from './statements.ts';

// The baselines: what the same machine achieves without the platform. A separate program, pinned to the same core as the API.

const url = process.env['PLATFORM__DATABASE__URL'] ?? '';
const express = bareExpress(parsedPage(url));
const server = createServer((request, response) =>
  request.url?.startsWith('/http') ? bareHttp(response) : express(request, response),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on(
  'message',
  (load: StatementLoad) => void runStatement(url, load).then((done) => process.send?.(done)),
);
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.({ port: (server.address() as AddressInfo).port });

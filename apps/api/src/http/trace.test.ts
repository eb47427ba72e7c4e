import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestSpan, SpanAttributes } from '@platform/kernel';
import { Problem } from '@platform/kernel';
import express, { type Express } from 'express';
import supertest from 'supertest';
import { errorHandler } from './error-handler.ts';
import { requestContext } from './request-context.ts';
import { trace } from './trace.ts';

/** A span as it was left. */
interface Recorded {
  name: string | null;
  failure: string | null;
  attributes: SpanAttributes;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

function traced(routes: (app: Express) => void) {
  const spans: Recorded[] = [];
  const ended: (() => void)[] = [];
  const tracer = {
    request(): RequestSpan {
      const span: Recorded = { name: null, failure: null, attributes: {} };
      spans.push(span);
      return {
        ids: { trace_id: 't', span_id: 's' },
        set: (attributes) => {
          span.attributes = { ...span.attributes, ...attributes };
        },
        fail: (type) => {
          span.failure = type;
        },
        run: (work) => work(),
        end: (name) => {
          span.name = name;
          ended.shift()?.();
        },
      };
    },
  };
  const app = express();
  app.use(requestContext);
  app.use(trace({ tracer, mask: (text) => text.replaceAll('hunter2', '[redacted]') }));
  routes(app);
  app.use(errorHandler(silent));
  const nextEnd = () => new Promise<void>((resolve) => ended.push(resolve));
  return { app, spans, nextEnd };
}

describe('the span of a request', () => {
  it('is named by the template of the route, and has the path without its query', async () => {
    const { app, spans } = traced((routes) =>
      routes.get('/items/:item', (request, response) => {
        request.context.route = '/items/:item';
        response.send('x');
      }),
    );
    await supertest(app).get('/items/a%20b?code=hunter2').expect(200);
    expect(spans).toEqual([
      {
        name: 'GET /items/:item',
        failure: null,
        attributes: {
          'http.request.method': 'GET',
          'http.route': '/items/:item',
          'http.response.status_code': 200,
          'url.path': '/items/a%20b',
          'url.scheme': 'http',
          'network.protocol.version': '1.1',
        },
      },
    ]);
  });

  it('masks what looks like a credential in the path', async () => {
    const { app, spans } = traced(() => undefined);
    await supertest(app).get('/items/hunter2').expect(404);
    expect(spans[0]?.attributes['url.path']).toBe('/items/[redacted]');
  });

  it('is named by its method alone where no route took it, and never by a made-up method', async () => {
    const { app, spans } = traced(() => undefined);
    await supertest(app).get('/nowhere');
    await supertest(app).propfind('/nowhere');
    expect(spans.map(({ name, attributes }) => [name, attributes['http.request.method']])).toEqual([
      ['GET', 'GET'],
      ['HTTP', '_OTHER'],
    ]);
    expect(spans[0]?.attributes).not.toHaveProperty('http.route');
  });

  it.each([
    ['unavailable', 'unavailable', 503],
    ['not_found', null, 404],
  ] as const)('after the problem %s has the failure %s', async (code, failure, status) => {
    const { app, spans } = traced((routes) =>
      routes.use(() => {
        throw new Problem(code, 'no');
      }),
    );
    await supertest(app).get('/').expect(status);
    expect(spans[0]).toMatchObject({ failure, attributes: { 'http.response.status_code': status } });
  });

  it('says when the client went away', async () => {
    const { app, spans, nextEnd } = traced((routes) =>
      routes.use((_request, response) => {
        response.writeHead(200);
        response.write('begun');
      }),
    );
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const end = nextEnd();
    const client = send({ port: (server.address() as AddressInfo).port });
    client.on('error', () => undefined);
    client.end();
    const [answer] = await once(client, 'response');
    answer.on('error', () => undefined);
    client.destroy();
    await end;
    server.close();
    expect(spans[0]?.failure).toBe('client_gone');
  });
});

import { problemCodes } from '@platform/kernel';
import { exchange, type RawReply } from '../e2e/socket.ts';
import { operations } from '../openapi/operations.ts';
import { detours, type HostileRequest, hostileRequests } from './hostile-requests.ts';
import { people } from './whole-api.ts';
import { apiWithProvider } from './with-provider.ts';

const api = apiWithProvider({
  auth: { operator_users: [people.operator], admin_users: [people.operator] },
  limits: { oauth_requests_per_minute: 1_000_000 },
});

let port: number;
beforeAll(() => {
  port = Number(new URL(api.publicUrl).port);
});

/** Words of the inside: of the stack, the database and the libraries. */
const inside = /node_modules|\.[jt]s:\d|postgres|select .+ from|sqlstate|drizzle|\bzod\b|\bajv\b/i;

function send(
  { method, target, headers, body }: Pick<HostileRequest, 'method' | 'target' | 'headers' | 'body'>,
  authorization: readonly string[] = [],
): Promise<readonly RawReply[]> {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: localhost:${port}`,
    ...authorization,
    'Connection: close',
    ...headers,
    ...(body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
  ];
  return exchange(port, [`${lines.join('\r\n')}\r\n\r\n`, body], { hangUp: false });
}

/** A session of its own for each request: some of them end it. */
const credential = () => `Authorization: Bearer ${api.session('operator')}`;

const get = (target: string, authorization: readonly string[] = [credential()]) =>
  send({ method: 'GET', target, headers: [], body: Buffer.alloc(0) }, authorization);

/** Describes the faults of the answers to a hostile request; empty when there are none. `exchange` throws when no answer comes. */
function faultsOf(method: string, secret: string, replies: readonly RawReply[]): string[] {
  const [reply, ...more] = replies;
  if (reply === undefined) return ['no answer'];
  const { status, headers, body } = reply;
  const text = JSON.stringify([...headers, body]);
  return [
    ...(more.length > 0 ? ['several answers'] : []),
    ...(status < 200 || status >= 500 ? [`status ${status}`] : []),
    ...(headers.has('x-request-id') ? [] : ['no X-Request-Id']),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['no nosniff']),
    ...(text.includes(secret) ? ['repeats the credential'] : []),
    ...(status >= 400 && inside.test(text) ? ['tells about the inside'] : []),
    ...(status < 400 || method === 'HEAD' || isRefusal(body) ? [] : ['not a refusal']),
  ];
}

/** Whether a body is a problem, an error of OAuth, a Status of Kubernetes or a page. */
function isRefusal(body: string): boolean {
  if (body.startsWith('<!doctype html>')) return true;
  const { code, error, kind } = JSON.parse(body);
  return Object.hasOwn(problemCodes, String(code)) || typeof error === 'string' || kind === 'Status';
}

const kubernetes = [
  '/kubernetes/{root}',
  '/kubernetes/api/v1/{plural}/{name}',
  '/kubernetes/api/v1/namespaces/{namespace}/secrets/{name}',
  '/kubernetes/apis/platform.dev/v1alpha1/organizations/{name}/status',
  '/kubernetes/apis/{group}/{version}/namespaces/{namespace}/{plural}',
].map((path) => [path, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method }))] as const);

const documented = [...new Set(operations.map(({ path }) => path))].map(
  (path) => [path, operations.filter((one) => one.path === path)] as const,
);

// Attack: anything that a socket can carry, by somebody with every right, so that nothing is refused for want of one.
describe('hostile requests', () => {
  it.each([...documented, ...kubernetes])(
    'at %s are answered, by no 5xx and without a word about the inside',
    async (path, operationsHere) => {
      const wrong: string[] = [];
      const left = [...hostileRequests(path, operationsHere)];
      const sender = async () => {
        for (let one = left.pop(); one !== undefined; one = left.pop()) {
          const sent = credential();
          const secret = sent.split(' ').at(-1) as string;
          const faults = faultsOf(one.method, secret, await send(one, [sent]));
          if (faults.length > 0) wrong.push(`${one.name}: ${faults.join(', ')}`);
        }
      };
      await Promise.all([sender(), sender(), sender(), sender()]);
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  it('were errors to nobody, and left the service as it was', async () => {
    const errors = api.log.split('\n').filter((line) => line.includes('"level":"error"'));
    expect(errors).toEqual([]);
    expect(api.log).not.toMatch(/eyJ[\w-]+\.eyJ/);
    expect(Object.prototype).not.toHaveProperty('admin');
    const [me] = await get('/api/v1/auth/me');
    expect(JSON.parse(me?.body ?? '')).toMatchObject({ email: people.operator, operator: true });
  });
});

// Attack: a proxy passes what begins with one prefix, and the rest of the path leads out of it.
describe('a path that leads elsewhere', () => {
  const beginnings = [...documented, ...kubernetes].map(([path]) => path.replace(/\{\w+\}/g, 'x'));

  it.each([
    ...new Set([
      ...beginnings,
      '/kubernetes',
      '/kubernetes/version',
      '/kubernetes/api/v1',
      '/console',
      '/docs',
    ]),
  ])('is not resolved from %s', async (from) => {
    const followed: string[] = [];
    for (const target of detours(from, '/api/v1/auth/me')) {
      const [reply] = await get(target);
      if (reply?.status !== 400 && reply?.status !== 404) followed.push(`${target} ${reply?.status}`);
    }
    expect(followed).toEqual([]);
  });
});

it.each([
  '//api/v1/auth/me',
  '/api//v1/auth/me',
  '/API/v1/auth/me',
  '/%61pi/v1/auth/me',
  '/api/v1/auth%2fme',
  '/api/v1/auth/me/',
  '/api/v1/auth/me;x=1',
  '/api\\v1\\auth\\me',
])('a path has one spelling, and is not answered at %s', async (target) => {
  expect((await get(target))[0]?.status).toBe(404);
});

// Attack: a proxy in front checks the one credential, and this server takes the other.
it('a request with several credentials is refused, whichever is first', async () => {
  const first = credential();
  const other = 'authorization: Bearer x';
  for (const authorization of [
    [first, other],
    [other, first],
    [first, first],
  ]) {
    const [reply] = await get('/api/v1/auth/me', authorization);
    expect([reply?.status, JSON.parse(reply?.body ?? '').code]).toEqual([400, 'malformed_request']);
  }
});

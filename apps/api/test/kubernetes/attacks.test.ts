import { createSchemaValidator } from '@platform/schema-validation';
import { type Json, useApi } from '../api.ts';
import { crd, organization, widget } from './objects.ts';

const platform = 'platform.dev/v1alpha1';
const widgets = '/kubernetes/apis/example.dev/v1/namespaces/acme/widgets';
const protobuf = 'application/vnd.kubernetes.protobuf';
const deepest = 100_000;
/** The beginning of an object, up to its spec. */
const twice = '{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"x"},"spec":{"a":1,"a":2';

/** Attacks on the Kubernetes API, by somebody with a credential. None may be answered 5xx. */
describe('attacks on the Kubernetes API', () => {
  const schemas = createSchemaValidator({ limits: { deadlineMs: 1_000 } });
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const send = (method: string, path: string, body?: string | Buffer, as?: string, type?: string) => {
    const sent = api.send(method, path, as).set('Content-Type', type ?? 'application/json');
    return body === undefined ? sent : sent.send(body as string);
  };
  const refusal = async (sent: ReturnType<typeof send>): Promise<Json> => {
    const { status, body, text } = await sent;
    expect([400, 403, 404, 405, 413, 415, 422]).toContain(status);
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
    return { ...body, text };
  };

  beforeAll(async () => {
    for (const name of ['acme', 'umbrella'])
      await api.post(`${platform}/organizations`, organization(name)).expect(201);
    const path = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await send('POST', path, JSON.stringify(crd)).expect(201);
    await send('POST', widgets, JSON.stringify(widget('small'))).expect(201);
  });

  it('impersonation is refused to everybody, also to those who could do the same in their own name', async () => {
    const reviews = '/kubernetes/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const message = (who: string) =>
      `users "dev@example.dev" is forbidden: User "${who}" cannot impersonate resource "users" in API group "" at the cluster scope`;
    for (const [as, who] of [
      ['operator', 'Op@Example.dev'],
      ['user', 'dev@example.dev'],
    ] as const) {
      const named = { 'Impersonate-User': 'dev@example.dev', 'Impersonate-Group': 'system:masters' };
      for (const sent of [
        send('DELETE', `${widgets}/small`, undefined, as),
        send('POST', reviews, review, as),
        send('GET', '/kubernetes/api/v1/namespaces/acme/events', undefined, as),
        send('GET', '/kubernetes/apis', undefined, as),
      ])
        expect((await sent.set(named).expect(403)).body).toMatchObject({ message: message(who), code: 403 });
      for (const header of ['Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-Scopes'])
        await send('GET', widgets, undefined, as).set(header, 'x').expect(403);
    }
    await send('GET', `${widgets}/small`).expect(200);
    await send('GET', `${widgets}/small`, undefined, 'user')
      .set('X-Remote-User', 'op@example.dev')
      .expect(403);
  });

  it.each([
    ...[
      '..%2Facme',
      'acme%2F..%2Fumbrella',
      'acme:small',
      'acme:',
      ':acme',
      'acme:acme:acme',
      'acme%00',
      '-',
      '.',
    ],
    ...[
      'uid:00000000-0000-4000-8000-000000000000',
      '%2E%2E',
      'ACME',
      'acme%20',
      "acme'--",
      `${'a:'.repeat(500)}a`,
    ],
  ])('a namespace is a name and no path: %s', async (namespace) => {
    const path = `/kubernetes/apis/example.dev/v1/namespaces/${namespace}/widgets`;
    const { status, body } = await send('GET', path);
    expect([200, 404]).toContain(status);
    if (status === 200) expect(body.items).toEqual([]);
    const object = `/kubernetes/apis/example.dev/v1/namespaces/${namespace}/widgets/small`;
    await refusal(send('GET', object));
    await refusal(send('DELETE', object));
    await refusal(send('POST', path, JSON.stringify(widget('evil'))));
  });

  it.each([
    '-',
    '.',
    '..',
    'uid:00000000-0000-4000-8000-000000000000',
    'small%2Fstatus',
    'small%00',
    'a%0Ab',
  ])('a name is a name and no path: %s', async (name) => {
    await refusal(send('GET', `${widgets}/${name}`));
    await refusal(send('PUT', `${widgets}/${name}`, JSON.stringify(widget('small'))));
  });

  it('probing outside of the own scope tells nothing: existing and missing look the same', async () => {
    const { body } = await api.get(`${platform}/organizations/umbrella`);
    const { uid } = body.metadata;
    const rules = [{ apiGroups: ['example.dev'], resources: ['widgets'], verbs: ['*'] }];
    const base = { apiVersion: platform };
    await api
      .post(`${platform}/roles`, { ...base, kind: 'Role', metadata: { name: 'all' }, spec: { rules } })
      .expect(201);
    const scope = { ...base, kind: 'Organization', name: 'umbrella', uid };
    const subjects = [{ kind: 'User', name: 'dev@example.dev' }];
    const spec = { roleRef: { name: 'all' }, subjects, scope };
    await api
      .post(`${platform}/rolebindings`, { ...base, kind: 'RoleBinding', metadata: { name: 'b' }, spec })
      .expect(201);
    const answers = new Set<string>();
    for (const [namespace, name] of [
      ...[
        ['acme', 'small'],
        ['acme', 'other'],
        ['gone', 'small'],
      ],
    ] as const) {
      const path = `/kubernetes/apis/example.dev/v1/namespaces/${namespace}/widgets`;
      for (const [method, at, sent] of [
        ['GET', `${path}/${name}`, undefined],
        ['DELETE', `${path}/${name}`, undefined],
        ['PATCH', `${path}/${name}`, '{"spec":{"size":"large"}}'],
        ['POST', path, JSON.stringify(widget(name ?? ''))],
        ['GET', `${path}?watch=true`, undefined],
        ['DELETE', path, undefined],
      ] as const) {
        const type = method === 'PATCH' ? 'application/merge-patch+json' : undefined;
        const { code, reason, message, text } = await refusal(send(method, at, sent, 'user', type));
        expect([code, reason]).toEqual([403, 'Forbidden']);
        expect(text).not.toContain(uid);
        answers.add(`${method} ${message.replaceAll(namespace ?? '', 'NS').replaceAll(name ?? '', 'NAME')}`);
      }
    }
    expect(answers.size).toBe(6);
    const { body: all } = await send('GET', '/kubernetes/apis/example.dev/v1/widgets', undefined, 'user');
    expect(all.items).toEqual([]);
  });

  it.each([
    [
      'nested objects',
      `{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"x"},"spec":${'{"a":'.repeat(deepest)}1${'}'.repeat(deepest)}}`,
    ],
    ['nested lists', `${'['.repeat(deepest)}${']'.repeat(deepest)}`],
    ['a body that ends early', '{"apiVersion":"example.dev/v1"'],
    ['a body that is no object', '"text"'],
    [
      'prototypes',
      '{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"x"},"__proto__":{"a":1},"spec":{"constructor":1}}',
    ],
    [
      'a huge number',
      '{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"x","generation":1e999999},"spec":[]}',
    ],
    [
      'labels that are none',
      '{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"x","labels":[1],"annotations":3},"spec":{}}',
    ],
    ['a huge body', `{"a":"${'x'.repeat(20 * 1024 * 1024)}"}`],
  ])(
    '%s are refused',
    async (_name, body) => {
      await refusal(send('POST', `${widgets}?fieldValidation=Strict`, body));
      await refusal(send('PATCH', `${widgets}/small`, body, 'operator', 'application/apply-patch+yaml'));
    },
    30_000,
  );

  it('a small JSON patch that nests too deep is refused', async () => {
    const pairs = Array.from({ length: 120 }, (_, index) => {
      const [from, to] = index % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      const value = `${'{"x":'.repeat(55)}1${'}'.repeat(55)}`;
      const move = `{"op":"move","from":"/spec/${from}","path":"/spec/${to}${'/x'.repeat(55)}"}`;
      return `{"op":"add","path":"/spec/${to}","value":${value}},${move}`;
    });
    const patch = `[{"op":"add","path":"/spec/a","value":1},${pairs}]`;
    await refusal(send('PATCH', `${widgets}/small`, patch, 'operator', 'application/json-patch+json'));
  });

  it.each([
    ['that ends early', twice],
    ['that goes on after its end', `${twice}}}]`],
    ['with nested lists', `${twice},"b":${'['.repeat(deepest)}${']'.repeat(deepest)}}}`],
    ['with a lone surrogate', `${twice},"b":"\\ud800"}}`],
    ['with NUL', `${twice},"b":"\\u0000"}}`],
  ])('a body %s is refused, also when fields that are there twice are ignored', async (_name, body) => {
    await refusal(send('POST', `${widgets}?fieldValidation=Ignore`, body));
    const apply = 'application/apply-patch+yaml';
    await refusal(send('PATCH', `${widgets}/x?fieldValidation=Ignore`, body, 'operator', apply));
  });

  it('aliases of YAML do not multiply', async () => {
    const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]'];
    for (let n = 1; n < 12; n += 1) lines.push(`a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`);
    await refusal(send('POST', widgets, lines.join('\n'), 'operator', 'application/yaml'));
  });

  it.each<[string, Buffer]>([
    ['a length beyond the body', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])],
    ['a number without an end', Buffer.alloc(64, 0xff)],
    ['groups in groups', Buffer.alloc(1_000_000, 0x0b)],
    ['an end of no group', Buffer.from([0x0c])],
    [
      'a secret whose metadata is noise',
      Buffer.concat([
        Buffer.from([0x0a, 0x0c, 0x0a, 0x02]),
        Buffer.from('v1'),
        Buffer.from([0x12, 0x06]),
        Buffer.from('Secret'),
        Buffer.from([0x12, 0x04, 0x0a, 0x02, 0xff, 0xff]),
      ]),
    ],
    ['no bytes', Buffer.alloc(0)],
  ])('protobuf with %s is refused', async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('k8s\0'), bytes]);
    await refusal(send('POST', '/kubernetes/api/v1/namespaces/acme/secrets', body, 'operator', protobuf));
    await refusal(
      send('DELETE', '/kubernetes/api/v1/namespaces/acme/secrets/none', body, 'operator', protobuf),
    );
  });

  it('a rule that runs without end is stopped, and one that is too long is refused', async () => {
    const definition = (name: string, rule: string) => {
      const copy = structuredClone(crd) as Json;
      copy.metadata.name = `${name}.example.dev`;
      copy.spec.names = { kind: `K${name}`, plural: name, singular: name, listKind: `K${name}List` };
      const { properties } = copy.spec.versions[0].schema.openAPIV3Schema;
      properties.spec = {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'integer' } } },
        'x-kubernetes-validations': [{ rule }],
      };
      return JSON.stringify(copy);
    };
    const path = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const all = 'self.list.all(a, self.list.all(b, self.list.all(c, self.list.all(d, a + b + c + d >= 0))))';
    await send('POST', path, definition('slows', all)).expect(201);
    const list = Array.from({ length: 300 }, (_, n) => n);
    const slow = { apiVersion: 'example.dev/v1', kind: 'Kslows', metadata: { name: 'x' }, spec: { list } };
    const { code, message } = await refusal(
      send('POST', '/kubernetes/apis/example.dev/v1/namespaces/acme/slows', JSON.stringify(slow)),
    );
    expect(code).toBe(422);
    expect(message).toContain('takes longer');
    for (const rule of [
      `${'('.repeat(500)}true${')'.repeat(500)}`,
      `${'true && '.repeat(5_000)}true`,
      'x'.repeat(20_000),
    ]) {
      expect((await refusal(send('POST', path, definition('bads', rule)))).message).toContain(
        'x-kubernetes-validations',
      );
    }
  }, 30_000);

  it.each([
    '?limit=1e9',
    '?limit=99999999999999999999',
    '?continue=%00',
    '?continue=bnVsbA',
    '?resourceVersion=-5',
    '?labelSelector=%28%28',
    '?fieldSelector=spec.x%3D1',
    '?fieldSelector=%00%3D',
    '?watch=true&timeoutSeconds=-1',
    '?watch=true&resourceVersion=19999999999999999999999',
    `?resourceVersion=${'1'.repeat(5_000)}`,
  ])('a query that is none is refused: %s', async (query) => {
    await refusal(send('GET', widgets + query));
  });
});

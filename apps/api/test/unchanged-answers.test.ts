import { readFileSync, writeFileSync } from 'node:fs';
import { type Json, onEveryStore, type TestApi } from './api.ts';
import { given, group, organizations, register, resource, v1 } from './kinds.ts';

const platform = 'platform.dev/v1alpha1';
/** The answers with the requests that get them. `UPDATE_ANSWERS=1` writes it: look at every difference. */
const file = new URL('unchanged-answers.json', import.meta.url);

const callers = ['operator', 'controller', 'other-controller', 'user', 'serviceaccount', 'unverified', null];

/** Requests as method, path below the resource API, and body. The test deletes everything that they create. */
const requests: readonly (readonly [string, string, unknown?, Readonly<Record<string, string>>?])[] = [
  ['GET', `${v1}/farms`],
  ['GET', `${v1}/farms?limit=1`],
  ['GET', `${v1}/farms?limit=0`],
  ['GET', `${v1}/farms?nonsense=1`],
  ['GET', `${v1}/farms?labelSelector=team%3Da`],
  ['GET', `${v1}/farms/hill`],
  ['HEAD', `${v1}/farms/hill`],
  ['GET', `${v1}/farms/nowhere`],
  ['GET', `${v1}/farms/hill/status`],
  ['GET', `${v1}/farms/hill/deletion-blockers`],
  ['GET', `${v1}/fields/hill`],
  ['GET', `${v1}/fields/nowhere`],
  ['GET', `${v1}/fields/-`],
  ['GET', `${v1}/barns/red`],
  ['GET', 'unknown.example/v1/things'],
  ['GET', 'unknown.example/v1/things/one/two'],
  ['GET', organizations],
  ['GET', 'pending-deletion'],
  ['GET', ''],
  ['GET', `${v1}/farms/uid:0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b`],
  ['GET', `${v1}/farms/uid:nonsense`],
  ['POST', `${v1}/farms`, resource('Farm', 'new')],
  ['POST', `${v1}/farms`, resource('Farm', 'new')],
  ['POST', `${v1}/farms`, resource('Farm', 'Wrong Name')],
  ['POST', `${v1}/farms`, '{'],
  ['PUT', `${v1}/farms/new`, resource('Farm', 'new', { metadata: { revision: 1 }, spec: { size: 2 } })],
  ['PUT', `${v1}/farms/new`, resource('Farm', 'new', { metadata: { revision: 7 } })],
  ['PATCH', `${v1}/farms/new`, { spec: { size: 3 } }, { 'Content-Type': 'application/merge-patch+json' }],
  ['PUT', `${v1}/farms/new/status`, { status: { ready: true } }],
  ['PUT', `${v1}/farms/new/finalizers`, { add: ['ctrl.example.dev/clean'] }],
  ['PUT', `${v1}/farms/new/finalizers`, { remove: ['ctrl.example.dev/clean'] }],
  ['DELETE', `${v1}/farms/new/status`],
  ['DELETE', `${v1}/farms/hill`, undefined, { 'If-Match': '"none"' }],
  ['DELETE', `${v1}/farms/new`],
  ['DELETE', `${v1}/farms/new`],
  ['PATCH', `${v1}/farms`],
  ['OPTIONS', `${v1}/farms/hill`],
];

/** Values that differ from run to run, independently of roles. */
function withoutChance(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replace(/x-cursor: \S+/, 'x-cursor: <cursor>')
    .replace(/"(discriminator|cursor|continue)": ?"[^"]+"/g, '"$1":"<$1>"')
    .replace(/"instance":"[^"]*"/, '"instance":"<path>"');
}

/** Every answer with the requests that get it, in the order in which they are sent. */
async function recorded(api: TestApi): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, string[]> = {};
  for (const as of callers) {
    for (const [method, path, body, headers] of requests) {
      // Requests without credentials are limited by the minute.
      if (as === null) api.time += 60_000;
      const sent = api
        .send(method, `/api/v1/resources/${path}`, as)
        .set({ 'X-Request-Id': 'same', 'Content-Type': 'application/json', ...headers })
        .buffer(true);
      const text = typeof body === 'object' ? JSON.stringify(body) : body;
      const answer = await sent.send(text as string | undefined);
      const { date: _date, 'content-length': _length, ...shown } = answer.headers as Record<string, string>;
      const lines = Object.entries(shown).map(([name, value]) => `${name}: ${value}`);
      const told = withoutChance([answer.status, ...lines.sort(), answer.text ?? ''].join('\n'));
      found[told] = [...(found[told] ?? []), [as ?? 'nobody', method, path].join(' ')];
    }
  }
  return found;
}

/** Roles and bindings that concern none of the callers. */
async function bindOthers(api: TestApi, hill: Json): Promise<void> {
  const create = (plural: string, kind: string, name: string, spec: object) =>
    api.post(`${platform}/${plural}`, { apiVersion: platform, kind, metadata: { name }, spec }).expect(201);
  const rules = [{ apiGroups: [group, 'platform.dev'], resources: ['*'], verbs: ['*'] }];
  await create('roles', 'Role', 'farmer', { rules });
  const { apiVersion, kind, metadata } = hill;
  const scope = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  const subjects = [
    { kind: 'User', name: 'else@example.dev' },
    { kind: 'Group', name: 'others' },
    { kind: 'ServiceAccount', name: 'p+other@sa.platform.local' },
    { kind: 'Controller', name: 'third.example.dev' },
  ];
  await create('rolebindings', 'RoleBinding', 'everywhere', { roleRef: { name: 'farmer' }, subjects });
  await create('rolebindings', 'RoleBinding', 'scoped', { roleRef: { name: 'farmer' }, subjects, scope });
}

onEveryStore((api) => {
  let hill: Json;
  beforeAll(async () => {
    await register(api, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev'] });
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    await register(api, 'Barn');
    hill = await given(api, 'Farm', ['hill'], { metadata: { labels: { team: 'a' } } });
    await given(api, 'Field', ['hill', 'north']);
    await given(api, 'Barn', ['red']);
  });

  it('answers to callers without bindings are the same with and without roles and bindings of others, and as they were recorded', async () => {
    const without = await recorded(api);
    if (process.env['UPDATE_ANSWERS'] === '1') writeFileSync(file, `${JSON.stringify(without, null, 2)}\n`);
    expect(without).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    await bindOthers(api, hill);
    expect(await recorded(api)).toEqual(without);
  }, 60_000);
});

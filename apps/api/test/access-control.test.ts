import { type Json, onEveryStore } from './api.ts';
import { group, register, resource, v1 } from './kinds.ts';

const roles = 'platform.dev/v1alpha1/roles';
const rolebindings = 'platform.dev/v1alpha1/rolebindings';

/** The rules of a role, by default on farms and fields. */
const rule = (verbs: readonly string[], changes: Json = {}): Json => ({
  apiGroups: [group],
  resources: ['farms', 'fields'],
  verbs,
  ...changes,
});

const roleBody = (name: string, rules: readonly Json[]): Json => ({
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'Role',
  metadata: { name },
  spec: { rules },
});

const user = { kind: 'User', name: 'DEV@example.dev' };
/** The uid of no resource. */
const missing = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

function bindingBody(
  name: string,
  role: string,
  scope: Json | null,
  subjects: readonly Json[] = [user],
): Json {
  const { apiVersion, kind, metadata } = scope ?? {};
  const reference = { apiVersion, kind, name: metadata?.name, uid: metadata?.uid };
  return {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'RoleBinding',
    metadata: { name },
    spec: { roleRef: { name: role }, subjects, ...(scope === null ? {} : { scope: reference }) },
  };
}

onEveryStore((api) => {
  let hill: Json;
  let dale: Json;
  let north: Json;

  beforeAll(async () => {
    await register(api, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev', 'other.example.dev'] });
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    await register(api, 'Barn');
    const create = async (path: string, body: Json) => (await api.post(path, body).expect(201)).body as Json;
    hill = await create(`${v1}/farms`, resource('Farm', 'hill'));
    dale = await create(`${v1}/farms`, resource('Farm', 'dale'));
    north = await create(`${v1}/fields/hill`, resource('Field', 'north'));
    await create(`${v1}/fields/dale`, resource('Field', 'south'));
    await create(`${v1}/barns`, resource('Barn', 'red'));
    const rules: Readonly<Record<string, readonly Json[]>> = {
      reader: [rule(['get', 'list'])],
      writer: [
        rule(['get', 'list', 'create', 'update', 'patch', 'delete']),
        rule(['get'], { resources: ['*/history'] }),
      ],
      admin: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
      named: [rule(['get'], { resourceNames: ['north'] })],
      reporter: [rule(['get', 'update', 'patch'], { resources: ['farms', '*/status', '*/finalizers'] })],
    };
    for (const [name, list] of Object.entries(rules)) await api.post(roles, roleBody(name, list)).expect(201);
  });

  afterEach(async () => {
    const { body } = await api.get(rolebindings);
    for (const { metadata } of body.items) await api.delete(`${rolebindings}/${metadata.name}`).expect(200);
  });

  const bind = async (role: string, scope: Json | null = null, subjects: readonly Json[] = [user]) =>
    (
      await api
        .post(rolebindings, bindingBody(`b-${role}-${scope?.metadata.name ?? 'all'}`, role, scope, subjects))
        .expect(201)
    ).body as Json;

  const namesIn = (body: Json) => body.items.map(({ metadata }: Json) => metadata.name);

  /** Everything of an answer that a caller can compare. */
  async function answerTo(method: string, path: string, as = 'user', body?: unknown): Promise<string> {
    const answer = await api
      .send(method, `/api/v1/resources/${path}`, as)
      .set('X-Request-Id', 'same')
      .set('Content-Type', 'application/json')
      .send(body === undefined ? undefined : JSON.stringify(body));
    // The length differs with the path, which the body repeats as `instance`.
    const { date: _date, 'content-length': _length, ...headers } = answer.headers;
    return JSON.stringify([answer.status, headers, { ...answer.body, instance: '' }]);
  }

  describe('a user without a binding', () => {
    it('gets the 403 that it got before there were bindings', async () => {
      const { body } = await api.get(`${v1}/farms/hill`, 'user').expect(403);
      expect(body).toMatchObject({ code: 'forbidden', detail: 'The caller has no access to this API.' });
    });
  });

  describe('a binding', () => {
    it.each([
      ['a user, by address without case', user, 'user', 200],
      ['a group of the session', { kind: 'Group', name: 'devs' }, 'user', 200],
      ['another group', { kind: 'Group', name: 'ops' }, 'user', 403],
      ['a user whose address nobody verified', user, 'unverified', 403],
      ['a group whose membership nobody verified', { kind: 'Group', name: 'devs' }, 'unverified', 403],
      ['a controller', { kind: 'Controller', name: 'other.example.dev' }, 'other-controller', 200],
    ])('covers %s', async (_who, subject, as, expected) => {
      await bind('reader', null, [subject]);
      await api.get(`${v1}/farms/hill`, as).expect(expected);
    });

    it('ends with its removal', async () => {
      await bind('reader');
      await api.get(`${v1}/farms/hill`, 'user').expect(200);
      await api.delete(`${rolebindings}/b-reader-all`).expect(200);
      await api.get(`${v1}/farms/hill`, 'user').expect(403);
    });

    it('follows its role', async () => {
      await bind('reader');
      const { body } = await api.get(`${roles}/reader`);
      const { status: _status, ...stored } = body;
      await api.put(`${roles}/reader`, { ...stored, spec: { rules: [rule(['list'])] } }).expect(200);
      await api.get(`${v1}/farms/hill`, 'user').expect(403);
      await api.get(`${v1}/farms`, 'user').expect(200);
      const again = (await api.get(`${roles}/reader`)).body;
      await api
        .put(`${roles}/reader`, {
          ...stored,
          metadata: again.metadata,
          spec: { rules: [rule(['get', 'list'])] },
        })
        .expect(200);
    });

    it('without a scope gives the normal answers, 404 included', async () => {
      await bind('writer');
      await api.get(`${v1}/farms/nowhere`, 'user').expect(404);
      await api.get(`${v1}/fields/nowhere`, 'user').expect(404);
      const { body } = await api.post(`${v1}/farms`, resource('Farm', 'new'), 'user').expect(201);
      await api
        .put(
          `${v1}/farms/new`,
          resource('Farm', 'new', { metadata: { revision: 1 }, spec: { size: 2 } }),
          'user',
        )
        .expect(200);
      await api.get(`${v1}/farms/uid:${body.metadata.uid}`, 'user').expect(200);
      await api.delete(`${v1}/farms/new`, 'user').expect(200);
    });

    it('covers the verbs and kinds of its role and no others', async () => {
      await bind('reader');
      await api.delete(`${v1}/farms/hill`, 'user').expect(403);
      await api.get(`${v1}/barns/red`, 'user').expect(403);
      await api.get(`${v1}/farms/hill/deletion-blockers`, 'user').expect(403);
      await api.send('GET', '/api/v1/resources/pending-deletion', 'user').expect(403);
    });
  });

  describe('a binding with a scope', () => {
    it('covers the resource and what is below it', async () => {
      await bind('writer', hill);
      await api.get(`${v1}/farms/hill`, 'user').expect(200);
      await api.get(`${v1}/fields/hill/north`, 'user').expect(200);
      await api.get(`${v1}/fields/uid:${north.metadata.uid}`, 'user').expect(200);
      expect(namesIn((await api.get(`${v1}/fields/hill`, 'user').expect(200)).body)).toEqual(['north']);
      await api.get(`${v1}/fields/hill/nowhere`, 'user').expect(404);
      await api.post(`${v1}/fields/hill`, resource('Field', 'east'), 'user').expect(201);
      await api.post(`${v1}/fields/hill`, resource('Field', 'east'), 'user').expect(409);
      await api.post(`${v1}/fields/hill`, { kind: 'Field' }, 'user').expect(400);
      await api.delete(`${v1}/fields/hill/east`, 'user').expect(200);
    });

    it('shows of a root collection only what it covers', async () => {
      await bind('reader', hill);
      expect(namesIn((await api.get(`${v1}/farms`, 'user').expect(200)).body)).toEqual(['hill']);
      await bind('reader', dale);
      expect(namesIn((await api.get(`${v1}/farms`, 'user').expect(200)).body)).toEqual(['dale', 'hill']);
      const page = (await api.get(`${v1}/farms?limit=1`, 'user').expect(200)).body;
      expect(namesIn(page)).toEqual(['dale']);
      const rest = await api
        .get(`${v1}/farms?limit=1&continue=${page.metadata.continue}`, 'user')
        .expect(200);
      expect(namesIn(rest.body)).toEqual(['hill']);
      expect(rest.body.metadata.continue).toBeUndefined();
    });

    it('does not let a root resource be created', async () => {
      await bind('writer', hill);
      await api.post(`${v1}/farms`, resource('Farm', 'another'), 'user').expect(403);
    });

    it('grants nothing when its scope is gone', async () => {
      const { body: gone } = await api.post(`${v1}/farms`, resource('Farm', 'gone')).expect(201);
      await bind('writer', gone);
      await api.get(`${v1}/farms/gone`, 'user').expect(200);
      await api.delete(`${v1}/farms/gone`).expect(200);
      await api.post(`${v1}/farms`, resource('Farm', 'gone')).expect(201);
      await api.get(`${v1}/farms/gone`, 'user').expect(403);
      await api.get(`${v1}/farms`, 'user').expect(403);
      await api.post(`${v1}/fields/gone`, resource('Field', 'f'), 'user').expect(403);
      await api.delete(`${v1}/farms/gone`).expect(200);
    });
  });

  describe('a scope', () => {
    const listed = async (path: string) => namesIn((await api.get(path, 'user').expect(200)).body);

    beforeEach(async () => {
      await bind('writer', hill);
    });

    it('leaves the rest out of lists of root collections, with every parameter', async () => {
      for (const query of ['', '?view=metadata', '?labelSelector=!x', '?fieldSelector=metadata.name%21%3Dx'])
        expect([query, await listed(`${v1}/farms${query}`)]).toEqual([query, ['hill']]);
      expect(await listed(`${v1}/farms?fieldSelector=metadata.name%3Ddale`)).toEqual([]);
    });

    it('leaves the rest out of lists across parents, on every page', async () => {
      await api.post(`${v1}/fields/hill`, resource('Field', 'east')).expect(201);
      expect(await listed(`${v1}/fields/-`)).toEqual(['east', 'north']);
      expect(await listed(`${v1}/fields/-?labelSelector=!x`)).toEqual(['east', 'north']);
      const { body } = await api.get(`${v1}/fields/-?limit=1`, 'user').expect(200);
      const next = `${v1}/fields/-?limit=1&continue=${encodeURIComponent(body.metadata.continue)}`;
      expect([namesIn(body), await listed(next)]).toEqual([['east'], ['north']]);
      await api.delete(`${v1}/fields/hill/east`).expect(200);
    });

    it('has no removed resources of a root collection, and those of its own places', async () => {
      await api.post(`${v1}/farms`, resource('Farm', 'gone')).expect(201);
      await api.delete(`${v1}/farms/gone`).expect(200);
      expect(await listed(`${v1}/farms?removed=true`)).toEqual([]);
    });

    it('does not hide which kinds there are', async () => {
      const { body } = await api.send('GET', '/api/v1/resources', 'user').expect(200);
      expect(body.items.map(({ plural }: Json) => plural)).toEqual(
        expect.arrayContaining(['farms', 'barns']),
      );
    });
  });

  describe('outside of what is granted', () => {
    // Attack: the owner of one farm asks for names and uids of others, and compares the answers.
    it('existing and missing resources look the same', async () => {
      await bind('writer', hill);
      const southUid = (await api.get(`${v1}/fields/dale/south`)).body.metadata.uid;
      const body = resource('Field', 'x', { metadata: { revision: 1 } });
      const pairs: readonly (readonly [string, string, string, unknown?])[] = [
        ['GET', `${v1}/farms/dale`, `${v1}/farms/nowhere`],
        ['GET', `${v1}/fields/dale/south`, `${v1}/fields/dale/nowhere`],
        ['GET', `${v1}/fields/dale/south`, `${v1}/fields/nowhere/south`],
        ['GET', `${v1}/fields/dale`, `${v1}/fields/nowhere`],
        ['GET', `${v1}/fields/uid:${southUid}`, `${v1}/fields/uid:${missing}`],
        ['DELETE', `${v1}/fields/dale/south`, `${v1}/fields/nowhere/south`],
        ['DELETE', `${v1}/fields/uid:${southUid}`, `${v1}/fields/uid:${missing}`],
        ['PUT', `${v1}/fields/dale/south`, `${v1}/fields/nowhere/south`, body],
        ['PUT', `${v1}/fields/dale/south`, `${v1}/fields/nowhere/south`, '{'],
        ['POST', `${v1}/fields/dale`, `${v1}/fields/nowhere`, resource('Field', 'south')],
        ['POST', `${v1}/fields/dale`, `${v1}/fields/nowhere`, { wrong: true }],
        ['POST', `${v1}/fields/dale/south`, `${v1}/fields/nowhere/south`],
        ['OPTIONS', `${v1}/fields/dale/south`, `${v1}/fields/nowhere/south`],
        ['GET', `${v1}/farms/dale/status`, `${v1}/farms/nowhere/status`],
        ['PUT', `${v1}/farms/dale/status`, `${v1}/farms/nowhere/status`, { status: 1 }],
        ['GET', `${v1}/fields/dale/south?nonsense=1`, `${v1}/fields/nowhere/south?nonsense=1`],
        ['GET', `${v1}/fields/dale?removed=true`, `${v1}/fields/nowhere?removed=true`],
        ['GET', `${v1}/fields/uid:${southUid}/history`, `${v1}/fields/uid:${missing}/history`],
        ['GET', `${v1}/fields/dale/south/history/1`, `${v1}/fields/nowhere/south/history/1`],
        ['GET', `${v1}/fields/dale?limit=0`, `${v1}/fields/nowhere?limit=0`],
      ];
      const refused = await answerTo('GET', `${v1}/barns/red`);
      for (const [method, existing, absent, sent] of pairs) {
        const answers = [
          await answerTo(method, existing, 'user', sent),
          await answerTo(method, absent, 'user', sent),
        ];
        expect([method, existing, ...answers]).toEqual([method, existing, answers[0], answers[0]]);
        expect(JSON.parse(answers[0] as string)[0]).toBe(403);
        expect(answers[0]).toBe(refused);
      }
    });

    it('kinds that exist look like kinds that do not', async () => {
      await bind('writer', hill);
      const paths = ['barns', 'barns/red', 'unheardof', 'unheardof/red', 'barns/red/x/y'];
      const answers = new Set(await Promise.all(paths.map((path) => answerTo('GET', `${v1}/${path}`))));
      expect(answers.size).toBe(1);
    });

    it('an invisible owner is answered like a missing one', async () => {
      await bind('writer', hill);
      const refusal = async (uid: string) => {
        const owner = { apiVersion: v1, kind: 'Farm', name: 'dale', uid };
        const body = resource('Field', 'owned', { metadata: { ownerReferences: [owner] } });
        const answer = await api
          .post(`${v1}/fields/hill`, body, 'user')
          .set('X-Request-Id', 'same')
          .expect(400);
        return answer.body;
      };
      expect(await refusal(dale.metadata.uid)).toEqual(await refusal(missing));
      const visible = { apiVersion: v1, kind: 'Farm', name: 'hill', uid: hill.metadata.uid };
      const body = resource('Field', 'owned', { metadata: { ownerReferences: [visible] } });
      await api.post(`${v1}/fields/hill`, body, 'user').expect(201);
      await api.delete(`${v1}/fields/hill/owned`).expect(200);
    });

    it('blockers leave out what the caller may not see', async () => {
      await api.post(
        roles,
        roleBody('blockers', [rule(['get'], { resources: ['farms', 'farms/deletion-blockers'] })]),
      );
      await bind('blockers', hill);
      const path = `${v1}/farms/hill/deletion-blockers`;
      expect((await api.get(path)).body.blockers).toHaveLength(1);
      expect((await api.get(path, 'user').expect(200)).body.blockers).toEqual([]);
      await bind('reader', hill);
      expect((await api.get(path, 'user')).body.blockers).toHaveLength(1);
    });
  });

  describe('a rule with names', () => {
    it('covers items with these names, also by uid, and no list', async () => {
      await bind('named');
      const { uid } = (await api.get(`${v1}/fields/dale/south`)).body.metadata;
      await api.get(`${v1}/fields/hill/north`, 'user').expect(200);
      await api.get(`${v1}/fields/uid:${north.metadata.uid}`, 'user').expect(200);
      await api.get(`${v1}/fields/dale/south`, 'user').expect(403);
      await api.get(`${v1}/fields/uid:${uid}`, 'user').expect(403);
      await api.get(`${v1}/fields/hill`, 'user').expect(403);
      await api.get(`${v1}/fields/dale/north`, 'user').expect(404);
    });
  });

  describe('status and finalizers of users', () => {
    it('are their own', async () => {
      await bind('reporter');
      const status = `${v1}/farms/hill/status`;
      const { body } = await api.put(status, { status: { ok: true } }, 'user').expect(200);
      expect(body.status.controllers).toEqual({ 'user:dev@example.dev': { ok: true } });
      await api.put(`${status}?slot=ctrl.example.dev`, { status: 1 }, 'user').expect(403);
      await api.put(`${status}?slot=user:dev@example.dev`, { status: null }, 'user').expect(200);
      const finalizers = `${v1}/farms/hill/finalizers`;
      const own = 'user:dev@example.dev/hold';
      await api.put(finalizers, { add: [own, 'example.com/backup'] }, 'user').expect(200);
      await api.put(finalizers, { remove: [own, 'example.com/backup'] }, 'user').expect(200);
      for (const foreign of ['ctrl.example.dev/x', 'user:else@example.dev/x', 'operator:op@example.dev/x']) {
        const refused = await api.put(finalizers, { add: [foreign] }, 'user').expect(403);
        expect(refused.body.code).toBe('finalizer_not_owned');
      }
    });

    it('of others cannot be changed by replacing the item', async () => {
      await bind('writer');
      await api.put(`${v1}/farms/hill/finalizers`, { add: ['ctrl.example.dev/clean'] }).expect(200);
      const { status: _status, ...stored } = (await api.get(`${v1}/farms/hill`)).body;
      const without = { ...stored, metadata: { ...stored.metadata, finalizers: [] } };
      await api.put(`${v1}/farms/hill`, without, 'user').expect(403);
      await api.put(`${v1}/farms/hill`, stored, 'user').expect(200);
      const body = resource('Farm', 'held', { metadata: { finalizers: ['other.example.dev/x'] } });
      await api.post(`${v1}/farms`, body, 'user').expect(403);
      await api.put(`${v1}/farms/hill/finalizers`, { remove: ['ctrl.example.dev/clean'] }).expect(200);
    });
  });

  describe('a controller', () => {
    it('keeps its order of refusals, and gains what bindings grant', async () => {
      const as = 'other-controller';
      await api.get(`${v1}/farms/hill`, as).expect(403);
      await api.get(`${v1}/unheardof/x`, as).expect(404);
      await bind('reader', hill, [{ kind: 'Controller', name: 'other.example.dev' }]);
      await api.get(`${v1}/farms/hill`, as).expect(200);
      await api.get(`${v1}/farms/dale`, as).expect(403);
      await api.get(`${v1}/farms/nowhere`, as).expect(403);
      await api.put(`${v1}/farms/dale/status`, { status: 1 }, as).expect(200);
      await api.get(`${v1}/unheardof/x`, as).expect(404);
      await api.send('OPTIONS', `/api/v1/resources/${v1}/farms/hill`, as).expect(405);
    });
  });

  describe('watching', () => {
    it('needs its verb, and a scope for a collection below a parent', async () => {
      await api.post(roles, roleBody('watcher', [rule(['get', 'list', 'watch'])])).expect(201);
      await bind('reader');
      await api.get(`${v1}/farms?watch=true`, 'user').expect(403);
      await api.get(`${v1}/farms?watch=TRUE`, 'user').expect(403);
      await api.delete(`${rolebindings}/b-reader-all`).expect(200);
      await bind('watcher', hill);
      await api.get(`${v1}/farms/dale?watch=true`, 'user').expect(403);
      await api.get(`${v1}/fields/dale?watch=true`, 'user').expect(403);
      await api.get(`${v1}/fields/nowhere?watch=true`, 'user').expect(403);
      await api.delete(`${roles}/watcher`).expect(200);
    });
  });

  describe('writing bindings', () => {
    it('is authorized in the scope of the binding', async () => {
      await bind('admin', hill);
      const inside = bindingBody('inside', 'reader', north, [{ kind: 'User', name: 'else@example.dev' }]);
      const { body } = await api.post(rolebindings, inside, 'user').expect(201);
      expect(namesIn((await api.get(rolebindings, 'user').expect(200)).body)).toEqual([
        'b-admin-hill',
        'inside',
      ]);
      await api.get(`${rolebindings}/inside`, 'user').expect(200);
      await api.post(rolebindings, inside, 'user').expect(409);
      const moved = { ...body, spec: { ...body.spec, scope: { ...body.spec.scope, ...referenceTo(hill) } } };
      delete moved.status;
      await api.put(`${rolebindings}/inside`, moved, 'user').expect(200);
      const outside = bindingBody('outside', 'reader', dale);
      await api.post(rolebindings, outside, 'user').expect(403);
      await api.post(rolebindings, bindingBody('everywhere', 'reader', null), 'user').expect(403);
      await api.post(rolebindings, outside).expect(201);
      await api.get(`${rolebindings}/outside`, 'user').expect(403);
      await api.get(`${rolebindings}/nowhere`, 'user').expect(403);
      await api.delete(`${rolebindings}/outside`, 'user').expect(403);
      await api.delete(`${rolebindings}/inside`, 'user').expect(200);
    });

    it('are listed by scope, with selectors as well', async () => {
      await bind('admin', hill);
      const made = [
        bindingBody('inside', 'reader', north),
        bindingBody('outside', 'reader', dale),
        bindingBody('everywhere', 'reader', null, []),
      ];
      for (const body of made) {
        const labels = { team: 'a' };
        await api.post(rolebindings, { ...body, metadata: { ...body.metadata, labels } }).expect(201);
      }
      const listed = async (query: string) =>
        namesIn((await api.get(`${rolebindings}?${query}`, 'user').expect(200)).body);
      expect(await listed('labelSelector=team%3Da')).toEqual(['inside']);
      expect(await listed('labelSelector=team%3Da&limit=1&view=metadata')).toEqual(['inside']);
      expect(await listed('labelSelector=!team')).toEqual(['b-admin-hill']);
      expect(await listed('fieldSelector=metadata.name%3Doutside')).toEqual([]);
      expect(await listed('fieldSelector=metadata.name%3Dinside')).toEqual(['inside']);
      expect(await listed('view=metadata')).toEqual(['b-admin-hill', 'inside']);
    });

    it('outside of the scope look like missing ones, also to those who watch them', async () => {
      await bind('admin', hill);
      const { body } = await api.post(rolebindings, bindingBody('outside', 'reader', dale)).expect(201);
      const pairs = [
        [`${rolebindings}/outside`, `${rolebindings}/nowhere`],
        [`${rolebindings}/uid:${body.metadata.uid}`, `${rolebindings}/uid:${missing}`],
      ];
      for (const [existing, absent] of pairs) {
        for (const part of ['', '?watch=true', '?watch=true&cursor=x', '/history', '/explain']) {
          const answers = [await answerTo('GET', existing + part), await answerTo('GET', absent + part)];
          expect([part, ...answers]).toEqual([part, answers[0], answers[0]]);
          expect(JSON.parse(answers[0] as string)[0]).toBe(403);
        }
      }
    });

    it('cannot grant more than its writer has', async () => {
      await api.post(
        roles,
        roleBody('granter', [
          rule(['get']),
          { ...rule(['*']), apiGroups: ['platform.dev'], resources: ['rolebindings', 'roles'] },
        ]),
      );
      await bind('granter', hill);
      await api.post(rolebindings, bindingBody('x', 'reader', hill), 'user').expect(403);
      await api.post(rolebindings, bindingBody('x', 'no-such-role', hill), 'user').expect(403);
      await api.post(rolebindings, bindingBody('x', 'granter', hill), 'user').expect(201);
      await bind('granter');
      await api.post(roles, roleBody('more', [rule(['get', 'delete'])]), 'user').expect(403);
      await api.post(roles, roleBody('same', [rule(['get'])]), 'user').expect(201);
      await api.delete(`${roles}/same`).expect(200);
      await api.delete(`${roles}/granter`).expect(200);
    });

    it('by an operator needs a live scope', async () => {
      const scope = { ...hill, metadata: { ...hill.metadata, name: 'elsewhere' } };
      const { body } = await api.post(rolebindings, bindingBody('x', 'reader', scope)).expect(400);
      expect(body.errors).toEqual([
        { path: '/spec/scope/uid', message: 'does not identify a live Farm named elsewhere' },
      ]);
    });
  });
});

function referenceTo({ apiVersion, kind, metadata }: Json): Json {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid };
}

import { onEveryStore } from './api.ts';
import { namesIn, roleBody, rolebindings, roles, rule, useFarms, user } from './farms.ts';
import { resource, v1 } from './kinds.ts';

onEveryStore((api) => {
  const { places, bind } = useFarms(api);

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

    // Attack: somebody whose access is about to end adds a finalizer to the binding, so that it stays.
    it('ends with its deletion, also while a finalizer keeps it', async () => {
      const binding = `${rolebindings}/b-reader-all`;
      await bind('reader');
      await api.put(`${binding}/finalizers`, { add: ['example.dev/keep'] }).expect(200);
      await api.delete(binding).expect(202);
      expect((await api.get(binding).expect(200)).body.metadata.deletionTimestamp).toEqual(
        expect.any(String),
      );
      await api.get(`${v1}/farms/hill`, 'user').expect(403);
      expect((await api.send('GET', '/api/v1/auth/me', 'user')).body.bindings ?? []).toEqual([]);
      await api.put(`${binding}/finalizers`, { remove: ['example.dev/keep'] }).expect(200);
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
      await bind('writer', places.hill);
      await api.get(`${v1}/farms/hill`, 'user').expect(200);
      await api.get(`${v1}/fields/hill/north`, 'user').expect(200);
      await api.get(`${v1}/fields/uid:${places.north.metadata.uid}`, 'user').expect(200);
      expect(namesIn((await api.get(`${v1}/fields/hill`, 'user').expect(200)).body)).toEqual(['north']);
      await api.get(`${v1}/fields/hill/nowhere`, 'user').expect(404);
      await api.post(`${v1}/fields/hill`, resource('Field', 'east'), 'user').expect(201);
      await api.post(`${v1}/fields/hill`, resource('Field', 'east'), 'user').expect(409);
      await api.post(`${v1}/fields/hill`, { kind: 'Field' }, 'user').expect(400);
      await api.delete(`${v1}/fields/hill/east`, 'user').expect(200);
    });

    it('shows of a root collection only what it covers', async () => {
      await bind('reader', places.hill);
      expect(namesIn((await api.get(`${v1}/farms`, 'user').expect(200)).body)).toEqual(['hill']);
      await bind('reader', places.dale);
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
      await bind('writer', places.hill);
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

  describe('a rule with names', () => {
    it('covers items with these names, also by uid, and no list', async () => {
      await bind('named');
      const { uid } = (await api.get(`${v1}/fields/dale/south`)).body.metadata;
      await api.get(`${v1}/fields/hill/north`, 'user').expect(200);
      await api.get(`${v1}/fields/uid:${places.north.metadata.uid}`, 'user').expect(200);
      await api.get(`${v1}/fields/dale/south`, 'user').expect(403);
      await api.get(`${v1}/fields/uid:${uid}`, 'user').expect(403);
      await api.get(`${v1}/fields/hill`, 'user').expect(403);
      await api.get(`${v1}/fields/dale/north`, 'user').expect(404);
    });

    // As in Kubernetes, whose clients watch one object in this way.
    it('covers a list and a stream that select one of these names, and nothing else of the collection', async () => {
      await bind('named');
      const select = (selector: string, path = 'fields/hill') =>
        api.get(`${v1}/${path}?fieldSelector=${encodeURIComponent(selector)}`, 'user');
      expect(namesIn((await select('metadata.name=north').expect(200)).body)).toEqual(['north']);
      expect(namesIn((await select('metadata.name==north', 'fields/-').expect(200)).body)).toEqual(['north']);
      expect(namesIn((await select('metadata.name=north,metadata.name!=north').expect(200)).body)).toEqual(
        [],
      );
      const others = [
        'metadata.name=south',
        'metadata.name!=south',
        'metadata.name',
        'metadata.uid=north',
        '',
      ];
      for (const selector of others) await select(selector).expect(403);
      await select('metadata.name=north&fieldSelector=').expect(403);
      const twice = 'fieldSelector=metadata.name%3Dnorth&fieldSelector=metadata.name%3Dsouth';
      await api.get(`${v1}/fields/hill?${twice}`, 'user').expect(403);
      await api.get(`${v1}/fields/hill?removed=true&fieldSelector=metadata.name%3Dnorth`, 'user').expect(400);
      const body = resource('Field', 'north');
      await api.post(`${v1}/fields/dale?fieldSelector=metadata.name%3Dnorth`, body, 'user').expect(403);
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
      await bind('reader', places.hill, [{ kind: 'Controller', name: 'other.example.dev' }]);
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
      await bind('watcher', places.hill);
      await api.get(`${v1}/farms/dale?watch=true`, 'user').expect(403);
      await api.get(`${v1}/fields/dale?watch=true`, 'user').expect(403);
      await api.get(`${v1}/fields/nowhere?watch=true`, 'user').expect(403);
      await api.delete(`${roles}/watcher`).expect(200);
    });
  });
});

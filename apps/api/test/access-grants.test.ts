import { type Json, onEveryStore } from './api.ts';
import { bindingBody, missing, namesIn, roleBody, rolebindings, roles, rule, useFarms } from './farms.ts';

onEveryStore((api) => {
  const { places, bind, answerTo } = useFarms(api);

  describe('writing bindings', () => {
    it('is authorized in the scope of the binding', async () => {
      await bind('admin', places.hill);
      const inside = bindingBody('inside', 'reader', places.north, [
        { kind: 'User', name: 'else@example.dev' },
      ]);
      const { body } = await api.post(rolebindings, inside, 'user').expect(201);
      expect(namesIn((await api.get(rolebindings, 'user').expect(200)).body)).toEqual([
        'b-admin-hill',
        'inside',
      ]);
      await api.get(`${rolebindings}/inside`, 'user').expect(200);
      await api.post(rolebindings, inside, 'user').expect(409);
      const moved = {
        ...body,
        spec: { ...body.spec, scope: { ...body.spec.scope, ...referenceTo(places.hill) } },
      };
      delete moved.status;
      await api.put(`${rolebindings}/inside`, moved, 'user').expect(200);
      const outside = bindingBody('outside', 'reader', places.dale);
      await api.post(rolebindings, outside, 'user').expect(403);
      await api.post(rolebindings, bindingBody('everywhere', 'reader', null), 'user').expect(403);
      await api.post(rolebindings, outside).expect(201);
      await api.get(`${rolebindings}/outside`, 'user').expect(403);
      await api.get(`${rolebindings}/nowhere`, 'user').expect(403);
      await api.delete(`${rolebindings}/outside`, 'user').expect(403);
      await api.delete(`${rolebindings}/inside`, 'user').expect(200);
    });

    // Attack: a query, a precondition or a key that is refused before the body is read tells nothing about the scope.
    it('with a fault outside of the body is refused in the scope of the body', async () => {
      await bind('admin', places.hill);
      const answers = async (scope: Json) => {
        const body = bindingBody('inside', 'reader', scope, []);
        const sent = [
          api.post(`${rolebindings}?unknown=1`, body, 'user'),
          api.post(rolebindings, body, 'user').set('If-Match', '1'),
          api.post(rolebindings, body, 'user').set('Idempotency-Key', 'a b'),
        ];
        return (await Promise.all(sent)).map(({ status, body: { code } }) => [status, code]);
      };
      expect(await answers(places.north)).toEqual([
        [400, 'invalid_query'],
        [400, 'malformed_request'],
        [400, 'malformed_request'],
      ]);
      expect(await answers(places.dale)).toEqual(Array(3).fill([403, 'forbidden']));
    });

    // Attack: somebody tells from refusals which bindings of other scopes exist.
    it('by a server-side apply has its faults named where the caller may create and patch it', async () => {
      const answer = async (name: string, scope: Json, roleName: string | undefined) => {
        const spec = { roleRef: { name: roleName }, subjects: [], scope: referenceTo(scope) };
        const body = { ...bindingBody(name, 'reader', scope), spec };
        const { status } = await api
          .send('PATCH', `/api/v1/resources/${rolebindings}/${name}?fieldManager=m`, 'user')
          .set('Content-Type', 'application/apply-patch+yaml')
          .send(JSON.stringify(body));
        return status;
      };
      await api.post(rolebindings, bindingBody('taken', 'reader', places.dale, [])).expect(201);
      const onBindings = rule(['patch'], { apiGroups: ['platform.dev'], resources: ['rolebindings'] });
      await api.post(roles, roleBody('patcher', [onBindings])).expect(201);
      await bind('patcher', places.hill);
      expect(await answer('new', places.hill, undefined)).toBe(403);
      await bind('admin', places.hill);
      expect(await answer('new', places.hill, undefined)).toBe(400);
      expect(await answer('new', places.dale, undefined)).toBe(403);
      expect(await answer('taken', places.hill, undefined)).toBe(403);
      expect(await answer('taken', places.hill, 'reader')).toBe(403);
      for (const name of ['taken', 'b-admin-hill']) await api.delete(`${rolebindings}/${name}`).expect(200);
      await api.delete(`${roles}/patcher`).expect(200);
    });

    // Attack: somebody who may patch bindings of one scope, and create them in another, applies a new one there.
    it('by a server-side apply needs create and patch in the scope of a new binding', async () => {
      const apply = (name: string, scope: Json | null) =>
        api
          .send('PATCH', `/api/v1/resources/${rolebindings}/${name}?fieldManager=m`, 'user')
          .set('Content-Type', 'application/apply-patch+yaml')
          .send(
            JSON.stringify(bindingBody(name, 'reader', scope, [{ kind: 'User', name: 'else@example.dev' }])),
          );
      const onBindings = (verbs: readonly string[]) =>
        rule(verbs, { apiGroups: ['platform.dev'], resources: ['rolebindings'] });
      await bind('admin', places.hill);
      await apply('inside', places.north).expect(201);
      await apply('outside', places.dale).expect(403);
      await apply('everywhere', null).expect(403);
      await api.delete(`${rolebindings}/b-admin-hill`).expect(200);
      await api.post(roles, roleBody('creator', [rule(['get', 'list']), onBindings(['create'])])).expect(201);
      await api.post(roles, roleBody('patcher', [onBindings(['patch'])])).expect(201);
      await bind('creator', places.hill);
      await bind('patcher', places.dale);
      await apply('elsewhere', places.hill).expect(403);
      await bind('patcher', places.hill);
      await apply('elsewhere', places.hill).expect(201);
      for (const name of ['creator', 'patcher']) await api.delete(`${roles}/${name}`).expect(200);
    });

    // Attack: somebody who may patch bindings of one scope, and update them in another, moves one there by a patch.
    it('by a patch needs patch, in the old scope and in the new one', async () => {
      const onBindings = (verbs: readonly string[]) =>
        rule(verbs, { apiGroups: ['platform.dev'], resources: ['rolebindings'] });
      await api.post(roles, roleBody('patcher', [rule(['get', 'list']), onBindings(['patch'])])).expect(201);
      await api.post(roles, roleBody('updater', [rule(['get', 'list']), onBindings(['update'])])).expect(201);
      await bind('patcher', places.hill);
      await bind('updater', places.dale);
      const body = bindingBody('inside', 'reader', places.hill, []);
      await api.post(rolebindings, body).expect(201);
      const send = (type: string, patch: Json) =>
        api
          .send(
            'PATCH',
            `/api/v1/resources/${rolebindings}/inside?${type === 'apply' ? 'fieldManager=m&force=true' : ''}`,
            'user',
          )
          .set(
            'Content-Type',
            type === 'apply' ? 'application/apply-patch+yaml' : 'application/merge-patch+json',
          )
          .send(JSON.stringify(patch));
      const somebody = (name: string) => [{ kind: 'User', name }];
      await send('merge', { spec: { subjects: somebody('else@example.dev') } }).expect(200);
      await send('apply', bindingBody('inside', 'reader', places.hill, somebody('third@example.dev'))).expect(
        200,
      );
      await send('merge', { spec: { scope: referenceTo(places.dale) } }).expect(403);
      await send('apply', bindingBody('inside', 'reader', places.dale, [])).expect(403);
      for (const name of ['patcher', 'updater']) await api.delete(`${roles}/${name}`).expect(200);
    });

    it('are listed by scope, with selectors as well', async () => {
      await bind('admin', places.hill);
      const made = [
        bindingBody('inside', 'reader', places.north),
        bindingBody('outside', 'reader', places.dale),
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
      await bind('admin', places.hill);
      const { body } = await api
        .post(rolebindings, bindingBody('outside', 'reader', places.dale))
        .expect(201);
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
      await bind('granter', places.hill);
      await api.post(rolebindings, bindingBody('x', 'reader', places.hill), 'user').expect(403);
      await api.post(rolebindings, bindingBody('x', 'no-such-role', places.hill), 'user').expect(403);
      await api.post(rolebindings, bindingBody('x', 'granter', places.hill), 'user').expect(201);
      await bind('granter');
      await api.post(roles, roleBody('more', [rule(['get', 'delete'])]), 'user').expect(403);
      await api.post(roles, roleBody('same', [rule(['get'])]), 'user').expect(201);
      await api.delete(`${roles}/same`).expect(200);
      await api.delete(`${roles}/granter`).expect(200);
    });

    it('counts a role by its name and a scope by its uid', async () => {
      const field = { apiVersion: places.north.apiVersion, kind: 'Field', metadata: { name: 'west' } };
      const fields = `${places.north.apiVersion}/fields/hill`;
      const { body: west } = await api.post(fields, field).expect(201);
      const role = roleBody('looker', [rule(['get'])]);
      await api.post(roles, role).expect(201);
      await bind('looker', west);
      const path = `${fields}/west`;
      await api.get(path, 'user').expect(200);
      await api.delete(`${roles}/looker`).expect(200);
      await api.get(path, 'user').expect(403);
      await api.post(roles, role).expect(201);
      await api.get(path, 'user').expect(200);
      await api.delete(path).expect(200);
      await api.post(fields, field).expect(201);
      await api.get(path, 'user').expect(403);
      for (const made of [path, `${roles}/looker`]) await api.delete(made).expect(200);
    });

    it('by an operator needs a live scope', async () => {
      const scope = { ...places.hill, metadata: { ...places.hill.metadata, name: 'elsewhere' } };
      const { body } = await api.post(rolebindings, bindingBody('x', 'reader', scope)).expect(400);
      expect(body.errors).toEqual([
        { path: '/spec/scope/uid', message: 'does not identify a live Farm named elsewhere' },
      ]);
    });

    it('by an operator has an unknown scope named with the other faults, but not one that is stored', async () => {
      const pathsOf = ({ body }: { readonly body: Json }) => body.errors.map(({ path }: Json) => path);
      const scope = { ...places.dale, metadata: { ...places.dale.metadata, name: 'elsewhere' } };
      const faulty = bindingBody('x', 'reader', scope, [{ kind: 'Robot', name: 'r2' }]);
      expect(pathsOf(await api.post(rolebindings, faulty).expect(400))).toEqual([
        '/spec/subjects/0/kind',
        '/spec/scope/uid',
      ]);
      const { metadata, ...rest } = bindingBody('x', 'reader', scope);
      const labelled = { ...rest, metadata: { ...metadata, labels: { 'a b': '' } } };
      expect(pathsOf(await api.post(rolebindings, labelled).expect(400))).toEqual([
        '/metadata/labels/a b',
        '/spec/scope/uid',
      ]);
      const farms = `${places.dale.apiVersion}/farms`;
      const farm = { ...places.dale, metadata: { name: 'gone' }, status: undefined };
      const { body: gone } = await api.post(farms, farm).expect(201);
      const { body: stored } = await api.post(rolebindings, bindingBody('x', 'reader', gone)).expect(201);
      await api.delete(`${farms}/gone`).expect(200);
      const spec = { ...stored.spec, subjects: [{ kind: 'Robot', name: 'r2' }] };
      expect(
        pathsOf(await api.put(`${rolebindings}/x`, { ...stored, status: undefined, spec }).expect(400)),
      ).toEqual(['/spec/subjects/0/kind']);
      await api.delete(`${rolebindings}/x`).expect(200);
    });

    // Attack: somebody tells from the faults of a body which resources exist outside of their scope.
    it('with faults says nothing about a scope outside of that of the caller', async () => {
      await bind('admin', places.hill);
      const elsewhere = { ...places.dale, metadata: { ...places.dale.metadata, name: 'elsewhere' } };
      const answers = await Promise.all(
        [places.dale, elsewhere].map(async (scope) => {
          const faulty = bindingBody('x', 'reader', scope, [{ kind: 'Robot', name: 'r2' }]);
          const { status, body } = await api.post(rolebindings, faulty, 'user');
          return [status, body.code, body.errors];
        }),
      );
      expect(answers[0]).toEqual(answers[1]);
      const inside = { ...places.north, metadata: { ...places.north.metadata, name: 'elsewhere' } };
      const faulty = bindingBody('x', 'reader', inside, [{ kind: 'Robot', name: 'r2' }]);
      const { body } = await api.post(rolebindings, faulty, 'user').expect(400);
      expect(body.errors).toHaveLength(2);
    });
  });
});

function referenceTo({ apiVersion, kind, metadata }: Json): Json {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid };
}

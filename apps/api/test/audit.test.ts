import { type Json, onEveryStore } from './api.ts';
import { given, ownerOf, registerTree, resource, sentBack, v1 } from './kinds.ts';

onEveryStore((api) => {
  const operator = { type: 'operator', id: 'Op@Example.dev' };
  const controller = { type: 'controller', id: 'ctrl.example.dev' };

  beforeAll(() => registerTree(api, { allowedStatusControllerIds: ['ctrl.example.dev'] }));
  beforeEach(() => {
    api.audit.records.length = 0;
    api.audit.cascades.length = 0;
  });

  function identityOf({ apiVersion, kind, metadata }: Json, parentUid: string | null = null): Json {
    return { apiVersion, kind, name: metadata.name, uid: metadata.uid, parentUid };
  }

  describe('an audit record', () => {
    it('is written once for each write, with who, what and the revision', async () => {
      const item = `${v1}/farms/a`;
      const created = await api
        .post(`${v1}/farms`, resource('Farm', 'a'))
        .set('X-Request-Id', 'q1')
        .expect(201);
      await api.put(item, sentBack(created.body)).set('X-Request-Id', 'q2').expect(200);
      await api.put(`${item}/status`, { status: 1 }).set('X-Request-Id', 'q3').expect(200);
      await api.put(`${item}/status`, { status: 1 }, 'controller').set('X-Request-Id', 'q4').expect(200);
      await api
        .put(`${item}/finalizers`, { add: ['a/b'] })
        .set('X-Request-Id', 'q5')
        .expect(200);
      await api
        .put(`${item}/finalizers`, { add: ['ctrl.example.dev/b'] }, 'controller')
        .set('X-Request-Id', 'q6')
        .expect(200);
      await api.get(`${item}/deletion-blockers`).set('X-Request-Id', 'q7').expect(200);
      await api.delete(item).set('X-Request-Id', 'q8').expect(202);
      const about = identityOf(created.body);
      const expected = (message: string, requestId: string, actor: Json, revision: number) => ({
        message,
        requestId,
        actor,
        resource: about,
        revision,
      });
      expect(api.audit.records).toEqual([
        expected('resource.created', 'q1', operator, 1),
        expected('resource.updated', 'q2', operator, 2),
        expected('resource.operator_status_updated', 'q3', operator, 3),
        expected('resource.controller_status_updated', 'q4', controller, 4),
        expected('resource.operator_finalizers_updated', 'q5', operator, 5),
        expected('resource.controller_finalizers_updated', 'q6', controller, 6),
        expected('resource.deletion_blockers_listed', 'q7', operator, 6),
        expected('resource.deleted', 'q8', operator, 7),
      ]);
    });

    it('is written for the listing of what is pending deletion', async () => {
      await api.get('pending-deletion').expect(200);
      expect(api.audit.records).toMatchObject([
        { message: 'resource.pending_deletion_listed', actor: operator },
      ]);
    });

    it('is not written for a read, a list, a refused write and a change that changes nothing', async () => {
      await given(api, 'Farm', ['quiet']);
      api.audit.records.length = 0;
      await api.get(`${v1}/farms/quiet`).expect(200);
      await api.get(`${v1}/farms`).expect(200);
      await api.post(`${v1}/farms`, resource('Farm', 'quiet')).expect(409);
      await api.put(`${v1}/farms/quiet`, resource('Farm', 'quiet')).expect(400);
      await api.put(`${v1}/farms/quiet/finalizers`, {}).expect(200);
      expect(api.audit.records).toEqual([]);
    });

    it('names the parent', async () => {
      const farm = await given(api, 'Farm', ['parent']);
      await given(api, 'Field', ['parent', 'child']);
      expect(api.audit.records.at(-1)?.resource?.parentUid).toBe(farm.metadata.uid);
    });

    it('is written for a controller that is refused', async () => {
      await api.get(`${v1}/farms/x`, 'controller').expect(403);
      expect(api.audit.records).toMatchObject([{ message: 'resource.access_denied', actor: controller }]);
    });

    // Attack: refused requests of 30 KB each, without a credential, until the disk with the records is full.
    it('of refusals without a credential is bounded, in number and in length', async () => {
      const path = `/api/v1/resources/${v1}/${'x'.repeat(20_000)}`;
      for (let sent = 0; sent < 15; sent += 1) await api.send('GET', path, null).expect(401);
      expect(api.audit.records.length).toBeGreaterThan(0);
      expect(api.audit.records.length).toBeLessThanOrEqual(10);
      for (const { details } of api.audit.records) expect(String(details?.['path']).length).toBe(512);
    });
  });

  describe('a cascade', () => {
    it('is recorded for each dependent that was tombstoned, and never twice', async () => {
      const farm = await given(api, 'Farm', ['owner']);
      const field = await given(api, 'Field', ['owner', 'child']);
      const ownerReferences = [ownerOf(farm)];
      const other = await given(api, 'Farm', ['dependent'], { metadata: { ownerReferences } });
      await api.delete(`${v1}/farms/owner`).expect(202);
      await api.delete(`${v1}/farms/owner`).expect(202);
      expect(api.audit.cascades).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            owner: identityOf(farm),
            dependent: identityOf(field, farm.metadata.uid),
            relationship: 'structuralChild',
            blocking: true,
          }),
          expect.objectContaining({
            owner: identityOf(farm),
            dependent: identityOf(other),
            relationship: 'ownerReference',
            blocking: false,
          }),
        ]),
      );
      expect(api.audit.cascades).toHaveLength(2);
      expect(api.audit.records.filter(({ message }) => message === 'resource.deleted')).toHaveLength(1);
    });
  });
});

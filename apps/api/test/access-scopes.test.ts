import { type Json, onEveryStore } from './api.ts';
import { missing, namesIn, roleBody, roles, rule, useFarms } from './farms.ts';
import { ownerOf, resource, v1 } from './kinds.ts';

onEveryStore((api) => {
  const { places, bind, answerTo } = useFarms(api);

  describe('a scope', () => {
    const listed = async (path: string) => namesIn((await api.get(path, 'user').expect(200)).body);

    beforeEach(async () => {
      await bind('writer', places.hill);
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

    // Attack: a resource of the caller belongs to one of others, which the plan of a deletion would name as the reason.
    it('names nothing outside in the plan of a deletion', async () => {
      await bind('admin', places.hill);
      const owned = (name: string, owner: Json) =>
        resource('Field', name, { metadata: { ownerReferences: [ownerOf(owner)] } });
      const { body: secret } = await api.post(`${v1}/fields/dale`, owned('secret', places.north)).expect(201);
      await api.post(`${v1}/fields/hill`, owned('east', secret)).expect(201);
      const { body } = await api.get(`${v1}/fields/hill/north/deletion-plan`, 'user').expect(200);
      expect(body.resources.map(({ name, because }: Json) => [name, because])).toEqual([
        ['east', { relationship: 'ownerReference', blockOwnerDeletion: false }],
      ]);
      expect(body.counts).toEqual({ Field: 1 });
      for (const path of ['hill/east', 'dale/secret']) await api.delete(`${v1}/fields/${path}`).expect(200);
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
      await bind('writer', places.hill);
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
      await bind('writer', places.hill);
      const paths = ['barns', 'barns/red', 'unheardof', 'unheardof/red', 'barns/red/x/y'];
      const answers = new Set(await Promise.all(paths.map((path) => answerTo('GET', `${v1}/${path}`))));
      expect(answers.size).toBe(1);
    });

    it('an invisible owner is answered like a missing one', async () => {
      await bind('writer', places.hill);
      const refusal = async (uid: string) => {
        const owner = { apiVersion: v1, kind: 'Farm', name: 'dale', uid };
        const body = resource('Field', 'owned', { metadata: { ownerReferences: [owner] } });
        const answer = await api
          .post(`${v1}/fields/hill`, body, 'user')
          .set('X-Request-Id', 'same')
          .expect(400);
        return answer.body;
      };
      expect(await refusal(places.dale.metadata.uid)).toEqual(await refusal(missing));
      const visible = { apiVersion: v1, kind: 'Farm', name: 'hill', uid: places.hill.metadata.uid };
      const body = resource('Field', 'owned', { metadata: { ownerReferences: [visible] } });
      await api.post(`${v1}/fields/hill`, body, 'user').expect(201);
      await api.delete(`${v1}/fields/hill/owned`).expect(200);
    });

    it('blockers leave out what the caller may not see', async () => {
      await api.post(
        roles,
        roleBody('blockers', [rule(['get'], { resources: ['farms', 'farms/deletion-blockers'] })]),
      );
      await bind('blockers', places.hill);
      const path = `${v1}/farms/hill/deletion-blockers`;
      expect((await api.get(path)).body.blockers).toHaveLength(1);
      expect((await api.get(path, 'user').expect(200)).body.blockers).toEqual([]);
      await bind('reader', places.hill);
      expect((await api.get(path, 'user')).body.blockers).toHaveLength(1);
    });
  });
});

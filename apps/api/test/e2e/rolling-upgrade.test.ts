import { readFileSync } from 'node:fs';
import { fsck } from '@platform/store-postgres';
import fc from 'fast-check';
import { Run } from './address.ts';
import { clientOperation } from './arbitraries.ts';
import { Clients } from './clients.ts';
import { type FinalRow, History } from './history.ts';
import { violations } from './invariants.ts';
import { previous, previousRelease } from './previous-release.ts';
import { type Release, thisRelease } from './program.ts';
import { RaceTrack } from './race-track.ts';
import { describeRaces } from './races.ts';
import { type Json, jsonOf, type Send } from './reply.ts';
import { useService } from './service.ts';

// Skipped where the previous release cannot be had.
const release = previousRelease() as Release;
const described = release === null ? describe.skip : describe;
const timeoutMs = 300_000;

it('is tested from one of the two newest releases of the changelog', () => {
  const changelog = readFileSync(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8');
  const versions = [...changelog.matchAll(/^## \[(\d.*?)\]/gm)].map(([, version]) => version);
  expect(versions.slice(0, 2)).toContain(previous.version);
});

described(`a rolling upgrade from ${previous.version}, and back`, () => {
  const service = useService(() => release);
  let runs = 0;

  /** Four clients at once, each request to the other API process than the one before, while `during` happens. */
  async function play(during: () => Promise<void> = async () => {}): Promise<void> {
    runs += 1;
    const clients = new Clients(new Run(`u${runs}`), service, {
      history: new History(['ancestors', 'labels']),
    });
    await clients.start();
    const script = fc.array(clientOperation, { minLength: 60, maxLength: 60 });
    const scripts = fc.sample(fc.tuple(script, script, script, script), 1)[0] ?? [];
    await Promise.all([
      during(),
      ...scripts.map(async (operations) => {
        for (const operation of operations) await clients.perform(operation);
      }),
    ]);
    await service.drained();
    expect(await violations(service.sql)).toEqual([]);
    const rows = await service.sql<FinalRow[]>`
      select uid, revision::int, finalizers, deletion_timestamp is not null as tombstoned from resources`;
    expect(clients.history.faults(rows)).toEqual([]);
    await clients.clear();
  }

  const onNew = 0;
  const onOld = 1;

  /** The body of the answer of one of the two API processes. */
  async function answered(
    index: 0 | 1,
    status: number,
    method: string,
    path: string,
    sent?: object,
  ): Promise<Json> {
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
    const reply = await (service.instances[index] as Send)({ method, path, as: 'operator', ...body });
    if (reply.status !== status) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.text === '' ? null : jsonOf(reply);
  }

  describe('with one API process replaced, and the old collector', () => {
    beforeAll(() => play(() => service.replaceApi(0, thisRelease)), timeoutMs);
    describeRaces(service, 's');
    it('shows one history to all clients', () => play(), timeoutMs);

    it('keeps labels that the old release does not know', async () => {
      const run = await new RaceTrack(service).kinds(new Run('labels'), ['Alpha']);
      const path = run.collection('Alpha', 'v1');
      const item = `${path}/one`;
      const metadata = { name: 'one', labels: { team: 'red' } };
      await answered(onNew, 201, 'POST', path, { apiVersion: `${run.group}/v1`, kind: 'Alpha', metadata });
      await answered(onOld, 200, 'PUT', `${item}/status`, { status: { ready: true } });
      const seen = await answered(onOld, 200, 'GET', item);
      const { name, revision } = seen.metadata;
      await answered(onOld, 200, 'PUT', item, {
        ...seen,
        metadata: { name, revision },
        status: undefined,
        spec: { size: 2 },
      });
      expect((await answered(onNew, 200, 'GET', item)).metadata.labels).toEqual({ team: 'red' });
      expect((await answered(onNew, 200, 'GET', `${path}?labelSelector=team%3Dred`)).items).toHaveLength(1);
      await answered(onNew, 200, 'DELETE', item);
    });

    it('keeps what only the old release accepts writable, and goes on with its lists', async () => {
      const definitions = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';
      const definition = `${definitions}/events.older.example.dev`;
      const path = '/api/v1/resources/older.example.dev/v1/events';
      // The plural is reserved now, and the rule cannot be enforced.
      const schema = { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.size <' }] };
      const versions = [{ name: 'v1', served: true, storage: true, schema }];
      const made = {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'ResourceDefinition',
        metadata: { name: 'events.older.example.dev' },
        spec: { group: 'older.example.dev', kind: 'Event', plural: 'events', versions },
      };
      await answered(onNew, 400, 'POST', definitions, made);
      await answered(onOld, 201, 'POST', definitions, made);
      for (const name of ['one', 'two']) {
        const event = { apiVersion: 'older.example.dev/v1', kind: 'Event', metadata: { name } };
        await answered(onOld, 201, 'POST', path, event);
      }
      for (const item of [definition, `${path}/one`]) {
        const { status: _status, ...stored } = await answered(onNew, 200, 'GET', item);
        await answered(onNew, 200, 'PUT', item, stored);
      }
      const { metadata } = await answered(onOld, 200, 'GET', `${path}?limit=1`);
      const rest = await answered(onNew, 200, 'GET', `${path}?limit=1&continue=${metadata.continue}`);
      expect(rest.items.map((item: Json) => item.metadata.name)).toEqual(['two']);
      for (const item of [`${path}/one`, `${path}/two`, definition]) {
        await answered(onNew, 200, 'DELETE', item);
      }
    });

    it('writes projects and deployments on either release, and reads them on the other', async () => {
      const projects = '/api/v1/projects';
      for (const [name, here, there] of [
        ['of-old', onOld, onNew],
        ['of-new', onNew, onOld],
      ] as const) {
        const owner = { user: 'owner@example.dev' };
        await answered(here, 201, 'POST', projects, { name, owner, members: ['member@example.dev'] });
        const project = await answered(there, 200, 'GET', `${projects}/${name}`);
        expect(project).toMatchObject({ name, members: ['member@example.dev'] });
        const path = `${projects}/${name}/deployments`;
        const made = await answered(there, 201, 'POST', path, { environment: 'production' });
        const { items } = await answered(here, 200, 'GET', path);
        expect(items.map(({ uid }: { uid: string }) => uid)).toEqual([made.uid]);
      }
    });
  });

  describe('with the collector replaced, too', () => {
    beforeAll(() => play(() => service.replaceCollector(thisRelease)), timeoutMs);
    describeRaces(service, 't');
    it('shows one history to all clients', () => play(), timeoutMs);
  });

  describe('with everything replaced', () => {
    beforeAll(() => play(() => service.replaceApi(1, thisRelease)), timeoutMs);
    it('shows one history to all clients', () => play(), timeoutMs);

    it('has logged every revision that either release wrote', async () => {
      const gaps = await service.sql`
        select uid, min(revision), max(revision), count(distinct revision) from changes
        group by uid having count(distinct revision) <> max(revision) - min(revision) + 1`;
      expect([...gaps]).toEqual([]);
    });

    it('leaves a sound database', async () => {
      expect(await fsck({ url: service.databaseUrl })).toEqual([]);
    });
  });

  describe('with the old release started again', () => {
    beforeAll(async () => {
      await play(() => service.replaceApi(0, release));
      await play(() => service.replaceCollector(release));
    }, timeoutMs);
    describeRaces(service, 'v');
    it('shows one history to all clients', () => play(), timeoutMs);
    it('goes back altogether', () => play(() => service.replaceApi(1, release)), timeoutMs);
  });
});

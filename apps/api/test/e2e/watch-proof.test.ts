import { setTimeout as delay } from 'node:timers/promises';
import { faultsOf } from '@platform/change-log/conformance';
import { timeoutFactor } from '@platform/development/testing';
import { type CustomKind, Run } from './address.ts';
import { nightlySeconds, timeoutMs } from './budget.ts';
import { RaceTrack } from './race-track.ts';
import { jsonOf } from './reply.ts';
import { ResumingWatcher } from './resuming-watcher.ts';
import { useService } from './service.ts';

const service = useService();
const track = new RaceTrack(service);
const run = new Run('wp');

/** Milliseconds of writes and crashes; more with `E2E_SECONDS`. */
const chaosMs = 1000 * (nightlySeconds ?? 15);
/** Writes that have to be answered before it ends, however slow the machine is; and the time after which it ends all the same. */
const enough = { writes: 150, milliseconds: chaosMs + 90_000 * timeoutFactor };
/** Writes that were answered with success. */
let written = 0;

const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;
const names = ['a', 'b', 'c', 'd'];

/** One write at a random replica. That may just be dying, so nothing is expected of the answer. */
async function writeSomething(): Promise<void> {
  const [one, two, three] = [pick(names), pick(names), pick(names)];
  const send = pick(service.instances);
  const path = (kind: CustomKind, ...below: readonly string[]) =>
    ['/api/v1/resources', run.group, 'v1', run.plural(kind), ...below].join('/');
  const body = (kind: CustomKind, name: string) =>
    JSON.stringify({ apiVersion: `${run.group}/v1`, kind, metadata: { name }, spec: {} });
  const status = JSON.stringify({ status: Math.random() });
  const request = pick([
    () => ({ method: 'POST', path: path('Alpha'), body: body('Alpha', one) }),
    () => ({ method: 'POST', path: path('Beta', one), body: body('Beta', two) }),
    () => ({ method: 'POST', path: path('Gamma', one, two), body: body('Gamma', three) }),
    () => ({ method: 'POST', path: path('Beta', 'kept'), body: body('Beta', two) }),
    () => ({ method: 'PUT', path: `${path('Alpha', one)}/status`, body: status }),
    () => ({ method: 'PUT', path: `${path('Gamma', one, two, three)}/status`, body: status }),
    () => ({ method: 'DELETE', path: path('Alpha', one) }),
    () => ({ method: 'DELETE', path: path('Beta', one, two) }),
    () => ({ method: 'DELETE', path: path('Beta', 'kept', two) }),
  ])();
  const reply = await send({ ...request, as: 'operator' }).catch(() => undefined);
  if (reply !== undefined && reply.status < 300) written += 1;
}

/** A transaction that draws its place in the log early and commits late. */
async function writeSlowly(index: number): Promise<void> {
  await service.sql
    .begin(async (sql) => {
      await sql`update resources set revision = revision + 1 where name = ${`slow${index % 3}`}`;
      await delay(300 + Math.random() * 1_500);
    })
    .catch(() => undefined);
}

async function cutConnections(): Promise<void> {
  await service.sql`
    select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by random() limit 3
    ) as some`.catch(() => undefined);
}

/** Waits until every entry after a number has its tick. Watchers hear of an entry after its tick, and the ticker may have been killed just now. */
async function ticked(seq: number): Promise<void> {
  const deadline = performance.now() + timeoutMs / 2;
  for (;;) {
    const [row] = await service.sql`
      select count(*)::int as untold from changes c
      where c.seq > ${seq} and not exists (select from change_ticks t where pg_visible_in_snapshot(c.xid, t.snapshot))`;
    if (row?.['untold'] === 0) return;
    if (performance.now() > deadline) throw new Error(`${row?.['untold']} entries have no tick`);
    await delay(20);
  }
}

/** The entries of the log after a number in the order of the ticks, as watchers have to see them. */
async function entriesAfter(seq: number) {
  const rows = await service.sql`
    select c.uid, c.revision, c.removed, c.kind, c.parent_uid
    from changes c cross join lateral (
      select t.tick from change_ticks t where pg_visible_in_snapshot(c.xid, t.snapshot) order by t.tick limit 1
    ) as t
    where c.seq > ${seq} order by t.tick, c.seq`;
  return rows.map((row) => ({
    text: `${row['uid']}@${row['revision']}${row['removed'] ? '-' : ''}`,
    told: {
      uid: row['uid'] as string,
      revision: Number(row['revision']),
      removed: row['removed'] as boolean,
    },
    kind: row['kind'] as string,
    parentUid: row['parent_uid'] as string | null,
  }));
}

it(
  'tells every watcher exactly the log, whatever crashes and disconnects',
  async () => {
    await track.kinds(run);
    const kept = await track.given(run, 'Alpha', ['kept']);
    for (const index of [0, 1, 2]) await track.given(run, 'Alpha', [`slow${index}`]);
    await service.drained();
    const at = (kind: CustomKind, ...below: readonly string[]) =>
      ['/api/v1/resources', run.group, 'v1', run.plural(kind), ...below].join('/');
    const list = await pick(service.instances)({ method: 'GET', path: at('Alpha'), as: 'operator' });
    const { cursor } = jsonOf(list).metadata;
    const [last] = await service.sql`select coalesce(max(seq), 0)::int as seq from changes`;
    type Entry = Awaited<ReturnType<typeof entriesAfter>>[number];
    const isOf = (kind: CustomKind) => (entry: Entry) => entry.kind === kind;
    const streams: readonly (readonly [path: string, shows: (entry: Entry) => boolean])[] = [
      ['/api/v1/changes', () => true],
      ['/api/v1/changes', () => true],
      ['/api/v1/changes', () => true],
      [at('Alpha'), isOf('Alpha')],
      [at('Alpha'), isOf('Alpha')],
      [at('Beta', '-'), isOf('Beta')],
      [at('Beta', '-'), isOf('Beta')],
      [at('Gamma', '-', '-'), isOf('Gamma')],
      [at('Beta', 'kept'), ({ kind, parentUid }) => kind === 'Beta' && parentUid === kept.body.metadata.uid],
    ];
    const watchers = streams.map(([path]) =>
      new ResumingWatcher(path, cursor, () => service.origins, service.tokens.operator).start(),
    );
    const begun = performance.now();
    const goesOn = () => {
      const elapsed = performance.now() - begun;
      return elapsed < chaosMs || (written < enough.writes && elapsed < enough.milliseconds);
    };
    const crashes: string[] = [];
    await Promise.all([
      ...[1, 2, 3, 4].map(async () => {
        while (goesOn()) await writeSomething();
      }),
      (async () => {
        for (let index = 0; goesOn(); index += 1) await writeSlowly(index);
      })(),
      (async () => {
        while (goesOn()) {
          await delay(2_000);
          await cutConnections();
        }
      })(),
      (async () => {
        for (let round = 0; goesOn(); round += 1) {
          await delay(1_000);
          const victim = round % 3 === 2 ? service.collector : pick(service.apis);
          await victim.kill();
          crashes.push(round % 3 === 2 ? 'collector' : 'api');
          await delay(500);
          await victim.start();
        }
      })(),
    ]);
    await service.drained();
    await ticked(last?.['seq']);
    const expected = await entriesAfter(last?.['seq']);
    const shown = (index: number) =>
      expected.filter((streams[index] as (typeof streams)[number])[1]).map(({ text }) => text);
    const deadline = performance.now() + 60_000 * timeoutFactor;
    const isBehind = () => watchers.some(({ seen }, index) => seen.length < shown(index).length);
    while (isBehind() && performance.now() < deadline) await delay(100);
    await delay(500);
    await Promise.all(watchers.map((watcher) => watcher.stop()));
    expect(crashes).toEqual(expect.arrayContaining(['api']));
    expect(expected.length).toBeGreaterThan(100);
    // The order of the table is that of the revisions, and each is in one tick.
    const told = expected.map((entry) => entry.told);
    expect(faultsOf(told, told)).toEqual([]);
    for (const [index, { seen, refusals, connections }] of watchers.entries()) {
      expect(refusals).toEqual([]);
      expect(connections).toBeGreaterThan(3);
      expect(seen).toEqual(shown(index));
    }
  },
  timeoutMs,
);

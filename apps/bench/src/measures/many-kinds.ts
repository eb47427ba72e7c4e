import { setTimeout as delay } from 'node:timers/promises';
import type { Fixture } from '../fixture/fixture.ts';
import { driveHttp } from '../load/http.ts';
import type { Request } from '../load/send.ts';
import { median } from '../statistics.ts';
import type { Measure } from './measure.ts';

const group = 'many.example.dev';
const definitions = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';
const kindCount = 10_000;
/** Kinds whose definitions change; no request is for one of these. */
const changing = 100;
/** Requests that register kinds at the same time. Definitions are written one after the other. */
const registrars = 8;
const changesPerSecond = 10;
const turns = 5;
const load = { connections: 32, seconds: 2 };

export const kindsFigure = `requests to ${kindCount.toLocaleString('en')} kinds, relative to one kind`;
export const changesFigure = `requests to ${kindCount.toLocaleString('en')} kinds while ${changesPerSecond} definitions a second change, relative to none`;

/** Reads and creates resources of very many kinds, while definitions of other kinds change. No request may fail. */
export const manyKinds: Measure = {
  name: 'many kinds',
  once: true,
  async run(fixture) {
    await registerAll(fixture);
    const every = [...Array(kindCount).keys()];
    const rates: { one: number; all: number; meanwhile: number }[] = [];
    // In turns, so that a disturbance of the machine affects all of them.
    for (let turn = 0; turn < turns; turn += 1) {
      const one = await rateOver(fixture, [0]);
      const all = await rateOver(fixture, every);
      const over = new AbortController();
      const changes = changeDefinitions(fixture, over.signal);
      const meanwhile = await rateOver(fixture, every);
      over.abort();
      await changes;
      rates.push({ one, all, meanwhile });
    }
    await fixture.sql`delete from resources where api_group = ${group}`;
    await fixture.sql`delete from resources where kind = 'ResourceDefinition' and name like ${`%.${group}`}`;
    return [
      { name: kindsFigure, unit: 'x', value: median(rates.map(({ one, all }) => all / one)) },
      { name: changesFigure, unit: 'x', value: median(rates.map(({ all, meanwhile }) => meanwhile / all)) },
    ];
  },
};

function definitionOf(index: number, revision?: number) {
  const spec = {
    group,
    kind: `Kind${index}`,
    plural: `kind${index}s`,
    versions: [{ name: 'v1', served: true, storage: true, schema: { type: 'object' } }],
    allowedStatusControllerIds: [],
  };
  const metadata = { name: `kind${index}s.${group}`, ...(revision !== undefined && { revision }) };
  return { apiVersion: 'platform.dev/v1alpha1', kind: 'ResourceDefinition', metadata, spec };
}

const collectionOf = (index: number) => `/api/v1/resources/${group}/v1/kind${index}s`;

function objectOf(index: number, name: string) {
  return { apiVersion: `${group}/v1`, kind: `Kind${index}`, metadata: { name }, spec: {} };
}

async function registerAll({ api }: Fixture): Promise<void> {
  let next = 0;
  const register = async () => {
    while (next < kindCount + changing) {
      const index = next++;
      await api.post(definitions, definitionOf(index));
      if (index < kindCount) await api.post(collectionOf(index), objectOf(index, 'one'));
    }
  };
  await Promise.all(Array.from({ length: registrars }, register));
}

let run = 0;

/** Three reads and a create in turns, of the next kind each time. @throws Error when a request fails. */
async function rateOver({ api, programs }: Fixture, kinds: readonly number[]): Promise<number> {
  run += 1;
  let count = 0;
  const next = () => {
    count += 1;
    return kinds[count % kinds.length] as number;
  };
  const read: Request = {
    method: 'GET',
    setupRequest: (request) => ({ ...request, path: `${collectionOf(next())}/one` }),
  };
  const create: Request = {
    method: 'POST',
    setupRequest(request) {
      const index = next();
      const body = JSON.stringify(objectOf(index, `new-${run}-${count}`));
      return { ...request, path: collectionOf(index), body };
    },
  };
  const headers = { authorization: `Bearer ${api.session}`, 'content-type': 'application/json' };
  const requests = () => [read, read, read, create];
  // The first time, every definition is read.
  await driveHttp(programs.api, { ...load, headers, requests });
  const { perSecond, failures } = await driveHttp(programs.api, { ...load, headers, requests });
  if (failures > 0) throw new Error(`${failures} requests to ${kinds.length} kinds failed`);
  return perSecond;
}

/** Edits the definitions of the last kinds in turns until the signal. */
async function changeDefinitions({ api }: Fixture, over: AbortSignal): Promise<void> {
  for (let count = 0; !over.aborted; count += 1) {
    const index = kindCount + (count % changing);
    const path = `${definitions}/kind${index}s.${group}`;
    const { metadata } = (await api.get(path)) as { metadata: { revision: number } };
    const changed = definitionOf(index, metadata.revision);
    const annotations = { count: String(count) };
    await api.put(path, { ...changed, metadata: { ...changed.metadata, annotations } });
    await delay(1_000 / changesPerSecond);
  }
}

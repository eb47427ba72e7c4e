import { randomBytes } from 'node:crypto';
import { type Fixture, startFixture } from '../fixture/fixture.ts';
import { apiVersion, kindAt, note, pathOf, spec } from '../fixture/kinds.ts';
import { removeRoot, roots } from '../fixture/rows.ts';
import { driveHttp } from '../load/http.ts';
import { median } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

const connections = 32;
/** Each rate is measured over this time. */
const slice = 4;
/** A slow machine stops here and reports what it has. */
const maxSlices = 200;
const pagesRead = 50;

/** One process fills a nearly empty database: its plans were made for a table of a few hundred rows. */
export const growthFromEmpty: Measure = {
  name: 'grows from empty',
  once: true,
  async run({ pinned }) {
    const fixture = await startFixture({ databaseUrl: undefined, rows: 0, pinned, showProgress: () => {} });
    try {
      const parents = Array.from({ length: roots }, (_, index) => `root-${index + 1}`);
      return await grow(fixture, { title: 'grown from empty to 100,000 rows', parents, total: 100_000 });
    } finally {
      await fixture.close();
    }
  },
};

/** One parent gets 300,000 children. */
export const wideParent: Measure = {
  name: 'wide parent',
  once: true,
  async run(fixture) {
    const name = `wide-${randomBytes(4).toString('hex')}`;
    await fixture.api.post(pathOf(kindAt(0)), {
      apiVersion,
      kind: kindAt(0).kind,
      metadata: { name },
      spec: JSON.parse(spec),
    });
    try {
      return await grow(fixture, {
        title: 'one parent with 300,000 children',
        parents: [name],
        total: 300_000,
      });
    } finally {
      await removeRoot(fixture.sql, name);
    }
  },
};

interface Growth {
  readonly title: string;
  readonly parents: readonly string[];
  readonly total: number;
}

/** Creates rows through the API, and compares creates and pages at the end with those at the start. */
async function grow(fixture: Fixture, { title, parents, total }: Growth): Promise<readonly Figure[]> {
  const run = randomBytes(4).toString('hex');
  const rates: number[] = [];
  let count = 0;
  const next = (request: object) => {
    count += 1;
    return {
      ...request,
      path: pathOf(note, parents[count % parents.length] as string),
      body: `{"apiVersion":"${apiVersion}","kind":"${note.kind}","metadata":{"name":"grown-${run}-${count}"},"spec":${spec}}`,
    };
  };
  const headers = { authorization: `Bearer ${fixture.api.session}`, 'content-type': 'application/json' };
  const load = { connections, seconds: slice, headers };
  await driveHttp(fixture.programs.api, {
    ...load,
    requests: () => [{ method: 'POST', setupRequest: next }],
  });
  const pageBefore = await pageMs(fixture, parents[0] as string);
  while (count < total && rates.length < maxSlices) {
    const { perSecond } = await driveHttp(fixture.programs.api, {
      ...load,
      requests: () => [{ method: 'POST', setupRequest: next }],
    });
    rates.push(perSecond);
  }
  const pageAfter = await pageMs(fixture, parents[0] as string);
  const unfinished = count < total ? { unfinished: `not finished, ${count.toLocaleString('en')} rows` } : {};
  return [
    {
      name: `${title}: cost of a create, relative to the start`,
      unit: 'x',
      value: median(rates.slice(0, 3)) / median(rates.slice(-3)),
      ...unfinished,
    },
    {
      name: `${title}: time of a page, relative to the start`,
      unit: 'x',
      value: pageAfter / pageBefore,
      ...unfinished,
    },
  ];
}

/** The median time of a page of 100 below a parent. */
async function pageMs({ api }: Fixture, parent: string): Promise<number> {
  const times: number[] = [];
  for (let page = 0; page < pagesRead; page++) {
    const start = performance.now();
    await api.get(`${pathOf(note, parent)}?limit=100`);
    times.push(performance.now() - start);
  }
  return median(times);
}

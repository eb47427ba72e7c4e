import type { Fixture } from '../fixture/fixture.ts';
import { apiVersion, kindAt } from '../fixture/kinds.ts';
import type { Figure, Measure } from './measure.ts';

/** Objects of a page, as client-go asks for them. */
const pageSize = 500;

/** The ways in which informers read the present state before they watch, over every namespace. */
const starts: Readonly<Record<string, (fixture: Fixture) => Promise<number>>> = {
  'in pages': async (fixture) => {
    let objects = 0;
    for (let token: string | undefined = ''; token !== undefined; ) {
      const answer = await ask(fixture, { limit: String(pageSize), ...(token && { continue: token }) });
      const page = (await answer.json()) as { items: unknown[]; metadata: { continue?: string } };
      objects += page.items.length;
      token = page.metadata.continue;
    }
    return objects;
  },
  'in one list': async (fixture) => {
    const list = (await (await ask(fixture, {})).json()) as { items: unknown[] };
    return list.items.length;
  },
  'in a stream': async (fixture) => {
    const stream = await ask(fixture, {
      watch: 'true',
      sendInitialEvents: 'true',
      allowWatchBookmarks: 'true',
      resourceVersionMatch: 'NotOlderThan',
    });
    let objects = 0;
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of stream.body ?? []) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if ((JSON.parse(line) as { type: string }).type === 'BOOKMARK') return objects;
        objects += 1;
      }
    }
    throw new Error('the stream ended before the bookmark that says that the state is complete');
  },
};

/** How long an informer takes until it knows every object of the table. */
export const informerStart: Measure = {
  name: 'informer',
  once: true,
  async run(fixture) {
    const figures: Figure[] = [];
    for (const [way, start] of Object.entries(starts)) {
      const before = performance.now();
      const objects = await start(fixture);
      const took = performance.now() - before;
      // A smaller table stands for a part of the one that the target is about.
      figures.push({ name: informerFigure(way), unit: 'ms', value: (took * informedObjects) / objects });
    }
    return figures;
  },
};

/** Objects that the target is about. */
const informedObjects = 100_000;

/** The name of the figure of a way to start. */
export function informerFigure(way: string): string {
  return `informer of 100,000 objects, ${way}`;
}

/** The ways that are measured. */
export const informerWays = Object.keys(starts);

async function ask({ api }: Fixture, query: Readonly<Record<string, string>>): Promise<Response> {
  const path = `/kubernetes/apis/${apiVersion}/${kindAt(1).plural}?${new URLSearchParams(query)}`;
  const answer = await fetch(api.url + path, { headers: { authorization: `Bearer ${api.session}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

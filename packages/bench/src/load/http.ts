import autocannon from 'autocannon';
import type { Served } from '../stage/stage.ts';
import { percentile } from '../statistics.ts';
import { untilIdle } from './idle.ts';
import type { Load, Sample } from './sample.ts';

/** One request; `headers` beside those of every request of the case. */
export type Request = Pick<
  autocannon.Request,
  'method' | 'path' | 'body' | 'headers' | 'setupRequest' | 'onResponse'
>;

/** What each connection sends, over and over. */
export interface HttpLoad extends Load {
  readonly headers?: Readonly<Record<string, string>>;
  /** The requests of connection `index` of `connections`. */
  readonly requests: (index: number, connections: number) => Request[];
}

/** Drives a served program with autocannon: each connection sends its next request when it has the last answer. Resolves when the program has nothing left to do. */
export async function driveHttp(program: Served, load: HttpLoad): Promise<Sample> {
  const { connections, seconds, headers = {}, requests } = load;
  let index = 0;
  const cpuBefore = program.cpuSeconds();
  const { result, latencies } = await drive({
    // Connections go to several addresses in turn; the types do not know.
    url: [...program.urls] as unknown as string,
    connections,
    duration: seconds,
    sampleInt: 100,
    headers,
    setupClient: (client) => {
      const own = requests(index++, connections);
      if (own.every(({ onResponse }) => onResponse === undefined)) dropBodies(client);
      client.setRequests(own.map((request) => ({ headers, ...request })));
    },
  });
  const cpuAfter = program.cpuSeconds();
  await Promise.all(program.urls.map(untilIdle));
  const answered = result['2xx'];
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    perSecond: answered / result.duration,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuMicros: cpu === undefined ? undefined : (cpu * 1e6) / answered,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}

/**
 * autocannon puts the text of each body together, also where no request looks at it: 22 of its 108 µs for an answer of 110 KB, taken from the
 * core that it shares with the database. It has no option for it; these members are its own.
 */
function dropBodies(client: autocannon.Client): void {
  const { pipelinedRequests } = client as unknown as { pipelinedRequests: { addBody(data: Buffer): void } };
  pipelinedRequests.addBody = () => {};
}

interface Driven {
  readonly result: autocannon.Result;
  /** Of the answers with a 2xx status, in milliseconds. */
  readonly latencies: readonly number[];
}

/** Runs autocannon. Its own latencies are whole milliseconds, too few to say how many medians of 2.6 ms something took. */
function drive(options: autocannon.Options): Promise<Driven> {
  const latencies: number[] = [];
  return new Promise((resolve, reject) => {
    const run = autocannon(options, (error, result) =>
      error ? reject(error) : resolve({ result, latencies }),
    );
    run.on('response', (_client, status, _bytes, milliseconds) => {
      if (status >= 200 && status < 300) latencies.push(milliseconds);
    });
  });
}

import autocannon from 'autocannon';

/** One request; `headers` beside those of all. */
export type Request = Pick<
  autocannon.Request,
  'method' | 'path' | 'body' | 'headers' | 'setupRequest' | 'onResponse'
>;

/** What is sent, over and over, for so many seconds. */
export interface Sending {
  /** Connections go to them in turn. */
  readonly urls: readonly string[];
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Those of each connection. */
  readonly requests: readonly (readonly Request[])[];
}

/** What came back. */
export interface Sent {
  /** Answers with a 2xx status. */
  readonly answered: number;
  readonly seconds: number;
  /** Other answers, errors and time-outs. */
  readonly failures: number;
  /** Of the answers with a 2xx status, in milliseconds. */
  readonly latencies: readonly number[];
}

/** Sends with autocannon: each connection its next request when it has the last answer. */
export async function send({ urls, seconds, headers, requests }: Sending): Promise<Sent> {
  let index = 0;
  const { result, latencies } = await run({
    // Several addresses; the types do not know.
    url: [...urls] as unknown as string,
    connections: requests.length,
    duration: seconds,
    sampleInt: 100,
    headers,
    setupClient: (client) => {
      const own = requests[index++] ?? [];
      if (own.every(({ onResponse }) => onResponse === undefined)) dropBodies(client);
      client.setRequests(own.map((request) => ({ headers, ...request })));
    },
  });
  return {
    answered: result['2xx'],
    seconds: result.duration,
    failures: result.non2xx + result.errors + result.timeouts,
    latencies,
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

/** Its own latencies are whole milliseconds, too few to say how many medians of 2.6 ms something took. */
function run(options: autocannon.Options) {
  const latencies: number[] = [];
  return new Promise<{ result: autocannon.Result; latencies: readonly number[] }>((resolve, reject) => {
    const instance = autocannon(options, (error, result) =>
      error ? reject(error) : resolve({ result, latencies }),
    );
    instance.on('response', (_client, status, _bytes, milliseconds) => {
      if (status >= 200 && status < 300) latencies.push(milliseconds);
    });
  });
}

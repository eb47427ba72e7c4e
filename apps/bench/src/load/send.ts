import autocannon from 'autocannon';

/** One request. Its headers are added to those of the load. */
export type Request = Pick<
  autocannon.Request,
  'method' | 'path' | 'body' | 'headers' | 'setupRequest' | 'onResponse'
>;

/** The load to send for the given time. */
export interface Sending {
  /** The connections are assigned to them in rotation. */
  readonly urls: readonly string[];
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The requests of each connection, which it repeats. */
  readonly requests: readonly (readonly Request[])[];
}

/** The result of a load. */
export interface Sent {
  /** The number of responses with a 2xx status. */
  readonly responses: number;
  readonly seconds: number;
  /** Other responses, errors and timeouts. */
  readonly failures: number;
  /** Milliseconds of each response with a 2xx status. */
  readonly latencies: readonly number[];
}

/** Sends with autocannon: each connection sends its next request when it has received the last response. */
export async function send({ urls, seconds, headers, requests }: Sending): Promise<Sent> {
  let index = 0;
  const { result, latencies } = await run({
    // autocannon accepts several addresses, but its types do not.
    url: [...urls] as unknown as string,
    connections: requests.length,
    duration: seconds,
    sampleInt: 100,
    headers,
    setupClient: (client) => {
      const own = requests[index++] ?? [];
      if (own.every(({ onResponse }) => onResponse === undefined)) skipBodies(client);
      client.setRequests(own.map((request) => ({ headers, ...request })));
    },
  });
  return {
    responses: result['2xx'],
    seconds: result.duration,
    failures: result.non2xx + result.errors + result.timeouts,
    latencies,
  };
}

/**
 * Stops autocannon from assembling response bodies that no request reads; this would use a lot of CPU time on the core that it shares with
 * the database. There is no option for this, so it replaces a private member.
 */
function skipBodies(client: autocannon.Client): void {
  const { pipelinedRequests } = client as unknown as { pipelinedRequests: { addBody(data: Buffer): void } };
  pipelinedRequests.addBody = () => {};
}

/** Collects the latencies itself, because autocannon rounds them to whole milliseconds. */
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

import { messageOf, type Program } from '../stage/program.ts';
import type { Served } from '../stage/stage.ts';
import { percentile } from '../statistics.ts';
import { untilIdle } from './idle.ts';
import type { Load, Sample } from './sample.ts';
import { type Request, type Sending, type Sent, send } from './send.ts';

/** What each connection sends, over and over. */
export interface HttpLoad extends Load {
  readonly headers?: Readonly<Record<string, string>>;
  /** The requests of connection `index` of `connections`. */
  readonly requests: (index: number, connections: number) => Request[];
}

/** Drives a served program with requests, from this process or from its clients. Resolves when the program has nothing left to do. */
export async function driveHttp(program: Served, load: HttpLoad): Promise<Sample> {
  const { connections, seconds, headers = {} } = load;
  const requests = Array.from({ length: connections }, (_, index) => load.requests(index, connections));
  const sending = { urls: program.urls, seconds, headers, requests };
  const cpuBefore = program.cpuSeconds();
  const sent = await (program.clients === undefined
    ? Promise.all([send(sending)])
    : Promise.all(shares(sending, program.clients.length).map(sendFrom(program.clients))));
  const cpuAfter = program.cpuSeconds();
  await Promise.all(program.urls.map(untilIdle));
  const answered = sum(sent.map((each) => each.answered));
  const latencies = sent.flatMap((each) => each.latencies);
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    perSecond: sum(sent.map((each) => each.answered / each.seconds)),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuMicros: cpu === undefined ? undefined : (cpu * 1e6) / answered,
    failures: sum(sent.map((each) => each.failures)),
  };
}

/** What each of several clients sends: connections and addresses are dealt out in turn. */
export function shares(sending: Sending, clients: number): readonly Sending[] {
  return Array.from({ length: clients }, (_, client) => ({
    ...sending,
    urls: [sending.urls[client % sending.urls.length] as string],
    requests: sending.requests.filter((_requests, connection) => connection % clients === client),
  }));
}

function sendFrom(clients: readonly Program[]) {
  return async (sending: Sending, index: number): Promise<Sent> => {
    const client = clients[index] as Program;
    client.child.send(sending);
    return await messageOf<Sent>(client);
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

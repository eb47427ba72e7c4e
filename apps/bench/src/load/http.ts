import { setTimeout as delay } from 'node:timers/promises';
import type { Load, Sample } from '../bench-case.ts';
import type { ServedProgram } from '../fixture/fixture.ts';
import { nextMessage, type Program } from '../fixture/program.ts';
import { percentile } from '../statistics.ts';
import { type Request, type Sending, type Sent, send } from './send.ts';

const idleTimeoutMs = 10_000;
const idlePollMs = 5;
/** How many polls in a row must find no statement: a request runs several statements, with pauses between them. */
const idlePolls = 3;

/** The requests that each connection repeats. */
export interface HttpLoad extends Load {
  readonly headers?: Readonly<Record<string, string>>;
  /** The requests of connection number `index` of `connections`. */
  readonly requests: (index: number, connections: number) => Request[];
}

/** Sends requests to a program, from this process or from its load generators. Resolves when the program is idle again. */
export async function driveHttp(program: ServedProgram, load: HttpLoad): Promise<Sample> {
  const { connections, seconds, headers = {} } = load;
  const requests = Array.from({ length: connections }, (_, index) => load.requests(index, connections));
  const sending = { urls: program.urls, seconds, headers, requests };
  const cpuBefore = program.cpuSeconds();
  const sent = await (program.clients === undefined
    ? Promise.all([send(sending)])
    : Promise.all(splitLoad(sending, program.clients.length).map(sendFrom(program.clients))));
  const cpuAfter = program.cpuSeconds();
  await Promise.all(program.urls.map(waitUntilIdle));
  const responses = sum(sent.map((each) => each.responses));
  const latencies = sent.flatMap((each) => each.latencies);
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    perSecond: sum(sent.map((each) => each.responses / each.seconds)),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuMicros: cpu === undefined ? undefined : (cpu * 1e6) / responses,
    failures: sum(sent.map((each) => each.failures)),
  };
}

/** Splits the load between several load generators: connections and addresses are assigned in rotation. */
export function splitLoad(sending: Sending, clients: number): readonly Sending[] {
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
    return await nextMessage<Sent>(client);
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Waits until a process runs no statement. The load generator closes its connections while requests are running; their writes must
 * finish before the next case reads the revisions. Returns after a timeout, or at once if the process has no such metric.
 */
export async function waitUntilIdle(url: string): Promise<void> {
  const end = performance.now() + idleTimeoutMs;
  for (let idle = 0; idle < idlePolls && performance.now() < end; ) {
    const response = await fetch(`${url}/metrics`);
    const running = runningStatements(await response.text());
    if (running === undefined) return;
    idle = running === 0 ? idle + 1 : 0;
    await delay(idlePollMs);
  }
}

/** The number of statements that run or wait for a connection, from the metrics of a process; undefined without that metric. */
export function runningStatements(metrics: string): number | undefined {
  const gauge = /^platform_api_database_connections\{state="(?:busy|waiting)"\} (\d+)$/gm;
  const values = [...metrics.matchAll(gauge)].map(([, value]) => Number(value));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value);
}

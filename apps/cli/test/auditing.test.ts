import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { systemTimers } from 'platform-service-client';
import { run } from '../src/run.ts';
import { FakeTerminal } from './fake-terminal.ts';

const now = Date.UTC(2026, 0, 2, 12);
// The pauses of the command take no time; the timeouts of its requests are as long as ever.
const after = (ms: number, task: () => void) => systemTimers.after(ms < 30_000 ? 1 : ms, task);
const timers = { ...systemTimers, now: () => now, after };
const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A platform that answers every search of the audit records in this way. */
async function platform(
  answer: (response: ServerResponse, search: URLSearchParams) => void,
): Promise<string> {
  const server = createServer(({ url = '' }, response) =>
    answer(response, new URL(url, 'http://test').searchParams),
  ).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const record = (id: string) => ({
  id,
  time: new Date(now).toISOString(),
  action: id,
  outcome: 'allowed',
  actor: { type: 'operator', id: 'ann@example.dev' },
  details: {},
});

function terminalAt(url: string) {
  return new FakeTerminal({ env: { PLATFORM_URL: url, PLATFORM_TOKEN: 'x' }, timers });
}

describe('platform audit', () => {
  it('goes on with -f when the platform was away', async () => {
    const answers = [200, 200, 503, 0, 502, 200];
    let asked = 0;
    const url = await platform((response) => {
      const status = answers[asked++] ?? 200;
      if (status === 0) return response.destroy();
      response.writeHead(status).end(JSON.stringify({ items: [record(`record.${asked}`)] }));
    });
    const terminal = terminalAt(url);
    const running = run(['audit', '-f'], terminal);
    while (!terminal.stdout.includes('record.6')) await delay(10);
    terminal.interrupt();
    expect(await running).toBe(130);
    // One line when the outage begins, and one when it is over.
    expect(terminal.stderr).toMatch(/^[^\n]+; trying again\nThe platform answers again\.\n$/);
  });

  it('shows every record with -f after a long interruption, oldest first', async () => {
    const pages: Readonly<Record<string, object>> = {
      first: { items: [record('third'), record('second')], continue: 'older' },
      older: { items: [record('first')] },
    };
    let asked = 0;
    const url = await platform((response, search) => {
      asked += 1;
      const answer = asked === 1 ? { items: [] } : pages[search.get('continue') ?? 'first'];
      response.end(JSON.stringify(answer));
    });
    const terminal = terminalAt(url);
    const running = run(['audit', '-f'], terminal);
    while (!terminal.stdout.includes('third')) await delay(10);
    terminal.interrupt();
    await running;
    expect(terminal.stdout.match(/first|second|third/g)).toEqual(['first', 'second', 'third']);
  });

  it('says when there are more records than it shows', async () => {
    const url = await platform((response) =>
      response.end(JSON.stringify({ items: [record('newest')], continue: 'older' })),
    );
    const terminal = terminalAt(url);
    expect(await run(['audit', '-l', '1', '-o', 'json'], terminal)).toBe(0);
    expect(terminal.stdout).toBe(`${JSON.stringify(record('newest'))}\n`);
    expect(terminal.stderr).toBe(
      'There are older records: --limit up to 1000, or --until 2026-01-02T12:00:00.000Z\n',
    );
  });

  it('understands a time as so long ago', async () => {
    const searched: (string | null)[] = [];
    const url = await platform((response, search) => {
      searched.push(search.get('since'), search.get('until'));
      response.end('{"items":[]}');
    });
    expect(await run(['audit', '--since', '24h', '--until', '2026-01-02T11:00:00Z'], terminalAt(url))).toBe(
      0,
    );
    expect(searched).toEqual(['2026-01-01T12:00:00.000Z', '2026-01-02T11:00:00Z']);
    const wrong = terminalAt(url);
    expect(await run(['audit', '--since', 'noon'], wrong)).toBe(2);
    expect(wrong.stderr).toContain('expected a time such as 2026-01-31T12:00:00Z, or 30m, 24h, 7d');
  });
});

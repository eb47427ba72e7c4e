import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run } from '../src/run.ts';
import { FakeTerminal } from './fake-terminal.ts';

/** Runs a command against a server that answers everything with a page. */
async function at(status: number, words: string): Promise<readonly [number, string]> {
  const server = createServer((_, response) => response.writeHead(status).end('<html>a page</html>'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const terminal = new FakeTerminal({ env: { PLATFORM_URL: url, PLATFORM_TOKEN: 'x' } });
  try {
    return [await run(words.split(' '), terminal), terminal.stderr];
  } finally {
    server.close();
  }
}

const hint = 'it does not come from a platform; check the address, and the proxies on the way';

describe('an answer of something else than the platform', () => {
  it.each([404, 502, 504])('with status %i ends with 8', async (status) => {
    const err = `platform: unexpected response with status ${status} (unexpected_answer); ${hint}\n`;
    expect(await at(status, 'get sites')).toEqual([8, err]);
  });

  it.each(['get sites', 'whoami', 'login --no-browser'])('to %s ends with 8', async (words) => {
    expect(await at(200, words)).toEqual([8, `platform: the answer is not JSON; ${hint}\n`]);
  });
});

describe('a token file', () => {
  it('that cannot be read ends with 3', async () => {
    const terminal = new FakeTerminal({ env: { PLATFORM_URL: 'http://127.0.0.1:2' } });
    expect(await run(['--token-file', '/nowhere/token', 'whoami'], terminal)).toBe(3);
    expect(terminal.stderr).toContain('cannot read the token file');
  });
});

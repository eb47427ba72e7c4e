import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAtDevelopmentProvider, ScriptlessBrowser } from '@platform/development/testing';

/** Somebody at the browser that `platform login` opens. */
export interface PersonAtBrowser {
  /** The program to name in `BROWSER`. */
  readonly program: string;
  close(): void;
}

/** A person who chooses who to be at the development identity provider, whenever a browser is opened, and is sent back. */
export async function personAtBrowser(subject: string): Promise<PersonAtBrowser> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost').searchParams.get('url') ?? '';
    const home = new URL(url).searchParams.get('redirect_uri') ?? '';
    const back = (next: string) => next.startsWith(home);
    const { location } = await chooseAtDevelopmentProvider(new ScriptlessBrowser(), url, subject, back);
    await fetch(location ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const directory = mkdtempSync(join(tmpdir(), 'browser-'));
  const program = join(directory, 'browser.cjs');
  const script = `#!${process.execPath}
fetch('http://127.0.0.1:${port}/?' + new URLSearchParams({ url: process.argv[2] }));
`;
  writeFileSync(program, script, { mode: 0o700 });
  return {
    program,
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(directory, { recursive: true });
    },
  };
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@platform/development/testing';
import { text } from './files.ts';

export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
const balanced = ['172.30.57.11:8080', '172.30.57.12:8080'];

/** The nginx of the compose installation. */
export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs nginx as compose does, in front of the two addresses: not as root, with nothing to write to but its `/tmp`. */
export async function startBalancer(addresses: readonly string[]): Promise<Balancer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const temporary = mkdtempSync(join(tmpdir(), 'platform-nginx-'));
  chmodSync(temporary, 0o777);
  const file = join(temporary, 'nginx.conf');
  let configuration = text('compose/nginx.conf')
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replaceAll('/tmp/', `${temporary}/`);
  for (const [index, address] of balanced.entries()) {
    configuration = configuration.replace(address, addresses[index] as string);
  }
  writeFileSync(file, configuration);
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('nginx', ['-p', temporary, '-c', file, '-e', 'stderr', '-g', 'daemon off;'], {
    ...account,
    cwd: temporary,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  child.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(output);
    return (await fetch(`${url}/healthz`).catch(() => null))?.status === 200;
  });
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

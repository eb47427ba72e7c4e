import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether nginx with `auth_request` is installed. */
export const nginxVersion: string | null = (() => {
  const { status, stderr } = spawnSync('nginx', ['-V'], { encoding: 'utf8' });
  return status === 0 && stderr.includes('http_auth_request_module')
    ? (/nginx\/([\d.]+)/.exec(stderr)?.[1] ?? null)
    : null;
})();

/** A running nginx. */
export interface Nginx {
  stop(): Promise<void>;
}

/** Starts nginx in the foreground with the given `server` block, in a directory of its own. */
export async function startNginx(server: string, isUp: () => Promise<boolean>): Promise<Nginx> {
  const directory = mkdtempSync(join(tmpdir(), 'nginx-'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off; master_process off; pid ${directory}/pid; error_log ${directory}/error.log;
     events { worker_connections 64; }
     http { access_log off; ${paths.join(' ')} ${server} }`,
  );
  const child = spawn(
    'nginx',
    ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')],
    { stdio: 'ignore' },
  );
  const stop = async () => {
    if (child.exitCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    }
    rmSync(directory, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await isUp().catch(() => false)) return { stop };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`nginx did not start${exitOf(child)}`);
}

function exitOf({ exitCode }: ChildProcess): string {
  return exitCode === null ? '' : `: it ended with ${exitCode}`;
}

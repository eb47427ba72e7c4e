import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The configuration that docs/ingress.md shows, with the addresses of a test in place of those of the page. */
export function documentedNginx(addresses: {
  /** Where the site of the project listens, as `<host>:<port>`. */
  readonly site: string;
  /** The port of the platform on 127.0.0.1. */
  readonly platform: string;
  /** The port of the app on 127.0.0.1. */
  readonly app: number;
}): string {
  const page = readFileSync(new URL('../../../../docs/ingress.md', import.meta.url), 'utf8');
  const shown = /^```nginx\n([\s\S]*?)^```/m.exec(page)?.[1];
  if (shown === undefined) throw new Error('docs/ingress.md shows no nginx configuration');
  const { site, platform, app } = addresses;
  const replacements = {
    'listen 443 ssl;': `listen 127.0.0.1:${site.split(':')[1]};`,
    'https://platform.example.com': `http://127.0.0.1:${platform}`,
    'http://127.0.0.1:3000': `http://127.0.0.1:${app}`,
  };
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/ingress.md has no ${from}`);
    return text.replaceAll(from, to);
  }, shown);
}

/** Starts nginx in the foreground with the given blocks of `http`, in a directory of its own. */
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

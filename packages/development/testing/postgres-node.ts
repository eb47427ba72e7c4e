import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { freePort } from './free-port.ts';

/** Where Debian puts a PostgreSQL server with its tools, which not every machine has; null there. */
export const postgresTools: string | null = newestTools('/usr/lib/postgresql');

function newestTools(root: string): string | null {
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  const found = versions.map((version) => join(root, version, 'bin'));
  return found.find((bin) => existsSync(join(bin, 'pg_basebackup'))) ?? null;
}

/** A PostgreSQL server of its own for tests that stop, freeze or promote one. Loopback only; every role is trusted. */
export class PostgresNode {
  readonly #directory: string;
  readonly port: number;
  #server: ChildProcess | null = null;

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.port = port;
  }

  /** An empty primary, running. */
  static async primary(): Promise<PostgresNode> {
    const node = new PostgresNode(newDirectory(), await freePort());
    run('initdb', [
      '-D',
      node.#data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await node.start();
    return node;
  }

  /** A hot standby of a running primary, running. */
  static async standbyOf(primary: PostgresNode): Promise<PostgresNode> {
    const node = new PostgresNode(newDirectory(), await freePort());
    run('pg_basebackup', ['-d', primary.url, '-D', node.#data, '-R', '-c', 'fast', '--no-sync']);
    await node.start();
    return node;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const settings = {
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: 50,
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const server = spawn(tool('postgres'), ['-D', this.#data, ...options], {
        ...account(),
        cwd: '/',
        stdio: 'ignore',
      });
      this.#server = server;
      while (server.exitCode === null && !/^(?:ready|standby)/m.test(this.#pidFile())) await sleep(20);
      if (server.exitCode === null) return;
      // The last processes of one that was killed may still hold its memory.
      await sleep(100);
    }
    throw new Error('the PostgreSQL of a test does not start');
  }

  /** Makes a standby the primary; resolves when it accepts writes. */
  async promote(): Promise<void> {
    const sql = postgres(this.url, { max: 1 });
    await sql`select pg_promote()`;
    await sql.end();
  }

  /** Ends every process of it at once, as a power failure would. */
  async kill(): Promise<void> {
    for (const pid of this.#processes()) signal(pid, 'SIGKILL');
    await this.#ended();
    rmSync(join(this.#data, 'postmaster.pid'), { force: true });
  }

  /** Stops every process of it, or all but those that serve connections already. */
  freeze(which: 'all' | 'postmaster' = 'all'): void {
    const [postmaster, ...others] = this.#processes();
    for (const pid of which === 'all' ? [postmaster, ...others] : [postmaster]) signal(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.#processes()) signal(pid, 'SIGCONT');
  }

  /** Ends it, and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#directory, 'data');
  }

  #pidFile(): string {
    const file = join(this.#data, 'postmaster.pid');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  #processes(): readonly number[] {
    const pid = this.#server?.pid;
    if (pid === undefined || this.#server?.exitCode !== null || this.#server.signalCode !== null) return [];
    const children = `/proc/${pid}/task/${pid}/children`;
    return [pid, ...readFileSync(children, 'utf8').trim().split(' ').filter(Boolean).map(Number)];
  }

  async #ended(): Promise<void> {
    const server = this.#server;
    if (server !== null && server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    this.#server = null;
  }
}

function tool(name: string): string {
  if (postgresTools === null) throw new Error('no PostgreSQL of Debian is installed');
  return join(postgresTools, name);
}

/** PostgreSQL does not run as root. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'platform-postgres-'));
  const { uid, gid } = account();
  if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid);
  return directory;
}

function run(name: string, options: readonly string[]): void {
  execFileSync(tool(name), options, { ...account(), cwd: '/', stdio: 'ignore' });
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { freePort } from './free-port.ts';
import { postgresTools } from './postgres-node.ts';
import type { TestDatabase } from './test-database.ts';
import { timeoutFactor } from './timeouts.ts';

const programs = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', patronictl: '/usr/bin/patronictl' };

/** Whether Debian's packages patroni, etcd-server and postgresql are installed. */
export const patroniInstalled =
  postgresTools !== null && Object.values(programs).every((program) => existsSync(program));

interface Node {
  readonly name: string;
  readonly port: number;
  readonly rest: number;
  readonly config: string;
  readonly data: string;
  process: ChildProcess | null;
}

/** Three PostgreSQL servers under Patroni with synchronous replication, on loopback, for tests of failovers. */
export class PatroniCluster {
  readonly #directory = mkdtempSync(join(tmpdir(), 'platform-patroni-'));
  readonly #nodes: Node[] = [];
  #etcd: ChildProcess | null = null;

  static async start(): Promise<PatroniCluster> {
    const cluster = new PatroniCluster();
    own(cluster.#directory);
    const [client, peer] = [await freePort(), await freePort()];
    const at = (port: number) => `http://127.0.0.1:${port}`;
    cluster.#etcd = spawn(
      programs.etcd,
      [
        ...['--name', 'test', '--data-dir', join(cluster.#directory, 'etcd'), '--unsafe-no-fsync'],
        ...['--listen-client-urls', at(client), '--advertise-client-urls', at(client)],
        ...['--listen-peer-urls', at(peer), '--initial-advertise-peer-urls', at(peer)],
        ...['--initial-cluster', `test=${at(peer)}`],
      ],
      { ...account(), cwd: cluster.#directory, stdio: 'ignore' },
    );
    for (const name of ['a', 'b', 'c']) {
      const directory = join(cluster.#directory, name);
      mkdirSync(directory, { mode: 0o700 });
      own(directory);
      const node: Node = {
        name,
        port: await freePort(),
        rest: await freePort(),
        config: join(directory, 'patroni.json'),
        data: join(directory, 'data'),
        process: null,
      };
      writeFileSync(node.config, JSON.stringify(configOf(node, client)));
      own(node.config);
      cluster.#nodes.push(node);
      cluster.#run(node);
    }
    await cluster.healthy();
    return cluster;
  }

  /** Every node, in an order that does not follow the roles. */
  get url(): string {
    return `postgres://postgres@${this.#nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`;
  }

  /** The database of the primary, whichever server that is. The caller closes its client. */
  connect(): TestDatabase {
    const url = `${this.url}?target_session_attrs=primary`;
    return { url, sql: postgres(url, { max: 4, onnotice: () => {} }) };
  }

  /** Resolves when a server takes writes. */
  async writable({ sql }: TestDatabase): Promise<void> {
    for (;;) {
      const [row] = await sql`select pg_is_in_recovery() as standby`.catch(() => []);
      if (row?.['standby'] === false) return;
      await sleep(100);
    }
  }

  /** Resolves when there is a primary with a synchronous standby and one more. */
  async healthy(): Promise<void> {
    for (const until = performance.now() + 60_000 * timeoutFactor; performance.now() < until; ) {
      const members = await this.#members();
      const running = members.filter(({ state }) => ['running', 'streaming'].includes(state));
      if (running.length === 3 && members.some(({ role }) => role === 'sync_standby')) return;
      await sleep(200);
    }
    throw new Error('the cluster of a test does not become healthy');
  }

  /** Ends the primary and its Patroni at once, as the loss of a machine would. Returns its name. */
  async killPrimary(): Promise<string> {
    const leader = (await this.#members()).find(({ role }) => role === 'leader')?.name;
    const node = this.#nodes.find(({ name }) => name === leader);
    if (node === undefined) throw new Error('there is no primary to kill');
    node.process?.kill('SIGKILL');
    const postmaster = Number(readFileSync(join(node.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      .trim()
      .split(' ');
    for (const pid of [postmaster, ...children.map(Number)]) kill(pid);
    return node.name;
  }

  /** Starts a node again that was killed. */
  restart(name: string): void {
    const node = this.#nodes.find((each) => each.name === name);
    if (node !== undefined) this.#run(node);
  }

  /** Hands the role of the primary to another node. */
  switchOver(): void {
    const config = this.#nodes[0]?.config ?? '';
    execFileSync(programs.patronictl, ['-c', config, 'switchover', 'test', '--force'], { stdio: 'ignore' });
  }

  async stop(): Promise<void> {
    for (const { process: patroni, data } of this.#nodes) {
      patroni?.kill('SIGKILL');
      const file = join(data, 'postmaster.pid');
      if (existsSync(file)) kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT');
    }
    this.#etcd?.kill('SIGKILL');
    await sleep(500);
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 10 });
  }

  #run(node: Node): void {
    node.process = spawn(programs.patroni, [node.config], { ...account(), cwd: '/', stdio: 'ignore' });
  }

  async #members(): Promise<readonly { name: string; role: string; state: string }[]> {
    for (const { rest } of this.#nodes) {
      try {
        const response = await fetch(`http://127.0.0.1:${rest}/cluster`);
        return ((await response.json()) as { members: { name: string; role: string; state: string }[] })
          .members;
      } catch {
        // This one does not run; the next one knows as well.
      }
    }
    return [];
  }
}

function configOf({ name, port, rest, data }: Node, etcd: number) {
  const user = { username: 'postgres', password: 'unused' };
  return {
    scope: 'test',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: `127.0.0.1:${etcd}` },
    bootstrap: {
      // The shortest that Patroni takes: a test waits for it.
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync', 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: postgresTools,
      pgpass: `${data}.pgpass`,
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { fsync: 'off', unix_socket_directories: '', max_connections: 60 },
    },
  };
}

function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function own(path: string): void {
  const { uid, gid } = account();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    if (pid > 0) process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

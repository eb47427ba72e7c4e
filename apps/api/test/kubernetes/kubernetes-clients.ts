import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { developmentCertificates } from '@platform/development';
import { timeoutFactor } from '@platform/development/testing';
import { createSchemaValidator } from '@platform/schema-validation';
import { type TestApi, useApi } from '../api.ts';

const run = promisify(execFile);

/** Whether a program is installed. */
export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['version', '--client']).error === undefined;

/** A `describe` for tests with a program; they are skipped where it is not installed. */
export const describeWith = (program: string): typeof describe =>
  isInstalled(program) ? describe : (describe.skip as typeof describe);

/** Whether kubectl is of this minor version or a later one: some of what is tested is younger than the oldest one that is supported. */
export function isKubectlSince(minor: number): boolean {
  const { stdout } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string } };
  return Number.parseInt(clientVersion.minor, 10) >= minor;
}

/** Makes `kubectl wait` and `kubectl delete` wait long enough for another kubectl to start and end meanwhile. */
export const patience = `--timeout=${20 * timeoutFactor}s`;

/** The end of a program. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An API that validates with schemas, clients in front of it, and requests of an operator. Call it at the top of a `describe`. */
export function useKubernetes() {
  const schemas = createSchemaValidator();
  const api = useApi({ schemas });
  afterAll(() => schemas.close());
  const clients = new KubernetesClients(api);
  const send = (method: string, path: string, body?: object, type = 'application/json') => {
    const sent = api.send(method, path).set('Content-Type', type);
    return body === undefined ? sent : sent.send(JSON.stringify(body));
  };
  return { api, clients, send };
}

/** Real clients of Kubernetes, each with a kubeconfig, in front of an API that runs in this process. They take credentials over TLS only. */
export class KubernetesClients {
  readonly #api: TestApi;
  readonly directory = mkdtempSync(join(tmpdir(), 'kubernetes-'));
  #server: Server | undefined;

  /** Call it at the top of a file or `describe`, after the API. */
  constructor(api: TestApi) {
    this.#api = api;
    beforeAll(() => this.#start());
    afterAll(() => this.#stop());
  }

  /** The address of the cluster. */
  get url(): string {
    const address = this.#server?.address() as AddressInfo | null;
    return `https://127.0.0.1:${address?.port}/kubernetes`;
  }

  async #start(): Promise<void> {
    const { authority, certificate, privateKey } = await developmentCertificates(this.directory, Date.now());
    writeFileSync(join(this.directory, 'ca.crt'), authority);
    this.#server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
      this.#api.server.emit('request', request, response);
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Cuts every connection of the clients. */
  cut(): void {
    this.#server?.closeAllConnections();
  }

  async #stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A kubeconfig of somebody, who has that token; `server` is the address, for connections of their own. */
  kubeconfig(user = 'operator', server = this.url): string {
    const file = join(this.directory, `${user}-${new URL(server).port}.kubeconfig`);
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [
        {
          name: 'test',
          cluster: { server, 'certificate-authority': join(this.directory, 'ca.crt') },
        },
      ],
      users: [{ name: user, user: { token: user } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user, namespace: 'acme' } }],
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  }

  /** Writes a file with objects, for `-f`. */
  file(name: string, ...objects: readonly object[]): string {
    const path = join(this.directory, name);
    const [only] = objects;
    const content = objects.length === 1 ? only : { apiVersion: 'v1', kind: 'List', items: objects };
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  #environment(user: string) {
    const home = this.directory;
    return {
      PATH: process.env['PATH'],
      HOME: home,
      KUBECONFIG: this.kubeconfig(user),
      KUBECACHEDIR: join(home, user),
    };
  }

  /** Runs a program to its end. */
  async run(
    program: string,
    parameters: readonly string[],
    { user = 'operator', input = '' } = {},
  ): Promise<Outcome> {
    const running = run(program, [...parameters], {
      env: this.#environment(user),
      timeout: 60_000 * timeoutFactor,
    });
    running.child.stdin?.end(input);
    try {
      return { code: 0, ...(await running) };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  }

  /** Returns the output of a command; throws its messages when it fails. */
  async output(
    program: string,
    parameters: readonly string[],
    options: { user?: string; input?: string } = {},
  ) {
    const { code, stdout, stderr } = await this.run(program, parameters, options);
    if (code !== 0) throw new Error(`${program} ${parameters.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  }

  kubectl(...parameters: readonly string[]): Promise<string> {
    return this.output('kubectl', parameters);
  }

  /** Starts a program that goes on; it must be stopped. */
  start(program: string, parameters: readonly string[], user = 'operator') {
    return spawn(program, [...parameters], {
      env: this.#environment(user),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

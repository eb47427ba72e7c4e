import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startProxy, type TcpProxy, timeoutFactor, until } from '@platform/development/testing';
import { createSchemaValidator } from '@platform/schema-validation';
import { type Json, TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { KubernetesClients } from './kubernetes-clients.ts';
import { organization } from './objects.ts';

const operator = fileURLToPath(new URL('../../../../examples/kubernetes-operator/main.js', import.meta.url));
const lease = '/kubernetes/apis/coordination.k8s.io/v1/namespaces/acme/leases/announcements';

/** Candidates for one Lease, written with the client of Kubernetes, each with a connection of its own. */
describe('a leader whose connections are cut', () => {
  let opener: StoreOpener = memoryStore;
  const schemas = createSchemaValidator();
  const api = new TestApi({ schemas, store: (clock) => opener(clock) });
  const candidates: { readonly child: ChildProcess; readonly proxy: TcpProxy }[] = [];
  afterAll(async () => {
    await api.stop();
    await schemas.close();
  });
  opener = postgresStore({ ticks: true });
  beforeAll(() => api.start());
  const clients = new KubernetesClients(api);
  beforeAll(() => api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201));
  afterEach(async () => {
    for (const { child, proxy } of candidates.splice(0)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await proxy.stop();
    }
    await api.send('DELETE', lease).expect(200);
  });

  /** A candidate writes into `said` when it begins and ends to lead. */
  async function start(identity: string, said: string[]): Promise<TcpProxy> {
    const proxy = await startProxy(new URL(clients.url));
    const child = spawn(process.execPath, [operator], {
      env: {
        PATH: process.env['PATH'],
        KUBECONFIG: clients.kubeconfig('operator', proxy.url),
        IDENTITY: identity,
        DIRECTORY: join(clients.directory, identity),
        // A candidate that gets no processor time for a moment must not lose it.
        LEASE_SECONDS: `${3 * timeoutFactor}`,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (child.stdout === null) throw new Error('no output');
    createInterface(child.stdout).on('line', (line) => said.push(line));
    candidates.push({ child, proxy });
    return proxy;
  }

  it.each([
    ['refused', (line: TcpProxy) => line.stop(), (line: TcpProxy) => line.start()],
    ['silent', async (line: TcpProxy) => line.freeze(), async (line: TcpProxy) => line.release()],
  ])(
    'stops before another one leads, and stays back when they return (%s)',
    async (_how, cut, restore) => {
      const said: string[] = [];
      const one = await start('one', said);
      await until(() => said.includes('one leads'));
      const two = await start('two', said);
      await cut(one);
      await until(() => said.includes('two leads'));
      expect(said).toEqual(['one leads', 'one stopped', 'two leads']);
      await restore(one);
      const renewals = async () => (await api.send('GET', lease)).body as Json;
      const before = (await renewals()).metadata.resourceVersion;
      await until(async () => (await renewals()).metadata.resourceVersion !== before);
      await cut(two);
      await until(() => said.length === 5);
      expect(said.slice(3)).toEqual(['two stopped', 'one leads']);
      expect((await renewals()).spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: 2 });
    },
    60_000,
  );
});

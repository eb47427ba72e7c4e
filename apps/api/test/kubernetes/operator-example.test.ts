import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { timeoutFactor, until } from '@platform/development/testing';
import { createSchemaValidator } from '@platform/schema-validation';
import { parseAllDocuments } from 'yaml';
import { type Json, TestApi } from '../api.ts';
import { memoryStore, postgresStore, type StoreOpener } from '../stores.ts';
import { KubernetesClients } from './kubernetes-clients.ts';
import { organization } from './objects.ts';

const example = fileURLToPath(new URL('../../../../examples/kubernetes-operator/', import.meta.url));
const announcements = '/kubernetes/apis/operator.example.dev/v1/namespaces/acme/announcements';
const lease = '/kubernetes/apis/coordination.k8s.io/v1/namespaces/acme/leases/announcements';
const manifest = (name: string): Json =>
  parseAllDocuments(readFileSync(join(example, 'manifests', name), 'utf8'))[0]?.toJS();

describe('the example of an operator', () => {
  let opener: StoreOpener = memoryStore;
  const schemas = createSchemaValidator();
  const api = new TestApi({ schemas, store: (clock) => opener(clock) });
  const running: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of running) await end(child, 'SIGKILL');
    await api.stop();
    await schemas.close();
  });
  opener = postgresStore({ ticks: true });
  beforeAll(() => api.start());
  const clients = new KubernetesClients(api);

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    const definitions = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await api.send('POST', definitions).send(manifest('crd.yaml')).expect(201);
  });

  function start(identity: string): ChildProcess {
    const child = spawn(process.execPath, [join(example, 'main.js')], {
      env: {
        PATH: process.env['PATH'],
        KUBECONFIG: clients.kubeconfig(),
        IDENTITY: identity,
        DIRECTORY: clients.directory,
        LEASE_SECONDS: `${2 * timeoutFactor}`,
      },
      stdio: 'ignore',
    });
    running.push(child);
    return child;
  }

  const file = (name: string) => join(clients.directory, `${name}.txt`);
  const textOf = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : null);
  const get = async (name: string) => (await api.send('GET', `${announcements}/${name}`)).body as Json;
  const leader = async () => ((await api.send('GET', lease)).body as Json).spec?.holderIdentity;
  const announce = async (name: string) => {
    const { spec, ...rest } = manifest('announcement.yaml');
    await api
      .send('POST', announcements)
      .send({ ...rest, metadata: { name }, spec })
      .expect(201);
  };
  const change = (name: string, text: string) =>
    api
      .send('PATCH', `${announcements}/${name}`)
      .type('application/merge-patch+json')
      .send(JSON.stringify({ spec: { text } }))
      .expect(200);

  it('publishes objects, says so in their status, and withdraws them before they are gone', async () => {
    await announce('welcome');
    start('one');
    await until(async () => (await get('welcome')).status?.observedGeneration === 1);
    expect(textOf('welcome')).toBe('To everybody: The library is open on Sundays.\n');
    const { metadata, status } = await get('welcome');
    expect(metadata.finalizers).toEqual(['operator.example.dev/published']);
    expect(status).toMatchObject({
      file: file('welcome'),
      conditions: [{ type: 'Published', status: 'True' }],
    });
    await change('welcome', 'The library is closed.');
    await until(async () => (await get('welcome')).status?.observedGeneration === 2);
    expect(textOf('welcome')).toContain('closed');
    await api.send('DELETE', `${announcements}/welcome`).expect(200);
    await until(() => textOf('welcome') === null);
    await until(async () => (await get('welcome')).metadata?.finalizers === undefined);
  });

  it('goes on after its connections were cut and the service was restarted', async () => {
    await announce('lasting');
    await until(() => textOf('lasting') !== null);
    const held = (await api.send('GET', lease)).body as Json;
    clients.cut();
    await api.stop();
    await api.start();
    await change('lasting', 'Still here.');
    await until(() => textOf('lasting')?.includes('Still here.') ?? false);
    const renewed = async () => (await api.send('GET', lease)).body.spec as Json;
    await until(async () => (await renewed()).renewTime > held.spec.renewTime);
    const { holderIdentity, leaseTransitions } = held.spec;
    expect(await renewed()).toMatchObject({ holderIdentity, leaseTransitions });
  });

  it('has one leader, and another one when it stops renewing or leaves', async () => {
    expect(await leader()).toBe('one');
    const second = start('two');
    await end(running[0], 'SIGKILL');
    await until(async () => (await leader()) === 'two');
    await announce('second');
    await until(() => textOf('second') !== null);
    start('three');
    await end(second, 'SIGTERM');
    await until(async () => (await leader()) === 'three');
    await change('second', 'By the third.');
    await until(() => textOf('second')?.includes('By the third.') ?? false);
    const { body } = await api.send('GET', lease);
    expect(body.spec.leaseTransitions).toBeGreaterThanOrEqual(2);
  });
});

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

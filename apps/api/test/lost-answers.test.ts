import { Problem } from '@platform/kernel';
import type { ResourceWriter, Transactions } from '@platform/resources';
import { TestApi } from './api.ts';
import { definition, definitions, given, register, resource, sentBack, v1 } from './kinds.ts';
import { memoryStore, type OpenStore } from './stores.ts';

/** A store that commits the next write, registers another kind, and then loses the answer of that write. */
class ForgetfulStore {
  commits = 0;
  #meanwhile: (() => Promise<unknown>) | null = null;

  loseNextAnswer(meanwhile: () => Promise<unknown>): void {
    this.commits = 0;
    this.#meanwhile = meanwhile;
  }

  wrap(store: OpenStore): OpenStore {
    const { writer, transactions } = store;
    const lossy: ResourceWriter = {
      create: (command) => this.#run(() => writer.create(command)),
      replace: (command) => this.#run(() => writer.replace(command)),
      replaceStatus: (command) => this.#run(() => writer.replaceStatus(command)),
      changeFinalizers: (command) => this.#run(() => writer.changeFinalizers(command)),
      removeLeaf: (command) => this.#run(() => writer.removeLeaf(command)),
    };
    const run: Transactions['run'] = (work) => this.#run(() => transactions.run(work));
    return { ...store, writer: lossy, transactions: { run } };
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    const result = await work();
    this.commits += 1;
    const meanwhile = this.#meanwhile;
    if (meanwhile === null) return result;
    this.#meanwhile = null;
    await meanwhile();
    this.commits = 1; // Registering the other kind does not count.
    throw new Problem('unavailable', 'The database cannot be reached.', { retryAfterSeconds: 1 });
  }
}

describe('a write whose answer is lost is not run again when a definition changes meanwhile', () => {
  const forgetful = new ForgetfulStore();
  const api = new TestApi({ store: (clock) => forgetful.wrap(memoryStore(clock)) });
  beforeAll(async () => {
    await api.start();
    await register(api, 'Farm');
  });
  afterAll(() => api.stop());

  const farms = `${v1}/farms`;
  let kinds = 0;
  const lose = () => forgetful.loseNextAnswer(async () => register(api, `Other${++kinds}`));

  it('create', async () => {
    await api.get(farms).expect(200);
    lose();
    await api.post(farms, resource('Farm', 'made')).expect(503);
    expect(forgetful.commits).toBe(1);
    await api.get(`${farms}/made`).expect(200);
  });

  it('replace, status and finalizers', async () => {
    const read = await given(api, 'Farm', ['changed']);
    const at = `${farms}/changed`;
    const writes = [
      () => api.put(at, sentBack(read, { spec: { a: 1 } })),
      () => api.put(`${at}/status`, { status: 1 }),
      () => api.put(`${at}/finalizers`, { add: ['x/y'] }),
    ];
    for (const [index, write] of writes.entries()) {
      await api.get(at).expect(200);
      lose();
      await write().expect(503);
      expect(forgetful.commits).toBe(1);
      const { body } = await api.get(at).expect(200);
      expect(body.metadata.revision).toBe(index + 2);
    }
  });

  it('delete', async () => {
    await given(api, 'Farm', ['gone']);
    await api.get(`${farms}/gone`).expect(200);
    lose();
    await api.delete(`${farms}/gone`).expect(503);
    expect(forgetful.commits).toBe(1);
  });

  it('but a refusal by an outdated definition is examined again', async () => {
    const other = definition('Late');
    await api.get(`${v1}/lates`).expect(404);
    await api.post(definitions, other).expect(201);
    await api.post(`${v1}/lates`, resource('Late', 'one')).expect(201);
  });
});

import { createMemoryStore } from '@platform/store-memory';
import { TestApi } from './api.ts';
import { organizations } from './kinds.ts';

const store = createMemoryStore({ clock: { now: () => 0 } });
const api = new TestApi({ store: () => ({ ...store, close: async () => {} }) });

beforeAll(() => api.start());
afterAll(() => api.stop());

describe('DELETE of an Organization', () => {
  it('is 409 while projects or teams belong to it, and nothing happens', async () => {
    const organization = {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Organization',
      metadata: { name: 'acme' },
    };
    const { body } = await api.post(organizations, organization).expect(201);
    store.linkTypedChild(body.metadata.uid);
    const answer = await api.delete(`${organizations}/acme`).expect(409);
    expect(answer.body.code).toBe('organization_in_use');
    expect((await api.get(`${organizations}/acme`)).body).toEqual(body);
  });

  it('is 200 when nothing belongs to it', async () => {
    const organization = {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Organization',
      metadata: { name: 'empty' },
    };
    await api.post(organizations, organization).expect(201);
    await api.delete(`${organizations}/empty`).expect(200);
  });
});

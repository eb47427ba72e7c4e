import { useApi } from './api.ts';

const organizations = 'platform.dev/v1alpha1/organizations';
const api = useApi();

describe('an unknown query parameter', () => {
  beforeAll(async () => {
    const body = {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Organization',
      metadata: { name: 'acme' },
      spec: { displayName: 'Acme' },
    };
    await api.post(organizations, body).expect(201);
  });

  it.each([
    ['GET', `${organizations}?limt=1`, 'limit, continue'],
    ['GET', `${organizations}/acme?limit=1`, 'watch'],
    ['PUT', `${organizations}/acme/status?slots=x`, 'slot'],
    ['GET', 'pending-deletion?continu=x', 'limit, continue'],
    ['DELETE', `${organizations}/acme?%00=`, 'uid, '],
  ])('is refused at %s %s, and the answer says what there is', async (method, path, known) => {
    const { body } = await api.send(method, `/api/v1/resources/${path}`).expect(400);
    expect(body.code).toBe('invalid_query');
    expect(body.detail).toContain(known);
  });

  it.each([
    `${organizations}?removed=maybe`,
    `${organizations}?removed=`,
    `${organizations}?removed=true&removed=true`,
    `${organizations}?removed=true&labelSelector=a`,
    `${organizations}/acme/history?full=1`,
    `${organizations}/acme/history?full=true&full=false`,
    `${organizations}/acme/history/1?limit=3`,
    `${organizations}/acme/history/1?full=true`,
    'platform.dev/v1alpha1/secrets/-?removed=true',
  ])('a parameter that would be ignored is refused: %s', async (path) => {
    const { body } = await api.get(path).expect(400);
    expect(body.code).toBe('invalid_query');
  });

  it.each([
    `${organizations}?labelSelector=a%3D%FF`,
    `${organizations}?continue=%C3%28`,
    `${organizations}/acme?%80=`,
    `${organizations}?removed=true&limit=1%ED%A0%80`,
  ])('a query that is not UTF-8 is refused: %s', async (path) => {
    const { body } = await api.get(path).expect(400);
    expect(body).toMatchObject({ code: 'invalid_query', detail: 'The query is not percent-encoded UTF-8.' });
  });

  it('is told only to callers who are let in', async () => {
    await api.get(`${organizations}?limt=1`, null).expect(401);
    await api.get(`${organizations}?limt=1`, 'user').expect(403);
  });
});

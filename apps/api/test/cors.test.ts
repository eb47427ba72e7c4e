import supertest from 'supertest';
import { WholeApi } from './whole/whole-api.ts';

const portal = 'https://portal.example.com';
const api = new WholeApi(() => ({ server: { cors_origins: [portal, 'https://Other.example.com:8443/'] } }));
const closed = new WholeApi();
const projects = '/api/v1/projects';

const preflight = (to: WholeApi, origin: string, path = projects) =>
  supertest(to.publicUrl)
    .options(path)
    .set('Origin', origin)
    .set('Access-Control-Request-Method', 'PATCH')
    .set('Access-Control-Request-Headers', 'authorization,content-type,if-match');

describe('server.cors_origins', () => {
  it('lets pages of these origins call the API with a token, and read what they need', async () => {
    const { headers } = await preflight(api, portal).expect(204);
    expect(headers['access-control-allow-origin']).toBe(portal);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    expect(headers['access-control-allow-headers']).toBe('authorization,content-type,if-match');
    const answer = await supertest(api.publicUrl)
      .get(projects)
      .set('Origin', 'https://other.example.com:8443')
      .set('Authorization', `Bearer ${api.session('operator')}`)
      .expect(200);
    expect(answer.headers['access-control-allow-origin']).toBe('https://other.example.com:8443');
    expect(answer.headers['access-control-expose-headers']).toContain('ETag');
    expect(answer.headers['vary']).toBe('Origin, Accept');
  });

  it('refuses OPTIONS that are not a preflight, as without origins', async () => {
    const { headers } = await supertest(api.publicUrl).options(projects).set('Origin', portal).expect(405);
    expect(headers['allow']).toBe('GET, POST');
  });

  it('shows refusals too, so that a program can read why', async () => {
    const { headers } = await supertest(api.publicUrl).get(projects).set('Origin', portal).expect(401);
    expect(headers['access-control-allow-origin']).toBe(portal);
  });

  // Attack: a page of another site uses the session of whoever opens it.
  it('never lets cookies count', async () => {
    const { headers } = await preflight(api, portal).expect(204);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.each([
    'https://evil.example',
    'https://portal.example.com.evil.example',
    'null',
    'http://portal.example.com',
  ])('tells %s nothing', async (origin) => {
    const { headers } = await preflight(api, origin);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is closed by default', async () => {
    const { headers } = await preflight(closed, portal);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

import { onEveryStore } from './api.ts';
import { given, organizations, register, v1 } from './kinds.ts';

onEveryStore((api) => {
  beforeAll(async () => {
    await register(api, 'Farm', { allowedStatusControllerIds: ['ctrl.example.dev'] });
    await register(api, 'Barn');
    await given(api, 'Farm', ['hill']);
    await given(api, 'Barn', ['red']);
  });

  describe('a request without valid credentials', () => {
    it.each([
      ['no credentials', {}],
      ['an unknown token', { Authorization: 'Bearer nobody' }],
      ['another scheme', { Authorization: 'Basic b3BlcmF0b3I6' }],
      ['an empty token', { Authorization: 'Bearer ' }],
      ['two tokens', { Authorization: 'Bearer operator operator' }],
    ])('is 401 with WWW-Authenticate: %s', async (_name, headers) => {
      const answer = await api.send('GET', `/api/v1/resources/${organizations}`, null).set(headers);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body.code).toBe('unauthenticated');
    });

    it('is 401 before its path, its method and its body are looked at', async () => {
      await api.send('PATCH', '/api/v1/resources/%zz//', null).expect(401);
      await api.send('POST', '/api/v1/resources/nothing/v1/here', null).send('{').expect(401);
    });

    it('takes the scheme without case', async () => {
      await api
        .send('GET', `/api/v1/resources/${organizations}`, null)
        .set('Authorization', 'bEARER operator')
        .expect(200);
    });
  });

  describe('a caller without access', () => {
    const probes: readonly (readonly [string, string])[] = [
      ['GET', `/api/v1/resources/${v1}/farms`],
      ['GET', `/api/v1/resources/${v1}/farms/hill`],
      ['GET', '/api/v1/resources/unknown.example/v1/things'],
      ['GET', '/api/v1/resources/pending-deletion'],
      ['POST', `/api/v1/resources/${v1}/farms`],
      ['PUT', `/api/v1/resources/${v1}/farms/hill/status`],
      ['PATCH', `/api/v1/resources/${v1}/farms`],
      ['OPTIONS', `/api/v1/resources/${v1}/farms`],
      ['DELETE', '/api/v1/resources/%ff//uid:'],
      ['GET', '/api/v1/resources'],
      ['GET', '/api/v1/resources/'],
    ];

    it.each(['user', 'serviceaccount'])('gets one and the same 403 whatever is asked for: %s', async (as) => {
      const bodies = new Set<string>();
      for (const [method, path] of probes) {
        const answer = await api
          .send(method, path, as)
          .set('X-Request-Id', 'same')
          .set('Content-Type', 'text/plain')
          .send('{ no json');
        expect([method, path, answer.status]).toEqual([method, path, 403]);
        // The path of the request is the one member that differs, by contract.
        bodies.add(answer.text.replace(JSON.stringify(path), '"<path>"'));
      }
      expect([...bodies]).toEqual([expect.stringContaining('"instance":"<path>"')]);
    });

    it('gets the 403 without its body being read', async () => {
      const answer = await api.post(`${v1}/farms`, 'x'.repeat(100_000), 'user');
      expect(answer.status).toBe(403);
    });

    it('is recorded', async () => {
      api.audit.records.length = 0;
      await api.delete(`${v1}/farms/hill`, 'user').set('X-Request-Id', 'r-1').expect(403);
      expect(api.audit.records).toEqual([
        {
          message: 'resource.access_denied',
          requestId: 'r-1',
          actor: { type: 'user', id: 'dev@example.dev' },
          details: { method: 'DELETE', path: `/api/v1/resources/${v1}/farms/hill`, code: 'forbidden' },
        },
      ]);
    });

    it('is recorded with the beginning of a long path', async () => {
      api.audit.records.length = 0;
      await api.get(`${v1}/${'x'.repeat(10_000)}`, 'user').expect(403);
      expect(JSON.stringify(api.audit.records).length).toBeLessThan(1_000);
    });

    it('is recorded ten times a minute for an address without credentials', async () => {
      api.time += 60_000;
      api.audit.records.length = 0;
      for (let count = 0; count < 15; count += 1) await api.get(`${v1}/farms`, null).expect(401);
      expect(api.audit.records).toHaveLength(10);
      await api.delete(`${v1}/farms/hill`, 'user').expect(403);
      api.time += 60_000;
      await api.get(`${v1}/farms`, null).expect(401);
      expect(api.audit.records).toHaveLength(12);
    });

    it('is recorded as anonymous when it has no credentials', async () => {
      api.audit.records.length = 0;
      await api.get(`${v1}/farms`, null).expect(401);
      expect(api.audit.records).toMatchObject([
        {
          message: 'resource.access_denied',
          actor: { type: 'anonymous' },
          details: { code: 'unauthenticated' },
        },
      ]);
    });
  });

  describe('a controller', () => {
    it('writes status and finalizers where the collection lists it', async () => {
      await api.put(`${v1}/farms/hill/status`, { status: 1 }, 'controller').expect(200);
      await api.put(`${v1}/farms/hill/finalizers`, { add: ['ctrl.example.dev/x'] }, 'controller').expect(200);
      await api
        .put(`${v1}/farms/hill/finalizers`, { remove: ['ctrl.example.dev/x'] }, 'controller')
        .expect(200);
    });

    it.each([
      ['GET', 'farms'],
      ['POST', 'farms'],
      ['GET', 'farms/hill'],
      ['PUT', 'farms/hill'],
      ['DELETE', 'farms/hill'],
      ['GET', 'farms/hill/deletion-blockers'],
    ])('may do nothing else: %s %s', async (method, path) => {
      const answer = await api.send(method, `/api/v1/resources/${v1}/${path}`, 'controller').send('{}');
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe('forbidden');
    });

    it('may not list what is pending deletion', async () => {
      await api.get('pending-deletion', 'controller').expect(403);
    });

    it.each([
      ['an empty allowlist', 'barns/red'],
      ['an empty allowlist, row missing', 'barns/gone'],
      ['another controller listed', 'farms/hill'],
      ['another controller listed, row missing', 'farms/gone'],
    ])('is refused by %s, whether or not the row exists', async (name, path) => {
      const as = name.startsWith('another') ? 'other-controller' : 'controller';
      await api.put(`${v1}/${path}/status`, { status: 1 }, as).expect(403);
      await api.put(`${v1}/${path}/finalizers`, '{ no json', as).expect(403);
    });

    it('is refused at built-in collections', async () => {
      await api.put(`${organizations}/default/status`, { status: 1 }, 'controller').expect(403);
    });

    it('learns of path, collection and method before its rights', async () => {
      await api.get(`${v1}//farms`, 'controller').expect(400);
      await api.get('unknown.example/v1/things', 'controller').expect(404);
      await api.post(`${v1}/farms/hill/status`, {}, 'controller').expect(405);
    });

    it('sees 404 for a missing row where it has access', async () => {
      await api.put(`${v1}/farms/gone/status`, { status: 1 }, 'controller').expect(404);
    });
  });

  describe('a session cookie', () => {
    const path = `/api/v1/resources/${v1}/farms`;

    it('authenticates a safe method from anywhere', async () => {
      await api.send('GET', path, null).set('Cookie', 'a=b; platform_session=operator').expect(200);
    });

    it.each([
      ['no origin', {}],
      ['another origin', { Origin: 'http://evil.test' }],
      ['a look-alike origin', { Origin: 'http://platform.test.evil.test' }],
      ['an opaque origin', { Origin: 'null' }],
    ])('does not authenticate an unsafe method with %s', async (_name, headers) => {
      await api
        .send('POST', path, null)
        .set('Cookie', 'platform_session=operator')
        .set(headers)
        .send('{}')
        .expect(401);
    });

    it("authenticates an unsafe method from the platform's own origin", async () => {
      const answer = await api
        .send('POST', path, null)
        .set({
          Cookie: 'platform_session=operator',
          Origin: 'http://platform.test',
          'Content-Type': 'application/json',
        })
        .send('{}');
      expect(answer.body.code).toBe('validation_failed');
    });

    it('is never looked at when there is an Authorization header', async () => {
      await api.send('GET', path, 'nobody').set('Cookie', 'platform_session=operator').expect(401);
      await api
        .send('GET', path, null)
        .set({ Authorization: 'Basic eA==', Cookie: 'platform_session=operator' })
        .expect(401);
    });

    it('holds nothing but a session', async () => {
      await api.send('GET', path, null).set('Cookie', 'platform_session=controller').expect(401);
    });
  });
});

import express from 'express';
import { type BoundEndpoint, endpoint } from '../../src/endpoint/descriptor.ts';
import { mountFamilies } from '../../src/endpoint/family.ts';
import { type MountSettings, mountEndpoints } from '../../src/endpoint/mount.ts';
import { ServiceState } from '../../src/process/readiness.ts';
import { consoleFamily } from '../../src/routes/console/index.ts';
import { allEndpoints } from '../../src/routes/index.ts';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

const perMinute = 3;
const api = new WholeApi(() => ({ limits: { oauth_requests_per_minute: perMinute } }));
const settings = { limits: {} } as MountSettings;

describe('an endpoint that anybody may call', () => {
  const open = allEndpoints.filter(({ access }) => access === 'public');

  it.each(open.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s has a limit, or says why not',
    (_, one) => {
      expect([one.limit === undefined, one.unlimited === undefined]).toContain(true);
      expect(one.limit ?? one.unlimited).toMatch(/^(credentials|work|.{15,})$/);
    },
  );

  it.each(allEndpoints.filter(({ limit }) => limit !== undefined).map((one) => [one.id, one] as const))(
    '%s documents the refusal of its limit',
    (_, { problems = [], oauthErrors = {} }) => {
      expect(problems.includes('rate_limited') || 429 in oauthErrors).toBe(true);
    },
  );

  // Attack: a new public endpoint does expensive work for anybody, because its author forgot the limit.
  it('is not mounted without either', () => {
    const careless = endpoint({
      method: 'GET',
      path: '/careless',
      id: 'careless',
      tag: 'Operations',
      summary: 'Work',
      access: 'public',
      responses: { 200: { description: 'Done.' } },
      handle: () => ({ status: 200 }),
    }) as BoundEndpoint;
    expect(() => mountEndpoints(express(), [careless], settings)).toThrow('GET /careless is public');
    const { unlimited: _reason, ...family } = consoleFamily();
    expect(() => mountFamilies(express(), [family], settings)).toThrow('/console may be public');
  });

  it('refuses to render metrics more often than the limit', async () => {
    for (let asked = 0; asked < perMinute; asked += 1)
      await request(api.publicUrl).get('/metrics').expect(200);
    const refused = await request(api.publicUrl).get('/metrics').expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await request(api.publicUrl).get('/healthz').expect(200);
  });

  it('answers readiness to many with one check of the database', async () => {
    let checks = 0;
    let finish = () => {};
    const state = new ServiceState(() => {
      checks += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    state.prepared();
    const asked = Array.from({ length: 100 }, () => state.reasons());
    finish();
    expect((await Promise.all(asked)).flat()).toEqual([]);
    expect(checks).toBe(1);
    const again = state.reasons();
    finish();
    await again;
    expect(checks).toBe(2);
  });
});

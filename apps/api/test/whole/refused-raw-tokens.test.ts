import request from '../openapi/documented-request.ts';
import { ExternalIssuer } from './external-issuer.ts';
import { WholeApi } from './whole-api.ts';

const issuer = new ExternalIssuer();
const api = new WholeApi(async () => {
  await issuer.start();
  return {
    auth: { admin_users: ['admin@example.dev'], allow_raw_external_tokens: false },
    outbound: { allow_insecure_origins: [issuer.url] },
  };
});
afterAll(() => issuer.close());

it('the log names the account, the address and the program of a refused raw token, and not the token', async () => {
  await api.as('admin', 'post', '/api/v1/projects').send({ name: 'shop' }).expect(201);
  await api
    .as('admin', 'post', '/api/v1/projects/shop/service-accounts')
    .send({ name: 'ci', issuer_url: issuer.url, claims: { aud: 'shop-ci', sub: 'repo:*' } })
    .expect(201);
  const token = await issuer.token({ aud: 'shop-ci', sub: 'repo:a' });
  for (let time = 0; time < 2; time += 1)
    await request(api.publicUrl)
      .get('/api/v1/projects/shop')
      .set('Authorization', `Bearer ${token}`)
      .set('User-Agent', 'ci-job/7')
      .expect(401);
  const lines = api.log.split('\n').filter((line) => line.includes('exchange it first'));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'warn',
      project: 'shop',
      account: 'shop+ci@sa.platform.local',
      issuer: issuer.url,
      sourceAddress: expect.stringContaining('127.0.0.1'),
      userAgent: 'ci-job/7',
    }),
  ]);
  expect(api.log).not.toContain(token);
});

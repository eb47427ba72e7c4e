import request from '../../../test/openapi/documented-request.ts';
import { startPlatform } from '../../../test/platform-tokens.ts';

let platform: Awaited<ReturnType<typeof startPlatform>>;

beforeAll(async () => {
  platform = await startPlatform({ clock: { now: () => 1_750_000_000_000 } });
});

afterAll(() => platform.close());

describe('GET /.well-known/openid-configuration', () => {
  it('is public, cacheable, and has what OpenID Connect Discovery requires', async () => {
    const { publicUrl } = platform;
    const answer = await request(publicUrl).get('/.well-known/openid-configuration').expect(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/api/v1/auth/authorize`,
      token_endpoint: `${publicUrl}/api/v1/auth/code/exchange`,
      jwks_uri: `${publicUrl}/api/v1/auth/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    });
  });

  it('names no host but the configured one, whatever the Host header says', async () => {
    const answer = await request(platform.publicUrl)
      .get('/.well-known/openid-configuration')
      .set('Host', 'attacker.example')
      .set('X-Forwarded-Host', 'attacker.example')
      .expect(200);
    expect(answer.text).not.toContain('attacker');
  });
});

describe('GET /api/v1/auth/jwks', () => {
  it('is public, cacheable, and holds public members only', async () => {
    const answer = await request(platform.publicUrl).get('/api/v1/auth/jwks').expect(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    const { keys } = answer.body as { keys: Record<string, unknown>[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('has no other method', async () => {
    const answer = await request(platform.publicUrl).post('/api/v1/auth/jwks').expect(405);
    expect(answer.headers['allow']).toBe('GET');
  });
});

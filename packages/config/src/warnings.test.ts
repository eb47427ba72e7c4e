import { load } from '../test/configuration.ts';

describe('warnings', () => {
  it.each([
    [['0.0.0.0/0'], 1],
    [['10.0.0.0/8', '::/0'], 1],
    [['10.0.0.0/8', 'fd00::/8', '192.0.2.1/32'], 0],
  ])('name trusted_proxies %j that trust everybody', (trusted_proxies, count) => {
    const about = load({ server: { trusted_proxies } }).warnings.filter((text) =>
      text.startsWith('server.trusted_proxies: '),
    );
    expect(about).toHaveLength(count);
  });

  it.each([
    ['postgres://me:secret@db.example/platform', true],
    ['postgres://me:secret@db.example/platform?sslmode=require', true],
    ['postgres://10.0.0.7:5432/platform', true],
    ['postgres://127.0.0.1,b.example/platform', true],
    ['postgres://db.example/platform?sslmode=verify-full', false],
    ['postgres://a.example,b.example/platform?target_session_attrs=primary&sslmode=verify-full', false],
    ['postgres://me:secret@127.0.0.1:5432/platform', false],
    ['postgres://[::1]:5432/platform', false],
    ['postgres://postgres/platform', false],
  ])('name a database that others can pose as, without its password: %s %s', (url, warned) => {
    const about = load({ database: { url } }).warnings.filter((text) => text.startsWith('database.url: '));
    expect(about).toEqual(warned ? [expect.stringContaining('sslmode=verify-full is not set')] : []);
    expect(about.join()).not.toContain('secret');
  });

  it.each([
    [{}, {}, undefined],
    [{ max_connections: 20_001 }, {}, undefined],
    [{ max_connections: 20_000 }, {}, 'server.max_connections: is not above limits.watches'],
    [{}, { watches: 25_000 }, 'server.max_connections: is not above limits.watches'],
    [{}, { watches: 1_001 }, undefined],
    [{}, { watches: 1_000 }, 'limits.watches_per_caller: is not below limits.watches'],
  ])('name limits that leave nothing to others: %j %j', (server, limits, warning) => {
    const expected = warning === undefined ? [] : [expect.stringContaining(warning)];
    const about = load({ server, limits }).warnings.filter((text) => text.includes('limits.watches'));
    expect(about).toEqual(expected);
  });

  it('name variables that look like a key of the configuration, and are none', () => {
    const names = ['PLATFORM_SERVER__LISTEN', 'PLATFORM_DEFAULT_ORGANIZATION__NAME'];
    const others = ['PLATFORM_URL', 'PLATFORM_API__PORT', 'PLATFORM__LOG__LEVEL', 'OTHER_SERVER__LISTEN'];
    const env = Object.fromEntries([...names, ...others].map((name) => [name, 'info']));
    expect(load({}, env).warnings).toEqual([
      'PLATFORM_DEFAULT_ORGANIZATION__NAME: has no effect; write PLATFORM__DEFAULT_ORGANIZATION__NAME',
      'PLATFORM_SERVER__LISTEN: has no effect; write PLATFORM__SERVER__LISTEN',
    ]);
  });

  it('name an issuer whose keys will not be fetched', () => {
    const auth = { controllers: [{ id: 'c', issuer: 'http://127.0.0.1:9', claims: { aud: 'p' } }] };
    expect(load({ auth }).warnings).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:9: is not https/),
    ]);
    const outbound = { allow_insecure_origins: ['http://127.0.0.1:9'] };
    expect(load({ auth, outbound }).warnings).toEqual([]);
  });
});

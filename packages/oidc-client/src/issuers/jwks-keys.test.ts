import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Logger, Outbound } from '@platform/kernel';
import { OutboundError } from '@platform/kernel';
import { unknownKidMs } from '../documents/key-sets.ts';
import { createProviderDocuments } from '../documents/provider-documents.ts';
import { createJwksKeys, issuerFreshness } from './jwks-keys.ts';

const ISSUER = 'https://issuer.example';
const DISCOVERY = `${ISSUER}/.well-known/openid-configuration`;
const JWKS = `${ISSUER}/keys`;

const pairs = Array.from({ length: 3 }, () => generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
const [first, second, third] = pairs as [KeyObject, KeyObject, KeyObject];
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
const weakModulus = String(weak.export({ format: 'jwk' }).n);
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;

const jwk = (key: KeyObject, kid?: string, more = {}) => ({ ...key.export({ format: 'jwk' }), kid, ...more });
const pemOf = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' });

/** An issuer that the test controls, with the clock of the module. */
function fixture(options: { maxIssuers?: number; trusted?: string[] } = {}) {
  const documents = new Map<string, unknown>([
    [DISCOVERY, { issuer: ISSUER, jwks_uri: JWKS }],
    [JWKS, { keys: [jwk(first, 'one')] }],
  ]);
  const asked: string[] = [];
  const warnings: unknown[] = [];
  const state = { now: 1_000_000, down: false };
  const outbound: Outbound = {
    async request({ url }) {
      const body = Buffer.from(JSON.stringify(await outbound.getJson(url)));
      return { status: 200, headers: {}, body };
    },
    async getJson(url) {
      asked.push(url);
      if (state.down || !documents.has(url)) throw new OutboundError('unreachable', 'down');
      return structuredClone(documents.get(url));
    },
  };
  const logger = { warn: (_message: string, fields: unknown) => warnings.push(fields) };
  const trusted = new Set(options.trusted ?? [ISSUER]);
  const bound = options.maxIssuers === undefined ? {} : { maxEntries: options.maxIssuers };
  const keys = createJwksKeys({
    documents: createProviderDocuments({ outbound, clock: { now: () => state.now }, ...bound }),
    logger: logger as unknown as Logger,
    trustedIssuers: { isTrusted: (issuer) => trusted.has(issuer) },
  });
  const publish = (...published: unknown[]) => documents.set(JWKS, { keys: published });
  return { keys, documents, asked, warnings, state, publish, trusted };
}

describe('the keys of an external issuer', () => {
  it('are discovered, fetched and cached', async () => {
    const { keys, asked } = fixture();
    expect((await keys.find(ISSUER, 'one'))?.pem.trim()).toBe(String(pemOf(first)).trim());
    await keys.find(ISSUER, 'one');
    expect(asked).toEqual([DISCOVERY, JWKS]);
  });

  it('are fetched once for concurrent callers', async () => {
    const { keys, asked } = fixture();
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.find(ISSUER, 'one')));
    expect(found.every((key) => key === found[0] && key !== undefined)).toBe(true);
    expect(asked).toEqual([DISCOVERY, JWKS]);
  });

  it('are never fetched from an untrusted issuer', async () => {
    const { keys, asked } = fixture();
    expect(await keys.find('https://attacker.example', 'one')).toBeUndefined();
    expect(await keys.find(`${ISSUER}/`, 'one')).toBeUndefined();
    expect(await keys.find(`${ISSUER}?x=`, 'one')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('are no longer used when the issuer is no longer trusted', async () => {
    const { keys, trusted } = fixture();
    expect(await keys.find(ISSUER, 'one')).toBeDefined();
    trusted.delete(ISSUER);
    expect(await keys.find(ISSUER, 'one')).toBeUndefined();
  });

  it('are discovered without a double slash for an issuer that ends in a slash', async () => {
    const issuer = `${ISSUER}/tenant/`;
    const { keys, documents } = fixture({ trusted: [issuer] });
    documents.set(`${ISSUER}/tenant/.well-known/openid-configuration`, { issuer, jwks_uri: JWKS });
    expect(await keys.find(issuer, 'one')).toBeDefined();
  });

  it.each([
    ['another issuer', { issuer: 'https://other.example', jwks_uri: JWKS }],
    ['the same issuer with a slash', { issuer: `${ISSUER}/`, jwks_uri: JWKS }],
    ['no issuer', { jwks_uri: JWKS }],
    ['no jwks_uri', { issuer: ISSUER }],
    ['null', null],
  ])('are rejected if discovery names %s', async (_name, document) => {
    const { keys, documents, asked } = fixture();
    documents.set(DISCOVERY, document);
    expect(await keys.find(ISSUER, 'one')).toBeUndefined();
    expect(asked).toEqual([DISCOVERY]);
  });

  it('contain only keys for RS256 signatures', async () => {
    const { keys, publish } = fixture();
    publish(
      jwk(first, 'encrypts', { use: 'enc' }),
      jwk(first, 'other-algorithm', { alg: 'PS256' }),
      jwk(first),
      jwk(weak, 'weak'),
      jwk(weak, 'padded', { n: weakModulus.padStart(342, 'A') }),
      jwk(weak, 'stretched', { n: weakModulus.padEnd(342, '!') }),
      jwk(ec, 'curve'),
      { kty: 'oct', kid: 'secret', k: 'c2VjcmV0' },
      jwk(first, 'enormous', { n: 'A'.repeat(200_000) }),
      jwk(first, 'twice'),
      jwk(second, 'twice'),
      null,
      'text',
      jwk(third, 'good', { use: 'sig', alg: 'RS256' }),
    );
    for (const kid of [
      'encrypts',
      'other-algorithm',
      'undefined',
      'weak',
      'padded',
      'stretched',
      'curve',
      'secret',
      'enormous',
      'twice',
    ]) {
      expect([kid, await keys.find(ISSUER, kid)]).toEqual([kid, undefined]);
    }
    expect(await keys.find(ISSUER, 'good')).toBeDefined();
  });

  it.each(['__proto__', 'constructor', '../../etc/passwd', "' or 1=1 --"])(
    'know no kid like %s',
    async (kid) => {
      const { keys } = fixture();
      expect(await keys.find(ISSUER, kid)).toBeUndefined();
    },
  );
});

describe('key rotation', () => {
  it('takes effect at once: an unknown kid fetches the keys again', async () => {
    const { keys, publish, asked } = fixture();
    await keys.find(ISSUER, 'one');
    publish(jwk(first, 'one'), jwk(second, 'two'));
    expect(await keys.find(ISSUER, 'two')).toBeDefined();
    expect(asked).toEqual([DISCOVERY, JWKS, JWKS]);
  });

  it('fetches at most once in 30 seconds, however many unknown kids arrive', async () => {
    const { keys, asked, state, publish } = fixture();
    await keys.find(ISSUER, 'one');
    for (let i = 0; i < 50; i += 1) await keys.find(ISSUER, `invented-${i}`);
    await Promise.all(Array.from({ length: 50 }, (_, i) => keys.find(ISSUER, `parallel-${i}`)));
    expect(asked).toEqual([DISCOVERY, JWKS, JWKS]);
    publish(jwk(second, 'two'));
    state.now += unknownKidMs - 1;
    expect(await keys.find(ISSUER, 'two')).toBeUndefined();
    state.now += 1;
    expect(await keys.find(ISSUER, 'two')).toBeDefined();
    expect(asked).toHaveLength(4);
  });

  it('does not fetch twice for a kid that is missing in a first fetch', async () => {
    const { keys, asked } = fixture();
    expect(await keys.find(ISSUER, 'unknown')).toBeUndefined();
    expect(asked).toEqual([DISCOVERY, JWKS]);
  });

  it('keeps the object of a key that did not change', async () => {
    const { keys, publish } = fixture();
    const before = await keys.find(ISSUER, 'one');
    publish(jwk(first, 'one'), jwk(second, 'two'));
    await keys.find(ISSUER, 'two');
    expect(await keys.find(ISSUER, 'one')).toBe(before);
  });

  it('drops a withdrawn key when the cached keys are no longer fresh', async () => {
    const { keys, publish, state } = fixture();
    await keys.find(ISSUER, 'one');
    publish();
    expect(await keys.find(ISSUER, 'one')).toBeDefined();
    state.now += issuerFreshness.freshMs;
    expect(await keys.find(ISSUER, 'one')).toBeUndefined();
  });
});

describe('an unreachable issuer', () => {
  it('has cached keys for an hour, and no longer', async () => {
    const { keys, state } = fixture();
    await keys.find(ISSUER, 'one');
    state.down = true;
    state.now += issuerFreshness.staleMs - 1;
    expect(await keys.find(ISSUER, 'one')).toBeDefined();
    state.now += 1;
    expect(await keys.find(ISSUER, 'one')).toBeUndefined();
  });

  it('is not contacted for a while after a failure', async () => {
    const { keys, state, asked, warnings } = fixture();
    state.down = true;
    for (let i = 0; i < 10; i += 1) expect(await keys.find(ISSUER, 'one')).toBeUndefined();
    expect(asked).toHaveLength(1);
    expect(warnings).toEqual([{ issuer: ISSUER, reason: 'unreachable', detail: 'down' }]);
    state.down = false;
    state.now += issuerFreshness.failureMs;
    expect(await keys.find(ISSUER, 'one')).toBeDefined();
  });

  it('is discovered again after a failure, because its keys may have moved', async () => {
    const { keys, state, documents, asked } = fixture();
    await keys.find(ISSUER, 'one');
    documents.delete(JWKS);
    await keys.find(ISSUER, 'two');
    documents.set(DISCOVERY, { issuer: ISSUER, jwks_uri: `${JWKS}/new` });
    documents.set(`${JWKS}/new`, { keys: [jwk(second, 'two')] });
    state.now += unknownKidMs;
    expect(await keys.find(ISSUER, 'two')).toBeDefined();
    expect(asked.slice(-2)).toEqual([DISCOVERY, `${JWKS}/new`]);
  });
});

const issuers = ['https://a.example', 'https://b.example', 'https://c.example'] as const;

/** Three issuers, of which the caches hold two. */
function manyIssuers() {
  const made = fixture({ maxIssuers: 2, trusted: [...issuers] });
  for (const issuer of issuers)
    made.documents.set(`${issuer}/.well-known/openid-configuration`, { issuer, jwks_uri: JWKS });
  return made;
}

describe('the number of issuers', () => {
  it('is limited: the least recently used one is evicted', async () => {
    const { keys, asked } = manyIssuers();
    for (const issuer of issuers) expect(await keys.find(issuer, 'one')).toBeDefined();
    asked.length = 0;
    await keys.find('https://c.example', 'one');
    expect(asked).toEqual([]);
    await keys.find('https://a.example', 'one');
    expect(asked).toHaveLength(2);
  });

  // Attack: tokens of more issuers than the cache holds evict each other's entries, so that each token costs a fetch again.
  it('does not limit for how long a failed issuer is left alone', async () => {
    const { keys, asked, state, warnings } = manyIssuers();
    state.down = true;
    for (const issuer of issuers) await keys.find(issuer, 'one');
    expect([asked.length, warnings.length]).toEqual([3, 3]);
    for (const issuer of issuers) expect(await keys.find(issuer, 'one')).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it('does not limit for how long invented key ids fetch nothing', async () => {
    const { keys, asked } = manyIssuers();
    const [victim, ...others] = issuers;
    await keys.find(victim, 'one');
    await keys.find(victim, 'invented-1');
    for (const issuer of others) await keys.find(issuer, 'one');
    expect(await keys.find(victim, 'one')).toBeDefined();
    asked.length = 0;
    expect(await keys.find(victim, 'invented-2')).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('a clock that is set back', () => {
  it('makes cached keys be fetched again, so that withdrawn keys are not used for longer', async () => {
    const { keys, publish, state } = fixture();
    await keys.find(ISSUER, 'one');
    publish();
    state.now -= 24 * 60 * 60_000;
    expect(await keys.find(ISSUER, 'one')).toBeUndefined();
  });

  it('does not keep a failed issuer away for longer', async () => {
    const { keys, state } = fixture();
    state.down = true;
    await keys.find(ISSUER, 'one');
    state.down = false;
    state.now -= 24 * 60 * 60_000;
    expect(await keys.find(ISSUER, 'one')).toBeDefined();
  });

  it('does not delay a key rotation', async () => {
    const { keys, publish, state } = fixture();
    await keys.find(ISSUER, 'one');
    await keys.find(ISSUER, 'invented');
    state.now -= 24 * 60 * 60_000;
    await keys.find(ISSUER, 'one');
    publish(jwk(second, 'two'));
    expect(await keys.find(ISSUER, 'two')).toBeDefined();
  });
});

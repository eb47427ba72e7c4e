import { randomBytes } from 'node:crypto';
import {
  createFixture,
  external,
  externalClaims,
  forge,
  issuerRsa,
  ring,
  rsa,
  secretBytes,
  sessionClaims,
} from '../fixture.ts';
import { issueFor, kindNames, verify } from '../kinds.ts';

const { tokens, authenticator } = createFixture();
const { kid } = ring;
const refused = { code: 'unauthenticated' };

/** Every form in which the published key may be taken for a secret. */
const publicForms: readonly [string, Buffer][] = [
  ['PEM', Buffer.from(String(rsa.publicKey.export({ format: 'pem', type: 'spki' })))],
  [
    'PEM without its last line break',
    Buffer.from(String(rsa.publicKey.export({ format: 'pem', type: 'spki' })).trim()),
  ],
  ['PKCS#1 PEM', Buffer.from(String(rsa.publicKey.export({ format: 'pem', type: 'pkcs1' })))],
  ['DER', rsa.publicKey.export({ format: 'der', type: 'spki' })],
  ['JWK', Buffer.from(JSON.stringify(ring.jwks.keys[0]))],
  ['modulus', Buffer.from(ring.jwks.keys[0]?.n ?? '', 'base64url')],
];

/** The claims of a genuine token of the kind. */
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('HS256 with the published key as the secret', () => {
  it.each(publicForms)('as %s: refused by every kind and by the API', async (_form, key) => {
    for (const kind of kindNames) {
      const genuine = issueFor(tokens, kind);
      const token = forge({ ...headerOf(genuine), alg: 'HS256' }, claimsOf(genuine), key);
      expect([kind, verify(kind, token)]).toEqual([kind, expect.stringMatching(/^(algorithm|signature)$/)]);
      await expect(authenticator.bearer(token)).rejects.toMatchObject(refused);
    }
  });

  it('of an external issuer: refused', async () => {
    const key = Buffer.from(String(issuerRsa.publicKey.export({ format: 'pem', type: 'spki' })));
    const token = forge({ alg: 'HS256', typ: 'JWT', kid: 'one' }, externalClaims(), key);
    await expect(authenticator.bearer(token)).rejects.toMatchObject(refused);
  });
});

describe('no signature', () => {
  it.each(['none', 'None', 'NONE', 'nOnE', '', null])(
    'alg %j: refused by every kind and by the API',
    async (alg) => {
      for (const kind of kindNames) {
        const genuine = issueFor(tokens, kind);
        const bare = forge({ ...headerOf(genuine), alg }, claimsOf(genuine), undefined);
        const dressed = `${bare}${genuine.split('.')[2]}`;
        expect([kind, verify(kind, bare)]).toEqual([kind, 'malformed']);
        expect([kind, verify(kind, dressed)]).toEqual([kind, 'algorithm']);
        await expect(authenticator.bearer(bare)).rejects.toMatchObject(refused);
        await expect(authenticator.bearer(dressed)).rejects.toMatchObject(refused);
      }
    },
  );

  it('of an external token: refused', async () => {
    const token = forge({ alg: 'none', typ: 'JWT', kid: 'one' }, externalClaims(), undefined);
    await expect(authenticator.bearer(token)).rejects.toMatchObject(refused);
    await expect(authenticator.bearer(`${token}AAAA`)).rejects.toMatchObject(refused);
  });

  it('left out of a token that says it is signed: refused', () => {
    for (const kind of kindNames) {
      const [header, claims] = issueFor(tokens, kind).split('.');
      expect(verify(kind, `${header}.${claims}.`)).toBe('malformed');
    }
  });
});

describe('another algorithm', () => {
  it.each(['HS384', 'HS512', 'RS384', 'PS256', 'ES256', 'EdDSA', 'RS256', 'hs256', ['HS256']])(
    'a session that says %j: refused',
    (alg) => {
      expect(verify('session', forge({ alg, typ: 'JWT' }, sessionClaims(), secretBytes))).toBe('algorithm');
    },
  );

  it.each(['HS256', 'RS384', 'PS256', 'ES256'])('an external token that says %s: refused', async (alg) => {
    await expect(authenticator.bearer(external({}, { alg }))).rejects.toMatchObject(refused);
  });

  it("a session signed RS256 with the platform's own key: refused", async () => {
    const token = forge({ alg: 'RS256', typ: 'JWT', kid }, sessionClaims(), rsa.privateKey);
    expect(verify('session', token)).toBe('algorithm');
    await expect(authenticator.bearer(token)).rejects.toMatchObject(refused);
  });

  it('a workload token signed with the session secret: refused', () => {
    const claims = claimsOf(issueFor(tokens, 'workload'));
    expect(verify('workload', forge({ alg: 'HS256', typ: 'JWT', kid }, claims, secretBytes))).toBe(
      'algorithm',
    );
    expect(verify('workload', forge({ alg: 'RS256', typ: 'JWT', kid }, claims, secretBytes))).toBe(
      'signature',
    );
  });

  it('a session signed with another secret, an empty one included: refused', () => {
    const header = { alg: 'HS256', typ: 'JWT' };
    expect(verify('session', forge(header, sessionClaims(), randomBytes(32)))).toBe('signature');
    expect(verify('session', forge(header, sessionClaims(), Buffer.alloc(0)))).toBe('signature');
    expect(verify('session', forge(header, sessionClaims(), secretBytes))).toBe('accepted');
  });
});

describe('a genuine token that was changed', () => {
  it.each(kindNames)('in any segment, of kind %s: refused', (kind) => {
    const segments = issueFor(tokens, kind).split('.');
    for (const index of [0, 1, 2]) {
      const changed = segments.map((segment, at) => (at === index ? flip(segment) : segment)).join('.');
      expect(verify(kind, changed)).not.toBe('accepted');
    }
  });
});

/** Changes one character in the middle. */
function flip(segment: string): string {
  const at = Math.floor(segment.length / 2);
  return `${segment.slice(0, at)}${segment[at] === 'A' ? 'B' : 'A'}${segment.slice(at + 1)}`;
}

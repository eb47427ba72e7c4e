import { generateKeyPairSync } from 'node:crypto';
import { createFixture, external, externalClaims, forge, ring, rsa } from '../fixture.ts';
import { issueFor, verify } from '../kinds.ts';

const { tokens, authenticator, asked } = createFixture();
const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });
const attackerJwk = {
  ...attacker.publicKey.export({ format: 'jwk' }),
  kid: 'mine',
  alg: 'RS256',
  use: 'sig',
};
const workloadClaims = JSON.parse(
  Buffer.from(issueFor(tokens, 'workload').split('.')[1] ?? '', 'base64url').toString(),
) as Record<string, unknown>;

const hostileKids: readonly unknown[] = [
  '../../../../dev/null',
  '/dev/null',
  "x' union select 'AA'; --",
  '| id',
  '__proto__',
  'constructor',
  'toString',
  '',
  '\u0000',
  'k'.repeat(5000),
  null,
  7,
  {},
  ['one'],
  undefined,
];

beforeEach(() => {
  asked.length = 0;
});

describe('kid injection', () => {
  it.each(hostileKids)('an own token with kid %j is refused', (kid) => {
    for (const key of [attacker.privateKey, rsa.privateKey]) {
      expect(verify('workload', forge({ alg: 'RS256', typ: 'JWT', kid }, workloadClaims, key))).toBe(
        'signature',
      );
    }
  });

  it.each(hostileKids)('an external token with kid %j is refused', async (kid) => {
    const token = forge({ alg: 'RS256', typ: 'JWT', kid }, externalClaims(), attacker.privateKey);
    await expect(authenticator.bearer(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('an external token without kid asks its issuer for nothing', async () => {
    await expect(authenticator.bearer(external({}, { kid: undefined }))).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it('a kid of one issuer is not looked up at another', async () => {
    const token = external({ iss: 'https://other.example' });
    await expect(authenticator.bearer(token)).rejects.toThrow();
    expect(asked).toEqual(['https://other.example']);
  });
});

describe('a key that the token brings along', () => {
  it.each([
    ['jwk', attackerJwk],
    ['jku', 'https://attacker.example/jwks'],
    ['x5u', 'https://attacker.example/cert'],
    ['x5c', ['MIIB']],
  ])('in %s is not used', async (name, value) => {
    const header = { alg: 'RS256', typ: 'JWT', [name]: value };
    const own = forge({ ...header, kid: ring.kid }, workloadClaims, attacker.privateKey);
    expect(verify('workload', own)).toBe('signature');
    const foreign = forge({ ...header, kid: 'one' }, externalClaims(), attacker.privateKey);
    await expect(authenticator.bearer(foreign)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('critical extensions', () => {
  it.each([[['b64']], [['exp']], [[]], ['b64']])(
    'crit %j is refused although the signature is good',
    async (crit) => {
      const header = { alg: 'RS256', typ: 'JWT', crit, b64: true };
      expect(verify('workload', forge({ ...header, kid: ring.kid }, workloadClaims, rsa.privateKey))).toBe(
        'malformed',
      );
      await expect(authenticator.bearer(external({}, header))).rejects.toMatchObject({
        code: 'unauthenticated',
      });
    },
  );
});

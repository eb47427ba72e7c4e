import { createRoles, sessionFacts } from './roles.ts';

const required = { iss: 'i', aud: 'i', sub: 's', iat: 0, exp: 0 };
const identity = (email: string, claims: object = {}) => ({
  ...sessionFacts('token', { ...required, ...claims }, 0),
  email,
});

describe('roles', () => {
  const roles = createRoles(
    ['Admin@Example.com', { group: 'ops' }, { issuer: 'https://idp.example', sub: '42' }],
    ['kim@example.com', { group: 'admins' }],
  );
  const isOperator = (email: string, claims?: object) => roles.isOperator(identity(email, claims));
  const isAdmin = (email: string, claims?: object) => roles.isAdmin(identity(email, claims));

  it('compare addresses without case', () => {
    expect(isOperator('ADMIN@example.COM')).toBe(true);
    expect(isAdmin('Kim@Example.com')).toBe(true);
  });

  it('keep operators and admins apart', () => {
    expect(isAdmin('admin@example.com')).toBe(false);
    expect(isOperator('kim@example.com')).toBe(false);
  });

  it('do not take a Kelvin sign for a k, nor a longer address for a shorter one', () => {
    expect('\u212Aim'.toLowerCase()).toBe('kim');
    expect(isAdmin('\u212Aim@example.com')).toBe(false);
    expect(isAdmin(' kim@example.com')).toBe(false);
    expect(isAdmin('kim@example.com.attacker.example')).toBe(false);
  });

  it('follow a group of the session, compared exactly, as a list or a single text', () => {
    expect(isOperator('x@example.com', { groups: ['a', 'ops'] })).toBe(true);
    expect(isOperator('x@example.com', { groups: 'ops' })).toBe(true);
    expect(isAdmin('x@example.com', { groups: ['admins'] })).toBe(true);
    for (const groups of ['OPS', ['Ops'], [['ops']], { ops: true }, [{ group: 'ops' }], null]) {
      expect(isOperator('x@example.com', { groups })).toBe(false);
    }
  });

  it('follow issuer and subject together, compared exactly', () => {
    const account = { idp_iss: 'https://idp.example', idp_sub: '42' };
    expect(isOperator('x@example.com', account)).toBe(true);
    expect(isAdmin('x@example.com', account)).toBe(false);
    expect(isOperator('x@example.com', { ...account, idp_iss: 'https://idp.example/' })).toBe(false);
    expect(isOperator('x@example.com', { ...account, idp_sub: 42 })).toBe(false);
    expect(isOperator('x@example.com', { sub: '42', iss: 'https://idp.example' })).toBe(false);
  });

  it('do not follow the address or groups of a session that says that the address is not verified', () => {
    const unverified = { email_verified: false };
    expect(isOperator('admin@example.com', unverified)).toBe(false);
    expect(isAdmin('kim@example.com', { email_verified: 'false' })).toBe(false);
    expect(isOperator('x@example.com', { ...unverified, groups: ['ops'] })).toBe(false);
    const account = { idp_iss: 'https://idp.example', idp_sub: '42' };
    expect(isOperator('admin@example.com', { ...unverified, ...account })).toBe(true);
  });

  it('tell which account and groups entries name, and no others', () => {
    const session = { idp_iss: 'https://idp.example', idp_sub: '42', groups: ['ops', 'staff', 'admins'] };
    expect(roles.partsThatCount(identity('x@example.com', session))).toEqual({
      account: { issuer: 'https://idp.example', subject: '42' },
      groups: ['ops', 'admins'],
    });
    expect(roles.partsThatCount(identity('x@example.com', { ...session, idp_sub: '43' })).account).toBeNull();
  });
});

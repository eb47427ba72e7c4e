import { keySet } from './key-set.ts';

const ours = { kty: 'RSA', kid: 'ours', n: 'n', e: 'AQAB' };

describe('keySet', () => {
  it('lists our keys first and every upstream key after them', () => {
    const upstream = [
      { kty: 'RSA', kid: 'a', n: 'n', e: 'AQAB', alg: 'RS256' },
      { kty: 'EC', kid: 'b', crv: 'P-256', x: 'x', y: 'y' },
      { kty: 'RSA', n: 'without id', e: 'AQAB' },
    ];
    expect(keySet([ours], upstream).keys).toEqual([ours, ...upstream]);
  });

  it('leaves out an upstream key with the id of one of ours', () => {
    expect(keySet([ours], [{ ...ours, n: 'attacker' }]).keys).toEqual([ours]);
  });

  it('publishes neither private members nor symmetric keys nor unknown kinds', () => {
    const leaky = { kty: 'RSA', kid: 'a', n: 'n', e: 'AQAB', d: 'private', p: 'private', note: 'x' };
    const keys = [
      leaky,
      { kty: 'oct', kid: 'k', k: 'secret' },
      { kty: '__proto__' },
      { kty: 'EC', kid: 'half', x: 'x' },
    ];
    expect(keySet([], keys).keys).toEqual([{ kty: 'RSA', kid: 'a', n: 'n', e: 'AQAB' }]);
  });
});

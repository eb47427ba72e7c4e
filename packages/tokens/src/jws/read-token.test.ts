import { maxTokenBytes, readToken } from './read-token.ts';

const encode = (text: string | Buffer) => Buffer.from(text).toString('base64url');
const token = (header: string | Buffer, claims: string | Buffer, signature = 'c2ln') =>
  `${encode(header)}.${encode(claims)}.${signature}`;

describe('reading a token', () => {
  it('yields header and claims', () => {
    expect(readToken(token('{"alg":"HS256"}', '{"sub":"x"}'))).toEqual({
      header: { alg: 'HS256' },
      claims: { sub: 'x' },
    });
  });

  it.each([
    ['nothing', ''],
    ['one segment', 'abc'],
    ['two segments', `${encode('{}')}.${encode('{}')}`],
    ['four segments', `${token('{}', '{}')}.x`],
    ['an encrypted token', `${token('{}', '{}')}.x.y`],
    ['no signature', `${encode('{}')}.${encode('{}')}.`],
    ['padding', `${encode('{"a":1}')}=.${encode('{}')}.c2ln`],
    ['the other alphabet', `${encode('{}')}.${encode('{}')}.+/+/`],
    ['white space', ` ${token('{}', '{}')}`],
    ['a line break at the end', `${token('{}', '{}')}\n`],
    ['a second spelling of the signature', token('{}', '{}', 'c2l')],
    ['claims that are text', token('{}', '"text"')],
    ['claims that are an array', token('{}', '[]')],
    ['claims that are null', token('{}', 'null')],
    ['claims that are no JSON', token('{}', '{')],
    ['a header that is an array', token('[]', '{}')],
    ['bytes that are no UTF-8', token('{}', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
    ['a byte order mark', token('{}', '\ufeff{}')],
    ['critical extensions', token('{"crit":["b64"],"b64":false}', '{}')],
    ['an empty list of critical extensions', token('{"crit":[]}', '{}')],
    ['a duplicate header member', token('{"alg":"none","alg":"HS256"}', '{}')],
    ['a duplicate claim', token('{}', '{"sub":"me","sub":"admin"}')],
    ['a duplicate claim in another spelling', token('{}', '{"sub":"me","s\\u0075b":"admin"}')],
    ['a duplicate claim further down', token('{}', '{"principal":{"id":"a","id":"b"}}')],
  ])('refuses %s', (_name, text) => {
    expect(readToken(text)).toBeUndefined();
  });

  it('refuses one byte more than the limit', () => {
    const frame = token('{}', '{}', '').length;
    const fits = token('{}', '{}', 'A'.repeat(maxTokenBytes - frame));
    expect(readToken(fits)).toBeDefined();
    expect(readToken(`${fits}AAAA`)).toBeUndefined();
  });
});

it.each([
  ['{"alg":"HS256","alg":"none"}', '{}'],
  ['{}', '{"sub":"me","sub":"admin"}'],
  ['{}', '{"act":{"sub":"me","\\u0073ub":"admin"}}'],
])('refuses members of one name in %s and %s', (header, claims) => {
  expect(readToken(token(header, claims))).toBeUndefined();
});

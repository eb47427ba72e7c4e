import { formatChecks } from './formats.ts';

const check = (name: string, text: string): boolean | undefined => formatChecks.get(name)?.(text);

describe('formats', () => {
  it.each([
    ['date-time', '1998-12-31T23:59:60Z', '1998-12-31T23:58:60Z'],
    ['date', '2024-02-29', '2023-02-29'],
    ['time', '08:30:06.283185Z', '08:30:06'],
    ['duration', 'P4DT12H30M5S', 'P1D2H'],
    ['email', 'joe.bloggs@example.com', '.test@example.com'],
    ['idn-email', '실례@실례.테스트', '2962'],
    ['idn-email', '"é é"@example.com', 'é é@example.com'],
    ['idn-email', 'é@[127.0.0.1]', 'é@[127.0.0.256]'],
    ['hostname', 'www.example.com', '-bad.example.com'],
    ['hostname', 'xn--nxasmq6b.com', 'xn--X.example'],
    ['idn-hostname', '실례.테스트', '〮한국.kr'],
    ['ipv4', '192.168.0.1', '087.10.0.1'],
    ['ipv6', '::ffff:192.168.0.1', '12345::'],
    ['uri', 'http://foo.bar/?q=Test%20URL-encoded%20stuff', '//foo.bar/?baz=qux#quux'],
    ['uri-reference', '../abc#frag', '\\\\WINDOWS\\fileshare'],
    ['iri', 'http://ƒøø.ßår/?∂éœ=πîx#πîüx', 'http://2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
    ['iri-reference', '/âππ', '\\\\WINDOWS\\filëßåré'],
    ['uuid', '2EB8AA08-AA98-11EA-B4AA-73B441D16380', '2eb8aa08-aa98-11ea-b4aa-73b441d1638'],
    ['uri-template', 'http://example.com/{term:1}/{term}', 'http://example.com/{term:1}/{term'],
    ['json-pointer', '/foo/bar~0/baz~1/%a', '/foo/bar~'],
    ['relative-json-pointer', '0/foo/bar', '/foo/bar'],
    ['regex', '([abc])+\\s+$', '^(abc]'],
  ])('%s accepts %j and rejects %j', (name, good, bad) => {
    expect([check(name, good), check(name, bad)]).toEqual([true, false]);
  });

  it('have every name of the draft and no other', () => {
    expect(formatChecks.size).toBe(19);
    expect(formatChecks.has('constructor')).toBe(false);
  });

  it.each([
    ['23:59:60Z', true],
    ['15:59:60-08:00', true],
    ['01:29:60+01:30', true],
    ['23:29:60+23:30', true],
    ['22:59:60Z', false],
    ['23:59:60+01:00', false],
    ['23:59:61Z', false],
  ])('time checks whether %s can be a leap second', (text, valid) => {
    expect(check('time', text)).toBe(valid);
  });

  // With quadratic time one text takes minutes, and the test times out.
  it('take linear time for texts that attack regular expressions', () => {
    for (const unit of ['a', 'é', 'a.', 'a-', '1:', '%41', '{a,', '/', '(', '"'])
      for (const test of formatChecks.values()) test(`x@${unit.repeat(200_000)}!`);
  });

  it('reject an address literal of an unknown kind instead of throwing', () => {
    expect(check('email', 'a@[x:y]')).toBe(false);
  });
});

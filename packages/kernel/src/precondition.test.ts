import { etagOf, meets, readIfMatch, requireMet } from './precondition.ts';

const current = { uid: '0198c5a2-0000-7000-8000-000000000001', revision: 7 };

describe('If-Match', () => {
  it.each([
    ['no header', undefined, true],
    ['any resource', '*', true],
    ['its ETag', etagOf(current), true],
    ['its revision alone', '"7"', true],
    ['a list with it, and with empty elements', `"1" ,,"7",`, true],
    ['another revision', '"6"', false],
    ['the same revision of another resource', '"0198c5a2-0000-7000-8000-000000000002.7"', false],
    ['a weak tag, which never passes the strong comparison', 'W/"7"', false],
    ['a tag in another form', '"a,b"', false],
    ['an empty list', '', false],
  ])('decides for %s', (_what, header, expected) => {
    expect(meets(readIfMatch(header), current)).toBe(expected);
  });

  it.each(['7', '"7', '"7" "8"', 'w/"7"', '*, "7"'])(
    'refuses %s, which is no list of entity tags',
    (header) => {
      expect(() => readIfMatch(header)).toThrow('If-Match must be');
    },
  );

  it('rejects another revision, and reports the current one', () => {
    expect(() => requireMet(readIfMatch('"6"'), current)).toThrow(
      expect.objectContaining({ code: 'precondition_failed', members: { currentRevision: 7 } }),
    );
  });
});

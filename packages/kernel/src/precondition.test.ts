import { etagOf, meets, readPrecondition, requireMet, requireNoVersion } from './precondition.ts';

const current = { uid: '0198c5a2-0000-7000-8000-000000000001', revision: 7 };

const readIfMatch = (header: string | undefined) => readPrecondition({ 'if-match': header });
const readIfNoneMatch = (header: string) => readPrecondition({ 'if-none-match': header });

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

describe('If-None-Match', () => {
  it.each([
    ['any resource', '*', false],
    ['its ETag', etagOf(current), false],
    ['its ETag as a weak tag, which is the same one', `W/${etagOf(current)}`, false],
    ['a list with it', `"1", ${etagOf(current)}`, false],
    ['another revision', `"${current.uid}.6"`, true],
    ['its revision alone, which is no ETag', '"7"', true],
    ['an empty list', '', true],
  ])('decides for %s', (_what, header, expected) => {
    expect(meets(readIfNoneMatch(header), current)).toBe(expected);
  });

  it('is compared besides If-Match, and lets a create through', () => {
    const both = (match: string) => readPrecondition({ 'if-match': match, 'if-none-match': '"x"' });
    expect([meets(both('"7"'), current), meets(both('"6"'), current)]).toEqual([true, false]);
    expect(() => requireNoVersion(readIfNoneMatch('*'))).not.toThrow();
    expect(() => requireNoVersion(both('"7"'))).toThrow('no version');
  });

  it('refuses what is no list of entity tags', () => {
    expect(() => readIfNoneMatch('7')).toThrow('If-None-Match must be');
  });

  it('says what it excludes', () => {
    expect(() => requireMet(readIfNoneMatch('*'), current)).toThrow('which If-None-Match excludes');
  });
});

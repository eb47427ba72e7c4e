import { printable, readParameters } from './parameters.ts';

describe('readParameters', () => {
  it('treats a parameter without a value as omitted', () => {
    expect([...readParameters('a=&b=1&c')]).toEqual([['b', '1']]);
  });

  it.each(['redirect_uri=a&redirect_uri=b', 'x=1&%78=1', 'unknown=1&unknown=1'])(
    'refuses the repetition in %s',
    (text) => {
      expect(() => readParameters(text)).toThrow('repeated');
    },
  );

  it('refuses a value of more than 16384 characters', () => {
    expect(() => readParameters(`state=${'a'.repeat(16_385)}`)).toThrow('too long');
  });
});

describe('printable', () => {
  it('keeps what RFC 6749 allows and replaces the rest', () => {
    expect(printable('denied\r\nX: "y" \\ ü!')).toBe('denied??X: ?y? ? ?!');
  });
});

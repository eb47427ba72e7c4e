import { parseForm } from './form-parameters.ts';

describe('parseForm', () => {
  it('treats a parameter without a value as omitted', () => {
    expect([...parseForm('a=&b=1&c')]).toEqual([['b', '1']]);
  });

  it.each(['redirect_uri=a&redirect_uri=b', 'x=1&%78=1', 'unknown=1&unknown=1'])(
    'rejects the repetition in %s',
    (text) => {
      expect(() => parseForm(text)).toThrow('repeated');
    },
  );

  it.each(['state=%FF', 'state=a%c3', 'state=%C3x%A9', '%ED%A0%80=a', 'state=%C0%AF'])(
    'rejects %s, which is not UTF-8',
    (text) => {
      expect(() => parseForm(text)).toThrow('UTF-8');
    },
  );

  it('keeps what is UTF-8, and a percent sign that encodes nothing', () => {
    expect([...parseForm('a=%C3%a9ü&b=100%&c=%EF%BF%BD&d=%00%25F')]).toEqual([
      ['a', 'éü'],
      ['b', '100%'],
      ['c', '\uFFFD'],
      ['d', '\0%F'],
    ]);
  });

  it('rejects a value of more than 16384 characters', () => {
    expect(() => parseForm(`state=${'a'.repeat(16_385)}`)).toThrow('too long');
  });
});

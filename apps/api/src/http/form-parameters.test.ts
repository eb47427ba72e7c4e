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

  it('rejects a value of more than 16384 characters', () => {
    expect(() => parseForm(`state=${'a'.repeat(16_385)}`)).toThrow('too long');
  });
});

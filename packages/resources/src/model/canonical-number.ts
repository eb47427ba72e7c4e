/** Digits of an exponent that are still computed with. No document is long enough to shift a longer one by a digit. */
const maxExponentDigits = 30;

/**
 * `<sign><digits>e<exponent>` of a number of JSON, without superfluous zeros. Exponents of more than {@link maxExponentDigits} digits are
 * compared as they are written, so two spellings of such a number may count as different.
 *
 * Attack: a number of a million digits. Arithmetic on such an exponent blocks the process, so does a regular expression that looks for the
 * zeros at the end of `10…01`, and one over ten million digits exhausts its stack.
 */
export function canonicalNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.split(/[eE]/, 2);
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [integer = '', fraction = ''] = mantissa.slice(sign.length).split('.', 2);
  const digits = withoutLeadingZeros(integer + fraction);
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const shift = digits.length - significant.length - fraction.length;
  const written = canonicalExponent(exponent);
  if (written.length > maxExponentDigits)
    return `${sign}${significant}e${written}${shift === 0 ? '' : `;${shift}`}`;
  return `${sign}${significant}e${BigInt(written) + BigInt(shift)}`;
}

function canonicalExponent(text: string): string {
  const digits = withoutLeadingZeros(/^[+-]/.test(text) ? text.slice(1) : text);
  if (digits === '') return '0';
  return text.startsWith('-') ? `-${digits}` : digits;
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (digits[start] === '0') start += 1;
  return digits.slice(start);
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

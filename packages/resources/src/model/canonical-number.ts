/** Digits of an exponent that are still computed with. No document is long enough to shift a longer one by a digit. */
const maxExponentDigits = 30;

/**
 * `<sign><digits>e<exponent>` without superfluous zeros. Attack: arithmetic on an exponent of a million digits blocks the process. Longer
 * ones are compared as they are written, so two spellings of such a number may count as different.
 */
export function canonicalNumber(text: string): string {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (integer + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const shift = digits.length - significant.length - fraction.length;
  const written = exponent.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  if (written.length > maxExponentDigits)
    return `${sign}${significant}e${written}${shift === 0 ? '' : `;${shift}`}`;
  return `${sign}${significant}e${BigInt(written) + BigInt(shift)}`;
}

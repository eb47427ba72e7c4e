/**
 * Whether `value` is an integer multiple of `divisor`, both taken as the decimals that they are written as: 0.3 is a
 * multiple of 0.1, though not in binary floating point. Both are finite or the answer is false, except that
 * infinity, which is how a number beyond the range of a double arrives, counts as a multiple of any divisor.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (value === 0) return true;
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return !Number.isFinite(value);
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [dividend, dividendExponent] = decimal(value);
  const [factor, factorExponent] = decimal(divisor);
  const exponent = Math.min(dividendExponent, factorExponent);
  const scaled = dividend * 10n ** BigInt(dividendExponent - exponent);
  return scaled % (factor * 10n ** BigInt(factorExponent - exponent)) === 0n;
}

/** The number as integer times power of ten, from its shortest decimal form; exponents stay within ±350. */
function decimal(value: number): [bigint, number] {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

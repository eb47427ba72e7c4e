/**
 * Whether `value` is an integer multiple of `divisor`, in decimal arithmetic: 0.3 is a multiple of 0.1, unlike in binary floating point.
 * Infinity, which stands for a number beyond the range of a double, counts as a multiple of every divisor.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (value === 0) return true;
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return !Number.isFinite(value);
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [dividend, dividendExponent] = toDecimal(value);
  const [factor, factorExponent] = toDecimal(divisor);
  const exponent = Math.min(dividendExponent, factorExponent);
  const scaled = dividend * 10n ** BigInt(dividendExponent - exponent);
  return scaled % (factor * 10n ** BigInt(factorExponent - exponent)) === 0n;
}

/** Splits a number into an integer and a power of ten, from its shortest decimal form. */
function toDecimal(value: number): [bigint, number] {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

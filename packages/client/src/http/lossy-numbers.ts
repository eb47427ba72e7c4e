const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/**
 * The numbers in a JSON document that JSON.parse would change: integers beyond 2^53, `1e400`. Writing the parsed document back
 * would destroy them silently. The top-level `status` is skipped, because it is not written back.
 */
export function lossyNumbers(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let member = '';
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) member = last;
    else if (/^-?\d/.test(token) && member !== '"status"' && isLossy(token)) found.push(token);
    last = token;
  }
  return found;
}

function isLossy(token: string): boolean {
  return normalized(token) !== normalized(String(Number(token)));
}

/** The digits and the exponent of a decimal number, so that `1.50` equals `15e-1`. */
function normalized(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return whole === '' ? text : '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/**
 * The numbers in a JSON document, its top-level `status` left out, that JSON.parse would change: integers beyond 2^53, `1e400`.
 * Who writes such a document back would destroy them without a word.
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
    else if (/^-?\d/.test(token) && member !== '"status"' && changes(token)) found.push(token);
    last = token;
  }
  return found;
}

function changes(token: string): boolean {
  return value(token) !== value(String(Number(token)));
}

/** The value of a decimal number, written in one way only. */
function value(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return whole === '' ? text : '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

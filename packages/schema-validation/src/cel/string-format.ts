/** Digits after the point, at most. */
const maxPrecision = 100;

/** `"%s of %d".format([...])`, with the verbs of CEL: s, d, f, e, b, o, x and X. Throws for anything else. */
export function formatted(template: string, values: readonly unknown[]): string {
  let next = 0;
  return template.replaceAll(
    /%(?:\.(\d{1,3}))?([\s\S]?)/g,
    (_all, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%';
      if (next >= values.length) throw new Error('format has too few values');
      const value = values[next];
      next += 1;
      return write(verb, value, Math.min(maxPrecision, Number(precision ?? 6)));
    },
  );
}

/** A value as a verb writes it; null when the verb cannot write it. */
type Verb = (value: unknown, digits: number) => string | null;

const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['s', textOf],
  ['d', (value) => integerOf(value, 10)],
  ['f', (value, digits) => numberOf(value)?.toFixed(digits) ?? null],
  // Two digits of the exponent, as in C.
  [
    'e',
    (value, digits) =>
      numberOf(value)
        ?.toExponential(digits)
        .replace(/e([+-])(\d)$/, 'e$10$2') ?? null,
  ],
  ['b', (value) => (typeof value === 'boolean' ? String(Number(value)) : integerOf(value, 2))],
  ['o', (value) => integerOf(value, 8)],
  ['x', hexOf],
  ['X', (value) => hexOf(value)?.toUpperCase() ?? null],
]);

function write(verb: string, value: unknown, digits: number): string {
  const text = verbs.get(verb)?.(value, digits) ?? null;
  if (text === null) throw new Error(`format cannot write a value as %${verb}`);
  return text;
}

function integerOf(value: unknown, radix: number): string | null {
  return typeof value === 'bigint' ? value.toString(radix) : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null;
}

function hexOf(value: unknown): string | null {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integerOf(value, 16);
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (value instanceof Map) {
    const members = [...value].map(([key, member]) => `${textOf(key)}: ${textOf(member)}`);
    return `{${members.sort().join(', ')}}`;
  }
  return String(value);
}

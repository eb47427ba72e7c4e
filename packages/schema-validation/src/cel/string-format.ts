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

function write(verb: string, value: unknown, digits: number): string {
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      if (typeof value === 'bigint') return String(value);
      break;
    case 'f':
      if (isNumber) return Number(value).toFixed(digits);
      break;
    case 'e':
      if (isNumber)
        return Number(value)
          .toExponential(digits)
          .replace(/e([+-])(\d)$/, 'e$10$2');
      break;
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      if (typeof value === 'bigint') return value.toString(2);
      break;
    case 'o':
      if (typeof value === 'bigint') return value.toString(8);
      break;
    case 'x':
    case 'X': {
      const hex = hexOf(value);
      if (hex !== null) return verb === 'X' ? hex.toUpperCase() : hex;
      break;
    }
    default:
  }
  throw new Error(`format cannot write a value as %${verb}`);
}

function hexOf(value: unknown): string | null {
  if (typeof value === 'bigint') return value.toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : null;
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

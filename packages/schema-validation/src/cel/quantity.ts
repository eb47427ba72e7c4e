import type { Environment } from '@marcbachmann/cel-js';

const pattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E)|[eE]([+-]?\d{1,2}))?$/;

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** Digits after the point that are kept; Kubernetes rounds to nano. */
const scale = 9;

/** A quantity of Kubernetes, such as `1.5Gi` or `100m`, in billionths. */
export class Quantity {
  readonly nano: bigint;

  constructor(nano: bigint) {
    this.nano = nano;
  }

  /** Throws for any other text. */
  static parse(text: string): Quantity {
    const match = text.length > 64 ? null : pattern.exec(text);
    if (match === null) throw new Error(`not a quantity: ${text.slice(0, 64)}`);
    const [, sign, digits = '', unit = '', exponent = '0'] = match;
    const [whole = '', fraction = ''] = digits.split('.');
    const power = (decimal[unit] ?? 0) + Number(exponent) + scale - fraction.length;
    const factor = binary.includes(unit) ? 1024n ** BigInt(binary.indexOf(unit) + 1) : 1n;
    const unscaled = BigInt(`${whole}${fraction}`) * factor;
    const nano = power >= 0 ? unscaled * 10n ** BigInt(power) : unscaled / 10n ** BigInt(-power);
    return new Quantity(sign === '-' ? -nano : nano);
  }

  compare(other: Quantity): number {
    return compareNumbers(this.nano, other.nano);
  }
}

/** The order of two numbers: -1, 0 or 1. */
export function compareNumbers(a: bigint | number, b: bigint | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const unit = 10n ** BigInt(scale);

/** Adds the functions for quantities. */
export function registerQuantities(environment: Environment): void {
  const type = 'kubernetes.Quantity';
  const isQuantity = (text: string) => {
    try {
      Quantity.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  environment
    .registerType(type, { ctor: Quantity, fields: {} })
    .registerOperator(`${type} == ${type}`, (a: Quantity, b: Quantity) => a.nano === b.nano);
  environment
    .registerFunction('isQuantity(string): bool', isQuantity)
    .registerFunction(`quantity(string): ${type}`, Quantity.parse)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => a.compare(b) > 0)
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => a.compare(b) < 0)
    .registerFunction(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) => BigInt(a.compare(b)))
    .registerFunction(`${type}.sign(): int`, ({ nano }: Quantity) => BigInt(compareNumbers(nano, 0n)))
    .registerFunction(`${type}.isInteger(): bool`, ({ nano }: Quantity) => nano % unit === 0n)
    .registerFunction(`${type}.asInteger(): int`, ({ nano }: Quantity) => {
      if (nano % unit !== 0n) throw new Error('the quantity is not an integer');
      return nano / unit;
    })
    .registerFunction(
      `${type}.asApproximateFloat(): double`,
      ({ nano }: Quantity) => Number(nano) / Number(unit),
    )
    .registerFunction(
      `${type}.add(${type}): ${type}`,
      (a: Quantity, b: Quantity) => new Quantity(a.nano + b.nano),
    )
    .registerFunction(
      `${type}.sub(${type}): ${type}`,
      (a: Quantity, b: Quantity) => new Quantity(a.nano - b.nano),
    );
}

import type { Parameter } from '@platform/postgres';

/** The conditions of a statement that is put together from filters, and its parameters. */
export class Conditions {
  readonly parameters: Parameter[];
  readonly #parts: string[] = [];

  /** `parameters` are those in front of the ones of the conditions. */
  constructor(...parameters: readonly Parameter[]) {
    this.parameters = [...parameters];
  }

  /** Adds a condition, in which each `?` stands for one of the values; nothing when one of these is undefined, as for a filter that is not given. */
  add(condition: string, ...values: readonly (Parameter | undefined)[]): void {
    if (values.includes(undefined)) return;
    const left = [...values];
    this.#parts.push(condition.replace(/\?/g, () => `$${this.parameters.push(left.shift() ?? null)}`));
  }

  /** SQL of the `where` clause; empty without conditions. */
  get where(): string {
    return this.#parts.length === 0 ? '' : `where ${this.#parts.join(' and ')}`;
  }
}

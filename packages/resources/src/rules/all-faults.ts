import { type Fault, invalid, Problem } from '@platform/kernel';

/** Collects refusals with faults, so that one answer names all of them. */
export class Refusals {
  readonly #found: Problem[] = [];

  /** Throws refusals that cannot be combined with others. A refusal without faults of the body counts only when it is the first. */
  add(error: unknown): void {
    if (!(error instanceof Problem)) throw error;
    if (error.errors !== undefined) this.#found.push(error);
    else if (this.#found.length === 0) throw error;
  }

  /** Throws the faults of all, with the code of the first. */
  throwIfAny(): void {
    const [first, ...more] = this.#found;
    if (first === undefined) return;
    throw more.length === 0 ? first : invalid(distinct(this.#found), first.code);
  }
}

function distinct(refusals: readonly Problem[]): readonly Fault[] {
  const faults = refusals.flatMap(({ errors = [] }) => errors);
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()];
}

/** The results of all checks. Throws the faults of all that refuse, with the code of the first. */
export function allOf<T extends readonly unknown[]>(...checks: { readonly [K in keyof T]: () => T[K] }): T {
  const refusals = new Refusals();
  const results = checks.map((check) => {
    try {
      return check();
    } catch (error) {
      return refusals.add(error);
    }
  });
  refusals.throwIfAny();
  return results as unknown as T;
}

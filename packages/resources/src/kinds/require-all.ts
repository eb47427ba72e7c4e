import { Problem } from '@platform/kernel';
import { Refusals } from '../rules/all-faults.ts';

/** Runs checks one after the other. Throws the faults of all that refuse, with the code of the first. */
export async function requireAll(...checks: readonly (() => unknown)[]): Promise<void> {
  const refusals = new Refusals();
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      refusals.add(error);
    }
  }
  refusals.throwIfAny();
}

/** Runs a check of a body. When it refuses the body with faults, the refusal has those of the others too: a client learns all at once. */
export async function withFaultsOf<T>(
  check: () => Promise<T> | T,
  ...others: readonly (() => unknown)[]
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const refused = () => {
      throw error;
    };
    if (error instanceof Problem && error.errors !== undefined) await requireAll(refused, ...others);
    throw error;
  }
}

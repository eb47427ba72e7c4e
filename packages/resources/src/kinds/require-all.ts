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

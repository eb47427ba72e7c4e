import { setTimeout as delay } from 'node:timers/promises';
import { timeoutFactor } from './timeouts.ts';

/** Waits until it holds; longer on slow machines ({@link timeoutFactor}). A test that waits in vain fails with what was to hold. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { seconds = 20 }: { readonly seconds?: number } = {},
): Promise<void> {
  const end = Date.now() + seconds * 1_000 * timeoutFactor;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${seconds * timeoutFactor} s: ${holds}`);
    await delay(10);
  }
}

/** Waits for the value that a function returns once it has one. */
export async function untilFound<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  await until(async () => {
    found = await find();
    return found !== undefined;
  });
  return found as T;
}

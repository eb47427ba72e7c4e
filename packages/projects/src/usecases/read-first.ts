import { Problem } from '@platform/kernel';

/**
 * Reads a body before it is decided who may send it, and tells its faults after that: answers the value, or throws what was wrong with it.
 * Attack: somebody holds a body back until after the decision, which then no longer holds when the body is there.
 */
export async function readFirst<T>(read: () => Promise<T>): Promise<() => T> {
  try {
    const value = await read();
    return () => value;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return () => {
      throw error;
    };
  }
}

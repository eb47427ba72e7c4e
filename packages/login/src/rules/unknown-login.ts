import { Problem } from '@platform/kernel';

/** The refusal of a login that this browser has not started, or that has ended. */
export function unknownLogin(): Problem {
  return new Problem(
    'invalid_query',
    'This login was not started in this browser, took too long or was already completed; start again.',
  );
}

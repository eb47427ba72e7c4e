import { Failure } from '../failure.ts';

/** The kind that words such as `page/blog/news` or `page blog news` begin with, and the words after it. */
export function splitWords(words: readonly string[]): {
  readonly word: string;
  readonly rest: readonly string[];
} {
  const [word = '', ...rest] = words.join('/').split('/');
  if (word === '') throw new Failure('usage', 'a kind comes first', 'platform kinds');
  return { word, rest };
}

/**
 * Names from the root on: those of `--in`, then those of the words. One slash at the end means nothing: a shell completes to it.
 * Throws a Failure when one is empty.
 */
export function namesOf(rest: readonly string[], within?: string): readonly string[] {
  const closed = rest.at(-1) === '' ? rest.slice(0, -1) : rest;
  const names = [...(within === undefined ? [] : within.replace(/\/$/, '').split('/')), ...closed];
  if (names.includes('')) throw new Failure('usage', `a name is empty in ${names.join('/')}`);
  return names;
}

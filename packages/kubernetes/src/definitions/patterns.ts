import { withoutFlags } from './pattern-flags.ts';

/** Longer patterns stay as they are: they are refused where definitions are stored. */
const maxLength = 4_096;

const syntaxCharacters = '^$\\.*+?()[]{}|/';

/**
 * The ECMAScript form of a regular expression in Go's syntax, which the schemas of Kubernetes have; null when this program knows none.
 * Most expressions are the same in both. Go also allows `\A`, `\z`, a backslash before any punctuation, and flags.
 */
export function ecmaPattern(source: string): string | null {
  if (source.length > maxLength) return source;
  const plain = withoutFlags(source);
  if (plain === null || isEcma(plain)) return plain;
  let inClass = false;
  const rewritten = plain.replace(/\\.|\[|\]/gsu, (part) => {
    if (part === '[') inClass = true;
    if (part === ']') inClass = false;
    if (part.length === 1) return part;
    if (!inClass && part === '\\A') return '^';
    if (!inClass && part === '\\z') return '$';
    const character = part.slice(1);
    const keepsMeaning =
      /[A-Za-z0-9]/.test(character) || syntaxCharacters.includes(character) || (inClass && character === '-');
    return keepsMeaning ? part : character;
  });
  return isEcma(rewritten) ? rewritten : null;
}

function isEcma(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

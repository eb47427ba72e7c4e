// Attack: `\p{\p{\p{` and so on: a brace is not looked for beyond the next one.
const escaped = String.raw`\\(?:[pP]\{[^{}\\]*\}|x\{[^{}\\]*\}|.)`;
/** A bracket that comes first in a class belongs to it. */
const characterClass = String.raw`\[(?:\^|(?!\^))(?:${escaped}|[^\\])(?:${escaped}|[^\]\\])*\]`;
/** A part of a regular expression: an escape, a class, an opening of a group with its flags, or one character. */
const parts = new RegExp(
  String.raw`${escaped}|${characterClass}|\(\?(?<flags>[A-Za-z-]+)(?<end>[:)])|.`,
  'gsu',
);
/** A range of a character class, an escape, or one character. */
const members = new RegExp(String.raw`${escaped}|(?<from>[^\\])-(?<to>[^\\\]])|.`, 'gsu');
const letter = /^[A-Za-z]$/;
const digit = /^\d$/;
/** Escapes that mean the same whether case is ignored or not. */
const caseless = /^\\(?:[dDsSbBAznrtfv]|[^A-Za-z0-9])$/;
/** The characters beyond ASCII that Go takes for these letters when it ignores case. */
const foldings: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

/** Whether case is ignored at the current place, and in each group around it. */
interface Scope {
  ignoresCase: boolean;
  readonly around: boolean[];
}

/**
 * A regular expression in Go's syntax without the flag that ignores case, `(?i)`, which ECMAScript cannot set within an expression: letters become
 * classes of both cases. Null for other flags, and where the cases are not those of letters in ASCII.
 */
export function withoutFlags(source: string): string | null {
  if (!/\(\?[A-Za-z-]+[:)]/.test(source)) return source;
  // A repetition of a flag would repeat what is before it.
  if (/\(\?[A-Za-z-]+\)[?*+{]/.test(source)) return null;
  const scope: Scope = { ignoresCase: false, around: [] };
  let written = '';
  for (const { 0: part, groups } of source.matchAll(parts)) {
    const { flags, end } = groups ?? {};
    const text = flags === undefined ? rewrite(part, scope) : setFlags(flags, end === ':', scope);
    if (text === null) return null;
    written += text;
  }
  return written;
}

/** A flag holds until the end of the group that it is in. */
function setFlags(flags: string, opensGroup: boolean, scope: Scope): string | null {
  const ignoresCase = { i: true, '-i': false }[flags];
  if (ignoresCase === undefined) return null;
  if (opensGroup) scope.around.push(scope.ignoresCase);
  scope.ignoresCase = ignoresCase;
  return opensGroup ? '(?:' : '';
}

function rewrite(part: string, scope: Scope): string | null {
  // A class that does not end.
  if (part === '[') return null;
  if (part === '(') scope.around.push(scope.ignoresCase);
  if (part === ')') scope.ignoresCase = scope.around.pop() ?? false;
  if (!scope.ignoresCase) return part;
  if (part.startsWith('[')) return classOfBothCases(part);
  if (!isAscii(part)) return null;
  return letter.test(part) ? `[${bothCases(part)}]` : part;
}

function isAscii(part: string): boolean {
  return part.startsWith('\\') ? caseless.test(part) : part <= '\x7f';
}

function bothCases(one: string): string {
  const lower = one.toLowerCase();
  return lower + one.toUpperCase() + (foldings[lower] ?? '');
}

function classOfBothCases(text: string): string | null {
  const open = text.startsWith('[^') ? '[^' : '[';
  let written = open;
  for (const { 0: part, groups } of text.slice(open.length, -1).matchAll(members)) {
    const { from, to } = groups ?? {};
    const both =
      from === undefined || to === undefined ? memberOfBothCases(part) : rangeOfBothCases(from, to);
    if (both === null) return null;
    written += both;
  }
  return `${written}]`;
}

function memberOfBothCases(part: string): string | null {
  if (!isAscii(part)) return null;
  return letter.test(part) ? part + bothCases(part) : part;
}

/** Null for a range that is not one of digits or of letters of one case. */
function rangeOfBothCases(from: string, to: string): string | null {
  const range = `${from}-${to}`;
  if (digit.test(from) && digit.test(to)) return range;
  const isUpper = from <= 'Z';
  if (!letter.test(from) || !letter.test(to) || isUpper !== to <= 'Z') return null;
  const folded = Object.entries(foldings).filter(
    ([lower]) => from.toLowerCase() <= lower && lower <= to.toLowerCase(),
  );
  return (
    range +
    (isUpper ? range.toLowerCase() : range.toUpperCase()) +
    folded.map(([, beyond]) => beyond).join('')
  );
}

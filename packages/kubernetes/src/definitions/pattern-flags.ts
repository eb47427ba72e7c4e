/** A part of a regular expression: an escape, an opening of a group with its flags, or one character. */
const parts = /\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)|\(\?(?<flags>[A-Za-z-]+)(?<end>[:)])|\(|./gsu;
/** A range of a character class, an escape, or one character. */
const members = /\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)|(?<from>[^\\])-(?<to>[^\\\]])|./gsu;
const letter = /^[A-Za-z]$/;
/** Escapes that mean the same whether case is ignored or not. */
const caseless = /^\\(?:[dDsSbBAznrtfv]|[^A-Za-z0-9])$/;
/** The characters beyond ASCII that Go takes for these letters when it ignores case. */
const foldings: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

/**
 * A regular expression in Go's syntax without the flag that ignores case, `(?i)`, which ECMAScript cannot set within an expression: letters become
 * classes of both cases. Null for other flags, and where the cases are not those of letters in ASCII.
 */
export function withoutFlags(source: string): string | null {
  if (!/\(\?[A-Za-z-]+[:)]/.test(source)) return source;
  // A repetition of a flag would repeat what stands before it.
  if (/\(\?[A-Za-z-]+\)[?*+{]/.test(source)) return null;
  // A flag holds until the end of the group that it is in.
  const outer: boolean[] = [];
  let ignoresCase = false;
  let written = '';
  let classText: string | null = null;
  for (const { 0: part, groups } of source.matchAll(parts)) {
    if (classText !== null) {
      const isFirst = classText === '[' || classText === '[^';
      classText += part;
      if (part !== ']' || isFirst) continue;
      const both = ignoresCase ? classOfBothCases(classText) : classText;
      if (both === null) return null;
      written += both;
      classText = null;
    } else if (part === '[') {
      classText = part;
    } else if (groups?.['flags'] !== undefined) {
      const flag = { i: true, '-i': false }[groups['flags']];
      if (flag === undefined) return null;
      if (groups['end'] === ':') {
        outer.push(ignoresCase);
        written += '(?:';
      }
      ignoresCase = flag;
    } else {
      if (part === '(') outer.push(ignoresCase);
      if (part === ')') ignoresCase = outer.pop() ?? false;
      if (ignoresCase && !isAscii(part)) return null;
      written += ignoresCase && letter.test(part) ? `[${bothCases(part)}]` : part;
    }
  }
  return classText === null ? written : null;
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
    if (!isAscii(part)) return null;
    written += part;
    if (from !== undefined && to !== undefined) {
      const isLetters = letter.test(from) && letter.test(to);
      const isOfOneCase = from <= 'Z' === to <= 'Z';
      if (isLetters && isOfOneCase) {
        written += from <= 'Z' ? `${from}-${to}`.toLowerCase() : `${from}-${to}`.toUpperCase();
        for (const [lower, more] of Object.entries(foldings))
          if (from.toLowerCase() <= lower && lower <= to.toLowerCase()) written += more;
      } else if (!(/^\d$/.test(from) && /^\d$/.test(to))) return null;
    } else if (letter.test(part)) {
      written += bothCases(part);
    }
  }
  return `${written}]`;
}

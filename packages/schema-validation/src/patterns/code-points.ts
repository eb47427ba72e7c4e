/** A set of code points: inclusive ranges in ascending order that neither touch nor overlap. */
export type CodePoints = readonly (readonly [number, number])[];

const lastCodePoint = 0x10ffff;

/** The union of ranges in any order. */
export function union(ranges: CodePoints): CodePoints {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous !== undefined && from <= previous[1] + 1) previous[1] = Math.max(previous[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Every code point that is not in the set. */
export function complement(set: CodePoints): CodePoints {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= lastCodePoint) gaps.push([next, lastCodePoint]);
  return gaps;
}

/** The class escapes and the dot as ECMA-262 defines them, sections 12.2, 12.3 and 22.2.2.9. */
export const digits: CodePoints = [[0x30, 0x39]];

export const wordCharacters: CodePoints = union([...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);

const lineTerminators: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

export const allButLineTerminators: CodePoints = complement(lineTerminators);

export const spaces: CodePoints = union([
  ...lineTerminators,
  [0x09, 0x0c],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);

const properties = new Map<string, CodePoints>();

/**
 * The members of a property escape such as `\p{Lu}`, found by running the built-in engine once over all of Unicode, because the linear
 * engine has tables of another Unicode version. Cached per process. Surrogates are excluded: no document contains a lone one.
 */
export function withProperty(source: string): CodePoints {
  const known = properties.get(source);
  if (known !== undefined) return known;
  const members: [number, number][] = [];
  for (const text of scalarValues())
    for (const [run] of text.matchAll(new RegExp(`${source}+`, 'gu')))
      members.push([run.codePointAt(0) as number, lastOf(run)]);
  properties.set(source, members);
  return members;
}

let texts: readonly string[] | undefined;

/** Every code point except the surrogates: the ranges before and after them. */
function scalarValues(): readonly string[] {
  texts ??= [textOf(0, 0xd7ff), textOf(0xe000, lastCodePoint)];
  return texts;
}

function textOf(from: number, to: number): string {
  const block = 0x800;
  const parts: string[] = [];
  for (let start = from; start <= to; start += block)
    parts.push(String.fromCodePoint(...Array.from({ length: block }, (_, index) => start + index)));
  return parts.join('');
}

function lastOf(text: string): number {
  const pair = text.codePointAt(text.length - 2) ?? 0;
  return pair > 0xffff ? pair : text.charCodeAt(text.length - 1);
}

import { diffLines } from 'diff';

/** A part of a text that is replaced. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Beyond so many lines the whole text is replaced: a comparison would take longer than it is worth. */
const mostLines = 2_000;

/** The changes that make one text of another, as small as possible: the cursor stays where nothing changes. */
export function textChanges(before: string, after: string): readonly TextChange[] {
  const parts = diffLines(before, after, { maxEditLength: mostLines });
  if (parts === undefined) return [{ from: 0, to: before.length, insert: after }];
  const changes: TextChange[] = [];
  let at = 0;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    if (!part.added && !part.removed) {
      at += part.value.length;
      continue;
    }
    const next = parts[index + 1];
    const other = next !== undefined && (next.added || next.removed) ? next : undefined;
    if (other !== undefined) index += 1;
    const removed = [part, other].find((one) => one?.removed)?.value ?? '';
    const added = [part, other].find((one) => one?.added)?.value ?? '';
    changes.push(trimmed(at, removed, added));
    at += removed.length;
  }
  return changes;
}

/** Without what both begin and end with. */
function trimmed(at: number, removed: string, added: string): TextChange {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head] === added[head]) head += 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  return {
    from: at + head,
    to: at + removed.length - tail,
    insert: added.slice(head, added.length - tail),
  };
}

import type { AuditFilter, AuditPosition } from '@platform/access';
import { parseInstant } from '@platform/kernel';
import { keyToken, parseKey } from '@platform/resources';

/** The list of the records of a filter below a path, as its tokens are bound to it. */
export function listOf(path: string, filter: AuditFilter): string {
  const sorted = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${path} ${JSON.stringify(sorted)}`;
}

/** The token of the page after a record of a list. */
export function continueOf(list: string, { time, id }: AuditPosition): string {
  return keyToken(list, `${time} ${id}`);
}

/** The position in the `continue` of a query; null without one. Throws `invalid_query`. */
export function readContinue(tokens: readonly string[], list: string): AuditPosition | null {
  const key = parseKey(tokens, list, isPosition);
  return key === null ? null : positionIn(key);
}

function isPosition(key: string): boolean {
  const { time, id } = positionIn(key);
  return parseInstant(time) === time && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}

function positionIn(key: string): AuditPosition {
  const [time = '', id = ''] = key.split(' ');
  return { time, id };
}

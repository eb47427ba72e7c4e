import type { AuditPosition } from '@platform/access';
import { Problem, parseInstant } from '@platform/kernel';

/** The token of the page after a record. */
export function continueOf({ time, id }: AuditPosition): string {
  return Buffer.from(`${time} ${id}`).toString('base64url');
}

/** The position in the `continue` of a query; null without one. Throws `invalid_query`. */
export function readContinue([token, ...more]: readonly string[]): AuditPosition | null {
  if (token === undefined && more.length === 0) return null;
  const [time = '', id = ''] = Buffer.from(token ?? '', 'base64url')
    .toString()
    .split(' ');
  const isPosition = parseInstant(time) === time && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  if (!isPosition || more.length > 0 || continueOf({ time, id }) !== token) {
    throw new Problem('invalid_query', 'continue must be the token of the page before, unchanged.');
  }
  return { time, id };
}

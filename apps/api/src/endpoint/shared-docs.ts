import { z } from 'zod';
import type { Parameter } from './documentation.ts';

/** The header of answers with one resource. */
export const etagDocs = { ETag: 'The uid and the revision, in quotes.' };

/** The answer to a read whose copy is current. */
export const notModified = { description: 'Unchanged since the `ETag` of `If-None-Match`.' };

/** The header of conditional writes. */
export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag`, or the revision in quotes, that the resource must have; several with commas, or `*`.',
  schema: { type: 'string' },
};

/** The header of writes of anything but the versions that the caller knows. */
export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` that the resource must not have; several with commas, or `*` for a resource that must not exist.',
  schema: { type: 'string' },
};

/** The header with which a caller says why. */
export const changeReason: Parameter = {
  name: 'X-Change-Reason',
  in: 'header',
  description: 'Why, for the change log: printable text of at most 1,024 characters, in UTF-8.',
  schema: { type: 'string', maxLength: 1024 },
};

/** The header that makes a POST repeatable. */
export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours, a request with the same key and body is answered as the first one was.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** `?limit=` with its bounds, as lists have it. */
export function limitField(fallback: number, example: number): z.ZodType {
  return z
    .int()
    .min(1)
    .max(1000)
    .default(fallback)
    .meta({ description: 'The largest number of items.', example });
}

/** `?view=` of reads. */
export const viewField = z
  .enum(['full', 'metadata'])
  .optional()
  .meta({ description: '`metadata` leaves out `spec` and `status`.', example: 'metadata' });

/** `?limit=` and `?continue=` of pages. */
export const pageQuery = z.object({
  limit: limitField(500, 100),
  continue: z.string().optional().meta({ description: 'The `continue` of the previous page.' }),
});

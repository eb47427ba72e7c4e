import type { Operation } from '@platform/resources';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { object, text, timestamp, withExample } from '../../endpoint/schema-fields.ts';

const operations: readonly Operation[] = [
  'create',
  'update',
  'patch',
  'apply',
  'status',
  'finalizers',
  'delete',
  'cascade',
  'collect',
  'release',
  'restore',
];

const cursor: Schema = { ...text, description: 'Where the stream is after this event.' };

/** The events of streams. */
export const watchSchemas: Readonly<Record<string, Schema>> = {
  WatchEvent: withExample(
    { oneOf: [ref('WatchChange'), ref('WatchBookmark'), ref('WatchError')] },
    { type: 'BOOKMARK', cursor: 'MDE5MGE1YzIuMy43', initial: true },
  ),
  WatchChange: object(
    {
      type: { type: 'string', enum: ['ADDED', 'MODIFIED', 'DELETED'] },
      cursor,
      operation: { type: 'string', enum: operations },
      actor: object({ type: text, id: text }),
      time: timestamp,
      requestId: { type: ['string', 'null'] },
      reason: { ...text, description: 'The `X-Change-Reason` of the request, when it had one.' },
      cascadeId: { ...text, description: 'The same for everything that one DELETE causes.' },
      object: ref('Resource'),
    },
    {
      optional: ['cursor', 'operation', 'actor', 'time', 'requestId', 'reason', 'cascadeId'],
      description: 'The initial state has only `type` and `object`.',
    },
  ),
  WatchBookmark: object(
    {
      type: { const: 'BOOKMARK' },
      cursor,
      initial: { const: true, description: 'The initial state is complete.' },
    },
    { optional: ['initial'] },
  ),
  WatchError: object({ type: { const: 'ERROR' }, problem: ref('Problem') }),
};

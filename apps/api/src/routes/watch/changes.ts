import { beginEverything } from '@platform/change-log';
import { Problem } from '@platform/kernel';
import { z } from 'zod';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { parseWatch, watchFields, watchHeaders } from './parameters.ts';
import { streamAnswer, type WatchService } from './stream-answer.ts';

/** `GET /api/v1/changes`: the changes of every kind. */
export const changes = endpoint({
  method: 'GET',
  path: '/api/v1/changes',
  id: 'watchChanges',
  tag: 'Resources',
  summary: 'Watch every kind',
  description: 'Operators only. Resources are shown at their stored version.',
  access: 'operator',
  documentedQuery: z.object(watchFields),
  unknownQuery: 'refuse',
  requestHeaders: watchHeaders,
  responses: {
    200: {
      description: 'One event a line, or server-sent events.',
      schema: ref('WatchEvent'),
      mediaType: 'application/x-ndjson',
      stream: ref('WatchEvent'),
    },
  },
  problems: ['cursor_expired', 'rate_limited', 'unavailable'],
  async handle(service: WatchService, { principal }, call) {
    const parameters = parseWatch(call.searchParams, call.headers, []);
    if (parameters === null)
      throw new Problem('invalid_query', 'watch=true is required: changes can only be streamed.');
    return await streamAnswer(service, call, {
      parameters,
      caller: `operator:${principal.email}`,
      version: null,
      sees: null,
      begin: (cursor) => beginEverything(service, cursor),
      // Operators are configured, so the caller stays one for as long as the credential is valid.
      check: async () => undefined,
    });
  },
});

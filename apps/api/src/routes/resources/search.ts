import { monotonicClock } from '@platform/kernel';
import {
  parseSearch,
  renderEnvelope,
  requireAnyBinding,
  searchResources,
  withAccess,
} from '@platform/resources';
import { z } from 'zod';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { limitField, viewField } from '../../endpoint/shared-docs.ts';
import { viewOf } from '../watch/parameters.ts';
import { identityOfPrincipal } from './call.ts';
import { type ResourceDeps, recordingRefusal } from './index.ts';

/** `GET /api/v1/search`: resources of every kind, by name or uid. */
export const search = endpoint({
  access: 'authenticated',
  method: 'GET',
  path: '/api/v1/search',
  id: 'searchResources',
  tag: 'Resources',
  summary: 'Search resources of every kind by name or uid',
  description:
    'Of the resources that the caller may list: first those with this name, then those whose name begins with it, then those whose name contains it. `complete: false` says that the time, or the 16 MiB of an answer, did not suffice for every name.',
  documentedQuery: z.object({
    q: z.string().min(1).max(253).meta({ description: 'A part of a name, or a whole uid.', example: 'shop' }),
    labelSelector: z
      .string()
      .optional()
      .meta({ description: 'Only resources with these labels.', example: 'app=shop' }),
    kind: z
      .string()
      .optional()
      .meta({ description: 'Only this kind, as `Kind` or `Kind.group`.', example: 'Organization' }),
    limit: limitField(100, 20),
    view: viewField,
  }),
  unknownQuery: 'refuse',
  responses: {
    200: { description: 'The resources, at their stored version.', schema: ref('SearchResults') },
  },
  problems: ['invalid_query', 'forbidden', 'contention'],
  async handle(deps: ResourceDeps, { principal }, call) {
    const parameters = call.searchParams;
    const view = viewOf(parameters);
    const identity = identityOfPrincipal(principal, deps.readingControllers);
    const { items, complete } = await recordingRefusal(deps, call, () =>
      withAccess(deps.access, identity, async (caller) => {
        requireAnyBinding(caller);
        const wanted = parseSearch({
          q: parameters.getAll('q'),
          labelSelector: parameters.getAll('labelSelector'),
          kind: parameters.getAll('kind'),
          limit: parameters.getAll('limit'),
        });
        return await searchResources(deps.ports.reader, caller, wanted, monotonicClock);
      }),
    );
    const rendered = items.map((item) => renderEnvelope(item, item.apiVersion, view)).join(',');
    const body = `{"items":[${rendered}]${complete ? '' : ',"complete":false'}}`;
    return { status: 200, body, headers: { 'Cache-Control': 'private, no-cache' } };
  },
});

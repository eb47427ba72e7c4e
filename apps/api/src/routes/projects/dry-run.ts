import { z } from 'zod';
import type { Answer } from '../../endpoint/answer.ts';
import type { Endpoint } from '../../endpoint/descriptor.ts';
import { parseQuery, queryParameters } from '../../endpoint/query.ts';
import { dryRunQuery } from '../resources/operation.ts';
import type { TypedDeps } from './item.ts';

/** Members of answers that are shown once. In a dry run they would never be valid, so nobody may store them. */
const secrets = ['bootstrap_credential', 'client_secret'];

/** A write with `dryRun=true`: its own transaction with all checks and locks, rolled back. Reads stay as they are. */
export function withDryRun(one: Endpoint<TypedDeps>): Endpoint<TypedDeps> {
  if (one.method === 'GET') return one;
  const declared = one.query ?? one.documentedQuery;
  const documentedQuery = z.object({ ...declared?.shape, ...dryRunQuery.shape });
  return {
    ...one,
    ...(one.query === undefined ? { documentedQuery } : { query: documentedQuery }),
    parameters: [...(one.parameters ?? []), ...queryParameters(dryRunQuery)],
    async handle(deps, input, call) {
      const { dryRun } = parseQuery(dryRunQuery, call.rawQuery);
      if (dryRun !== 'true') return await one.handle(deps, input, call);
      call.setHeaders({ 'X-Dry-Run': 'true' });
      const { dryRunPorts: ports, dryRunRepeats: repeats } = deps;
      return withoutSecrets(await one.handle({ ...deps, ports, repeats }, input, call));
    },
  };
}

function withoutSecrets(answer: Answer): Answer {
  const body = JSON.parse(String(answer.body)) as Record<string, unknown>;
  const shown = Object.entries(body).filter(([member]) => !secrets.includes(member));
  return { ...answer, body: JSON.stringify(Object.fromEntries(shown)) };
}

import {
  type AuditAction,
  type AuditRecord,
  type AuditStore,
  listAudit,
  readAuditFilter,
} from '@platform/access';
import { Problem } from '@platform/kernel';
import { requireProject } from '@platform/projects';
import { parseLimit } from '@platform/resources';
import { z } from 'zod';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { nameParams } from '../../endpoint/path-parameters.ts';
import { pageQuery } from '../../endpoint/shared-docs.ts';
import { continueOf, listOf, readContinue } from '../audit/position.ts';
import { namedProblems, type TypedDeps, typedEndpoint } from './item.ts';

const actions: Readonly<Record<string, AuditAction>> = {
  started: 'oauth.flow_started',
  completed: 'oauth.flow_completed',
  failed: 'oauth.flow_failed',
};
const outcomes = Object.keys(actions);
const pageLimit = { max: 1000, fallback: 100 };

/**
 * `GET .../logins`: the steps of logins through the extensions of a project, newest first, for its members. It leaves out
 * addresses and browsers of visitors, which the audit has for operators.
 */
export const projectLogins = endpoint({
  ...typedEndpoint,
  method: 'GET',
  path: '/api/v1/projects/{project}/logins',
  id: 'listLogins',
  tag: 'Below projects',
  summary: 'List the logins through the extensions of a project',
  description: 'Newest first, from the audit records.',
  params: nameParams('project'),
  documentedQuery: pageQuery.extend({
    extension: z.string().optional().meta({ description: 'The name of an extension.', example: 'login' }),
    outcome: z
      .enum(['started', 'completed', 'failed'])
      .optional()
      .meta({ description: 'Only steps with this outcome.', example: 'failed' }),
  }),
  responses: { 200: { description: 'A page of steps.', schema: ref('LoginList') } },
  problems: [...namedProblems, 'invalid_query'],
  async handle(
    { ports, audit }: TypedDeps & { readonly audit: AuditStore },
    { principal, params },
    { path, searchParams },
  ) {
    const { name, createdAt } = await requireProject(ports, principal, params.project, 'children.read');
    const one = (parameter: string) => onlyOne(searchParams.getAll(parameter), parameter);
    const extension = one('extension');
    const outcome = one('outcome');
    const action = outcome === undefined ? undefined : actions[outcome];
    if (outcome !== undefined && action === undefined) {
      throw new Problem('invalid_query', `Query parameter outcome must be one of ${outcomes.join(', ')}.`);
    }
    // Attack: somebody creates a project with the name of a removed one, and reads the logins of the people who used that.
    const filter = {
      ...readAuditFilter({
        project: name,
        since: createdAt,
        ...(extension === undefined ? {} : { extension }),
      }),
      actions: action === undefined ? Object.values(actions) : [action],
    };
    const list = listOf(path, filter);
    const { items, more } = await listAudit(audit, filter, {
      limit: parseLimit(searchParams.getAll('limit'), pageLimit),
      after: readContinue(searchParams.getAll('continue'), list),
    });
    const last = items.at(-1);
    const next = more && last !== undefined ? { continue: continueOf(list, last) } : {};
    return json(200, { items: items.map(loginOf), ...next }, noStore);
  },
});

function onlyOne([value, ...more]: readonly string[], name: string): string | undefined {
  if (more.length > 0) throw new Problem('invalid_query', `Query parameter ${name} must appear once.`);
  return value;
}

function loginOf({ id, time, action, requestId, reason, details }: AuditRecord) {
  const text = (name: string) => (typeof details[name] === 'string' ? (details[name] as string) : null);
  return {
    id,
    time,
    requestId,
    outcome: outcomes.find((outcome) => actions[outcome] === action),
    extension: text('extension'),
    step: text('step') ?? (text('grant') === null ? 'authorize' : 'token'),
    grant: text('grant'),
    reason: reason ?? text('message') ?? text('error'),
  };
}

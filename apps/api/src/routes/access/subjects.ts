import { allowedSubjects, withConfirmedRules } from '@platform/resources';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import type { ResourceDeps } from '../resources/index.ts';
import { isAboutKind, questionSchema } from './question.ts';

/** `GET /api/v1/access/subjects`: who may use a path, for operators. */
export const accessSubjects = endpoint({
  access: 'operator',
  method: 'GET',
  path: '/api/v1/access/subjects',
  id: 'listAccessSubjects',
  tag: 'Access',
  summary: 'List who may use a path',
  description:
    'For operators: the subjects of bindings that allow the verb on the path, each with its binding. Operators may do everything and are not listed, nor are the controllers that a definition lists.',
  unknownQuery: 'refuse',
  query: questionSchema,
  responses: {
    200: {
      description: 'The subjects.',
      schema: ref('AccessSubjectList'),
      example: { subjects: [{ kind: 'User', name: 'ann@example.dev', binding: 'acme-editors' }] },
    },
  },
  problems: ['invalid_query', 'forbidden'],
  async handle({ access, ports: { reader, removed }, catalog }: ResourceDeps, { query }) {
    const subjects = isAboutKind(query)
      ? await withConfirmedRules(access, (rules) =>
          allowedSubjects({ reader, removed, catalog }, rules, query),
        )
      : [];
    return json(200, { subjects }, noStore);
  },
});

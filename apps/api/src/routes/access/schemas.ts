import { accessRule, accessVerbs } from '@platform/access';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { fromZod } from '../../endpoint/from-zod.ts';
import { list, object, orNull, text, uuid } from '../../endpoint/schema-fields.ts';

const subjectKind: Schema = { enum: ['User', 'Group', 'ServiceAccount', 'Controller'] };

/** Questions about access: requests and answers. */
export const accessSchemas: Readonly<Record<string, Schema>> = {
  AccessCheck: object(
    {
      checks: {
        ...list(
          object({
            verb: { enum: [...accessVerbs] },
            path: { ...text, description: 'The whole path of the request, below `/api/v1/resources/`.' },
          }),
        ),
        minItems: 1,
        maxItems: 100,
      },
      as: object(
        { kind: subjectKind, name: text },
        { description: 'For operators: the subject to ask for.' },
      ),
    },
    { optional: ['as'] },
  ),
  AccessCheckResults: object({
    results: list(
      object({ allowed: { type: 'boolean' }, because: ref('AccessReason') }, { optional: ['because'] }),
    ),
  }),
  AccessReason: {
    oneOf: [
      object({ type: { const: 'operator' } }),
      object({ type: { const: 'controller' } }, { description: 'The definition lists the controller.' }),
      object({
        type: { const: 'binding' },
        binding: { ...text, description: 'The name of the RoleBinding.' },
        role: { ...text, description: 'The name of its Role.' },
        rule: fromZod(accessRule),
        scope: { ...orNull(uuid), description: 'The uid of the scope; null for everything.' },
      }),
    ],
  },
  AccessSubjectList: object({
    subjects: list(object({ kind: subjectKind, name: text, binding: text })),
  }),
};

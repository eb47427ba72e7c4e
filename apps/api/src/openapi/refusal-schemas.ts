import { problemCodes } from '@platform/kernel';
import { ref, type Schema } from '../endpoint/documentation.ts';
import { list, object, text } from '../endpoint/schema-fields.ts';

const codes = Object.entries(problemCodes).map(
  ([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`,
);
const table = ['| Code | Status | Meaning |', '|---|---|---|', ...codes].join('\n');

/** The bodies of refusals. */
export const refusalSchemas: Readonly<Record<string, Schema>> = {
  Problem: object(
    {
      type: { ...text, format: 'uri-reference', description: '`/problems/<code>`' },
      title: text,
      status: { type: 'integer' },
      detail: { ...text, description: 'The fault of this request, for a person.' },
      instance: { ...text, description: 'The path of the request.' },
      code: { type: 'string', enum: Object.keys(problemCodes), description: 'Stable, for programs.' },
      requestId: { ...text, description: 'Also in `X-Request-Id` and in the logs of the service.' },
      errors: {
        ...list(object({ path: { ...text, description: 'A JSON pointer into the body.' }, message: text })),
        description: 'Every fault of the request, not just the first.',
      },
      currentRevision: {
        type: 'integer',
        description: 'Of a `revision_conflict` or `precondition_failed`: the stored revision.',
      },
      currentUid: { ...text, description: 'Of a `uid_conflict`: the uid of the stored resource.' },
      conflicts: {
        ...list(object({ manager: text, operation: { enum: ['Apply', 'Update'] }, field: text })),
        description: 'Of an `apply_conflict`: the fields that the apply changes, and who has them.',
      },
      operation: {
        type: 'integer',
        description: 'Of a batch: the index of the operation that was refused.',
      },
      challenges: {
        ...list(ref('DomainChallenge')),
        description: 'Of a `domain_unverified`: the TXT records to publish.',
      },
      protected: {
        ...list(ref('ResourceIdentity')),
        description: 'Of a `deletion_protected`: the protected resources, at most 100.',
      },
      added: {
        ...list(ref('ResourceIdentity')),
        description: 'Of a `plan_changed`: what would be deleted and is not in the plan; at most 1000.',
      },
      removed: {
        ...list(ref('ResourceIdentity')),
        description: 'Of a `plan_changed`: what is in the plan and would not be deleted; at most 1000.',
      },
      taken: {
        ...list(
          object(
            { apiVersion: text, kind: text, name: text, ancestors: list(text), from: text, detail: text },
            { optional: ['detail'] },
          ),
        ),
        description:
          'Of a `restore_conflict`: names that are taken, with the uid that needs each; at most 1000.',
      },
      missing: {
        ...list(
          object(
            {
              relationship: { enum: ['parent', 'owner'] },
              kind: text,
              name: text,
              uid: text,
              terminating: { const: true },
              of: ref('ResourceIdentity'),
            },
            { optional: ['terminating'] },
          ),
        ),
        description: 'Of a `restore_conflict`: parents and owners that do not exist; at most 1000.',
      },
      invalid: {
        ...list({ type: 'object' }),
        description: 'Of a `restore_invalid`: the identity of each stored state with its `errors`.',
      },
      limit: { type: 'integer', description: 'Of a `restore_too_large`: how many one restore brings back.' },
      rows: { type: 'integer', description: 'The number of resources that still use it.' },
      reasons: {
        ...list(text),
        description: 'Of `/readyz`: everything that keeps the service from serving.',
      },
    },
    {
      optional: [
        'errors',
        'currentRevision',
        'currentUid',
        'conflicts',
        'operation',
        'challenges',
        'protected',
        'added',
        'removed',
        'taken',
        'missing',
        'invalid',
        'limit',
        'rows',
        'reasons',
      ],
      description: `A refusal (RFC 9457).\n\n${table}`,
    },
  ),
  OAuthError: object(
    {
      error: { ...text, description: 'Stable, for programs.' },
      error_description: { ...text, description: 'The fault, for a person.' },
    },
    { description: 'A refusal of an OAuth endpoint (RFC 6749, section 5.2).' },
  ),
};

import { auditActions, auditOutcomes } from '@platform/access';
import { ref, type Schema } from '../../endpoint/documentation.ts';
import { list, object, orNull, text, timestamp, uuid, withExample } from '../../endpoint/schema-fields.ts';

/** The audit log. */
export const auditSchemas: Readonly<Record<string, Schema>> = {
  AuditRecord: object(
    {
      id: uuid,
      time: timestamp,
      action: withExample({ enum: Object.keys(auditActions) }, 'project.updated'),
      outcome: { enum: auditOutcomes },
      actor: object({
        type: withExample(
          { enum: ['operator', 'controller', 'system', 'user', 'service_account', 'anonymous'] },
          'user',
        ),
        id: withExample(text, 'ann@example.dev'),
      }),
      requestId: withExample(orNull(text), '5f0c8a52-6d2a-4d57-8a0e-3f1c9b7e2d10'),
      sourceAddress: withExample(orNull(text), '192.0.2.1'),
      userAgent: withExample(orNull(text), 'platform-cli/0.25.0'),
      resource: object(
        {
          apiVersion: text,
          kind: withExample(text, 'Project'),
          name: withExample(text, 'shop'),
          uid: uuid,
          parentUid: { type: ['string', 'null'], format: 'uuid' },
        },
        { optional: ['apiVersion', 'parentUid'] },
      ),
      project: withExample(text, 'shop'),
      reason: text,
      details: withExample(
        { type: 'object', additionalProperties: true },
        { changed: ['members'], members: ['carol@example.dev'] },
      ),
    },
    { optional: ['resource', 'project', 'reason'], description: 'docs/audit.md lists the actions.' },
  ),
  AuditRecordList: object(
    { items: list(ref('AuditRecord')), continue: withExample(text, 'bXktYXBw') },
    { optional: ['continue'] },
  ),
};

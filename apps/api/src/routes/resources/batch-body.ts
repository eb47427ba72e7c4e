import { invalid, Problem, readPrecondition, schemaFaults } from '@platform/kernel';
import {
  type Caller,
  type JsonObject,
  type JsonText,
  type JsonValue,
  parseDocument,
  parseReason,
  parseValue,
  type RequestOrigin,
  type ResourcePorts,
  renderValue,
} from '@platform/resources';
import { z } from 'zod';
import { requireMediaType } from '../../http/media-type.ts';
import { parametersIn } from '../../http/query-parameters.ts';
import {
  bodyLimitFor,
  envelopes,
  type PatchBody,
  patchBodyOf,
  patchTypes,
  type ResourceCall,
} from './call.ts';
import { prefix } from './dispatch.ts';

/** The most operations of a batch. */
const maxOperations = 1_000;

/** Levels of a batch around the body of an operation. */
const levelsAbove = 3;

/** The body of a batch, but for the bodies of its operations. */
export const batchRequest = z.strictObject({
  operations: z.array(
    z.strictObject({
      method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE'], 'must be POST, PUT, PATCH or DELETE'),
      path: z.string().startsWith(`${prefix}/`, `must begin with ${prefix}/`),
      body: z.unknown().optional(),
      headers: z
        .record(z.string(), z.string())
        .refine((headers) => !lowerCase(headers).includes('idempotency-key'), {
          message: 'must not have Idempotency-Key, which belongs to the whole batch',
        })
        .refine((headers) => new Set(lowerCase(headers)).size === Object.keys(headers).length, {
          message: 'must not have one header twice',
        })
        .optional(),
    }),
  ),
});

function lowerCase(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(headers).map((name) => name.toLowerCase());
}

/** One operation of a batch. */
export interface BatchOperation {
  readonly method: string;
  readonly path: string;
  /** The body as text; null when there is none. */
  readonly body: JsonText | null;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Reads a batch; bodies keep their digits. Throws `malformed_body`, `payload_too_large` or `validation_failed` with every fault. */
export function readBatch(text: JsonText): readonly BatchOperation[] {
  const { value } = parseDocument(text, { levelsAbove });
  const operations = (value as { readonly operations?: unknown } | null)?.operations;
  if (Array.isArray(operations) && operations.length > maxOperations) {
    throw new Problem('payload_too_large', `A batch has at most ${maxOperations} operations.`);
  }
  const parsed = batchRequest.safeParse(value);
  if (!parsed.success) throw invalid(schemaFaults(parsed.error.issues));
  const exact = (parseValue(text) as JsonObject).get('operations') as readonly JsonObject[];
  return parsed.data.operations.map(({ method, path, headers = {} }, index) => ({
    method,
    path,
    body: textOf(exact[index]?.get('body')),
    headers: Object.fromEntries(Object.entries(headers).map(([name, sent]) => [name.toLowerCase(), sent])),
  }));
}

function textOf(value: JsonValue | undefined): JsonText | null {
  return value === undefined ? null : renderValue(value);
}

/** The part that all operations of a batch share. */
export interface BatchContext {
  readonly ports: ResourcePorts;
  readonly caller: Caller;
  readonly requestId: string;
  readonly origin: RequestOrigin;
  readonly bodyLimitBytes: number;
}

/** An operation as the request that it would be on its own. */
export function operationCall(context: BatchContext, operation: BatchOperation): ResourceCall {
  const { method, headers } = operation;
  const { origin, ...shared } = context;
  const [path = '', ...query] = operation.path.split('?');
  const rawQuery = query.join('?');
  const bodyLimitBytes = bodyLimitFor(path, context.bodyLimitBytes);
  return {
    ...shared,
    bodyLimitBytes,
    answers: envelopes,
    origin() {
      const reason = headers['x-change-reason'];
      return reason === undefined ? origin : { ...origin, reason: parseReason(reason) };
    },
    method,
    path,
    rawQuery,
    query: () => parametersIn(rawQuery),
    precondition: () => readPrecondition(headers),
    matched: () => undefined,
    setHeaders: () => undefined,
    // The batch has one key for all of it.
    idempotencyKey: () => null,
    bodyText: async () => bodyWithin(operation, bodyLimitBytes),
    watch: () => null,
    async body() {
      if (headers['content-type'] !== undefined) requireMediaType({ headers }, ['application/json']);
      return parseDocument(bodyWithin(operation, bodyLimitBytes));
    },
    async patch(): Promise<PatchBody> {
      const mediaType = requireMediaType({ headers }, Object.values(patchTypes));
      return patchBodyOf(mediaType, bodyWithin(operation, bodyLimitBytes));
    },
  };
}

function bodyWithin({ body }: BatchOperation, limit: number): JsonText {
  if (body !== null && Buffer.byteLength(body) > limit) {
    throw new Problem('payload_too_large', `The body of the operation has more than ${limit} bytes.`);
  }
  return body ?? '';
}

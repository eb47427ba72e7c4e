import { invalid, schemaFaults } from '@platform/kernel';
import { parseDocument } from '@platform/resources';
import type { Request } from 'express';
import type { z } from 'zod';
import { readJsonText } from '../http/read-body.ts';
import { readForm, readParameters } from '../http/read-parameters.ts';
import type { BodyDocs, Examples, Schema } from './documentation.ts';

/** A body: how it is documented, and how it is read. */
export interface Body<T> extends BodyDocs {
  /** Reads at most `limit` bytes. Throws `Problem` or `OAuthError` for what is not such a body. */
  read(request: Request, limit: number): Promise<T>;
}

/** A JSON document, whose content the use case validates. */
export function jsonBody(schema: Schema, examples: Examples): Body<unknown> {
  return {
    mediaTypes: ['application/json'],
    schema,
    examples,
    read: async (request, limit) => parseDocument(await readJsonText(request, limit)).value,
  };
}

/** A JSON document that may be left out: then it is an empty object. */
export function optionalJsonBody(schema: Schema, examples: Examples): Body<unknown> {
  return {
    ...jsonBody(schema, examples),
    async read(request, limit) {
      const text = await readJsonText(request, limit);
      return text === '' ? {} : parseDocument(text).value;
    },
  };
}

/** A JSON document of a type. Reading it throws `validation_failed` with every fault. */
export function typedBody<T>(type: z.ZodType<T>, schema: Schema, examples: Examples): Body<T> {
  const body = jsonBody(schema, examples);
  return {
    ...body,
    async read(request, limit) {
      const parsed = type.safeParse(await body.read(request, limit));
      if (parsed.success) return parsed.data;
      throw invalid(schemaFaults(parsed.error.issues));
    },
  };
}

/** The parameters of an OAuth request, as a form or as a JSON object (RFC 6749, appendix B). */
export function oauthBody(schema: Schema, examples: Examples): Body<Readonly<Record<string, unknown>>> {
  return {
    mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
    schema,
    examples,
    read: (request, limit) => readParameters(request, limit, { json: true }),
  };
}

/** The parameters of a form (RFC 6749 section 4.1.3). */
export function formBody(schema: Schema, examples: Examples): Body<ReadonlyMap<string, string>> {
  return { mediaTypes: ['application/x-www-form-urlencoded'], schema, examples, read: readForm };
}

import { OAuthError, Problem } from '@platform/kernel';
import { parseDocument } from '@platform/resources';
import type { Request } from 'express';
import { parseForm } from './form-parameters.ts';
import { requireMediaType } from './media-type.ts';
import { readText } from './read-body.ts';

const jsonType = 'application/json';
const formType = 'application/x-www-form-urlencoded';

/** The parameters of a request to an OAuth endpoint; the use case validates them. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Reads the parameters of a form body (RFC 6749 section 4.1.3); another content type is `invalid_request`. */
export async function readForm(request: Request, limit: number): Promise<ReadonlyMap<string, string>> {
  typeOf(request, false);
  return parseForm(await readText(request, limit));
}

/**
 * Reads the parameters of an OAuth request, sent as a form or, where `json` says so, as a JSON object.
 * Throws OAuthError `invalid_request` for a body that holds none, and as `readText` does.
 */
export async function readParameters(
  request: Request,
  limit: number,
  { json }: { readonly json: boolean },
): Promise<Parameters> {
  const type = typeOf(request, json);
  const text = await readText(request, limit);
  return type === jsonType ? parseJson(text) : Object.fromEntries(parseForm(text));
}

function typeOf(request: Request, json: boolean): typeof jsonType | typeof formType {
  try {
    return requireMediaType(request, json ? [jsonType, formType] : [formType]);
  } catch (error) {
    // RFC 6749 section 5.2 has one answer for every malformed request.
    if (error instanceof Problem) throw new OAuthError('invalid_request', error.message);
    throw error;
  }
}

function parseJson(text: string): Parameters {
  const value = parsedStrictly(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OAuthError('invalid_request', 'The body must be a JSON object');
  }
  return value as Parameters;
}

// Attack: as with a form below, two members of one name are read in two ways.
function parsedStrictly(text: string): unknown {
  try {
    return parseDocument(text).value;
  } catch (error) {
    if (error instanceof Problem) throw new OAuthError('invalid_request', error.message);
    throw error;
  }
}

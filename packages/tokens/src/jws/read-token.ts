import { duplicateFields } from '@platform/kernel';

/** The longest token that is read at all, in bytes. */
export const maxTokenBytes = 8192;

/** The content of a token. Do not trust it before its signature is verified. */
export interface ReadToken {
  readonly header: ReadHeader;
  readonly claims: ReadClaims;
}

/** The header as it was read (RFC 7515 section 4), its members not validated yet. */
export interface ReadHeader {
  readonly alg?: unknown;
  readonly typ?: unknown;
  readonly kid?: unknown;
  readonly [name: string]: unknown;
}

/** The claims as they were read (RFC 7519 section 4), not validated yet. */
export interface ReadClaims {
  readonly iss?: unknown;
  readonly aud?: unknown;
  readonly [name: string]: unknown;
}

const segmentPattern = /^[A-Za-z0-9_-]+$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a compact JWS (RFC 7515 section 7.1) without validating it: three segments of canonical unpadded
 * base64url, header and claims one JSON object each. Undefined for anything else.
 * The only parser of tokens, so that the validated claims are always the signed ones.
 */
export function readToken(token: string): ReadToken | undefined {
  // Attack: a token of megabytes keeps the parser and the hash busy. (Characters: a longer one has more bytes.)
  if (token.length > maxTokenBytes) return undefined;
  const segments = token.split('.');
  const [head, body, signature] = segments;
  if (segments.length !== 3 || head === undefined || body === undefined || signature === undefined) {
    return undefined;
  }
  // Attack: a second spelling of the same signature makes a second token that replay checks do not know.
  if (decodeSegment(signature) === undefined) return undefined;
  const header = readObject(head);
  const claims = readObject(body);
  if (header === undefined || claims === undefined) return undefined;
  // Attack: `crit` names extensions that change what the token means (RFC 7515 4.1.11), e.g. `b64`. None is known here.
  if (Object.hasOwn(header, 'crit')) return undefined;
  return { header, claims };
}

function decodeSegment(segment: string): Buffer | undefined {
  if (!segmentPattern.test(segment)) return undefined;
  const bytes = Buffer.from(segment, 'base64url');
  return bytes.toString('base64url') === segment ? bytes : undefined;
}

function readObject(segment: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decodeSegment(segment);
  if (bytes === undefined) return undefined;
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    // Attack: of `{"sub": "me", "sub": "admin"}` one reader takes the first and another the last. A reader may refuse it (RFC 7515
    // section 4, RFC 7519 section 4), which is the only answer that all readers share.
    return duplicateFields(text).length > 0 ? undefined : (value as Readonly<Record<string, unknown>>);
  } catch {
    return undefined;
  }
}

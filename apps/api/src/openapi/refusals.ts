import { type ProblemCode, problemCodes } from '@platform/kernel';
import { type EndpointDocs, ref } from '../endpoint/documentation.ts';

/** Refusals that any endpoint may answer, whatever it does. */
const anywhere: readonly ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'unavailable',
];
const withBody: readonly ProblemCode[] = ['malformed_body', 'validation_failed', 'payload_too_large'];

/** Methods whose answer by the database may be lost behind a write. */
const writing: ReadonlySet<EndpointDocs['method']> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The responses of an endpoint's refusals, by status. */
export function refusalsOf(endpoint: EndpointDocs): Readonly<Record<string, object>> {
  const byStatus = new Map<number, { codes: ProblemCode[]; errors: readonly string[] }>();
  const entry = (status: number) => {
    const known = byStatus.get(status) ?? { codes: [], errors: [] };
    byStatus.set(status, known);
    return known;
  };
  for (const code of codesOf(endpoint)) entry(problemCodes[code].status).codes.push(code);
  for (const [status, errors] of Object.entries(endpoint.oauthErrors ?? {})) {
    entry(Number(status)).errors = errors;
  }
  return Object.fromEntries(
    [...byStatus].map(([status, { codes, errors }]) => [
      status,
      response(status, codes, errors, endpoint.errorPages === true),
    ]),
  );
}

function codesOf({
  method,
  credential,
  body,
  oauthErrors,
  problems = [],
}: EndpointDocs): readonly ProblemCode[] {
  const ofCaller = (credential === 'caller' || credential === 'visitor') && oauthErrors === undefined;
  const ofBody = body !== undefined && oauthErrors === undefined;
  return [
    ...new Set<ProblemCode>([
      ...(ofCaller ? (['unauthenticated', 'forbidden'] as const) : []),
      ...(ofBody ? [...withBody, 'unsupported_media_type' as const] : []),
      ...problems,
      ...anywhere,
      ...(writing.has(method) ? (['outcome_unknown'] as const) : []),
    ]),
  ];
}

function response(
  status: number,
  codes: readonly ProblemCode[],
  errors: readonly string[],
  pages: boolean,
): object {
  const names = [...codes, ...errors].map((code) => `\`${code}\``);
  return {
    description: `${names.join(', ')}`,
    headers: headersOf(status, errors.length > 0),
    content: {
      ...(codes.length === 0 ? {} : { 'application/problem+json': problemContent(codes) }),
      ...(errors.length === 0 ? {} : { 'application/json': oauthContent(errors) }),
      ...(errors.length > 0 && pages ? { 'text/html': { schema: { type: 'string' } } } : {}),
    },
  };
}

function problemContent(codes: readonly ProblemCode[]): object {
  return {
    schema: { ...ref('Problem'), properties: { code: { enum: codes } } },
    examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
  };
}

function oauthContent(errors: readonly string[]): object {
  return {
    schema: { ...ref('OAuthError'), properties: { error: { enum: errors } } },
    example: { error: errors[0], error_description: 'The fault of the request' },
  };
}

function headersOf(status: number, oauth: boolean): object {
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
  return {
    'X-Request-Id': header('RequestId'),
    ...(status === 401 ? { 'WWW-Authenticate': header(oauth ? 'OAuthChallenge' : 'Challenge') } : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': header('RetryAfter') } : {}),
  };
}

/** The codes that no endpoint answers: there is none at the path, or none with the method. */
const nowhere: readonly string[] = ['unknown_endpoint', 'method_not_allowed'];

/** An example for each problem code that an endpoint answers, for `components`. */
export function problemExamples(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(problemCodes)
      .filter(([code]) => !nowhere.includes(code))
      .map(([code, { status, title }]) => [
        code,
        {
          summary: title,
          value: {
            type: `/problems/${code}`,
            title,
            status,
            detail: 'The fault of this request, for a person.',
            instance: '/api/v1/resources/platform.dev/v1alpha1/organizations/acme',
            code,
            requestId: '5f0c8a52-6d2a-4d57-8a0e-3f1c9b7e2d10',
          },
        },
      ]),
  );
}

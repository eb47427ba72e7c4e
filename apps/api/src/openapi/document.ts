import type { EndpointDocs, Schema } from '../endpoint/documentation.ts';
import { pathParameters } from '../endpoint/path-parameters.ts';
import { allEndpoints } from '../routes/index.ts';
import { componentSchemas } from './component-schemas.ts';
import { introduction, tags } from './introduction.ts';
import { type DocumentedKind, kindEndpoints, kindSchemas } from './kinds.ts';
import { operationOf, Responses } from './operation.ts';
import { problemExamples } from './refusals.ts';
import { builtInKinds, resourceEndpoints } from './resource-paths.ts';
import { securitySchemes } from './security.ts';

/** The settings of an installation that show in its document. */
export interface OpenApiSettings {
  /** `server.public_url`. */
  readonly publicUrl: string;
  /** The version of the platform. */
  readonly version: string;
  /** The name of the session cookie. */
  readonly sessionCookie: string;
}

/** The registered kinds that a document shows, and whether there are more. */
export interface RegisteredKinds {
  readonly kinds: readonly DocumentedKind[];
  readonly truncated: boolean;
}

/** An OpenAPI 3.1 document, loosely: what its readers need of it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly [member: string]: unknown;
}

/** The OpenAPI 3.1 document of the API, with the registered kinds when there are some to show. */
export function openApiDocument(
  { publicUrl, version, sessionCookie }: OpenApiSettings,
  registered: RegisteredKinds = { kinds: [], truncated: false },
): OpenApiDocument {
  const responses = new Responses();
  const all: readonly EndpointDocs[] = [
    ...resourceEndpoints(),
    ...allEndpoints,
    ...registered.kinds.flatMap(kindEndpoints),
  ];
  const paths = pathsOf(all, responses);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Platform API',
      version,
      summary: 'A generic resource API, a token model and an OAuth proxy.',
      description: introduction(registered.truncated),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'This installation' }],
    tags: tags(registered.kinds.length > 0),
    paths,
    components: {
      schemas: schemasOf([...builtInKinds, ...registered.kinds]),
      responses: responses.components(),
      examples: problemExamples() as Readonly<Record<string, object>>,
      headers,
      securitySchemes: securitySchemes(sessionCookie),
    },
  };
}

function pathsOf(all: readonly EndpointDocs[], responses: Responses): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of all) {
    let path = paths[endpoint.path];
    if (path === undefined) {
      const parameters = pathParameters(endpoint.path);
      path = parameters.length === 0 ? {} : { parameters };
      paths[endpoint.path] = path;
    }
    path[endpoint.method.toLowerCase()] = operationOf(endpoint, responses);
  }
  return paths;
}

function schemasOf(kinds: readonly DocumentedKind[]): Readonly<Record<string, Schema>> {
  return Object.assign({}, componentSchemas, ...kinds.map(kindSchemas));
}

const text: Schema = { type: 'string' };
const headers = {
  RequestId: { description: 'Names the request in answers and logs.', schema: text },
  Challenge: { description: '`Bearer` (RFC 6750).', schema: text },
  OAuthChallenge: { description: 'How to authenticate (RFC 6749, section 5.2).', schema: text },
  RetryAfter: { description: 'Seconds after which a retry makes sense.', schema: { type: 'integer' } },
};

import type { ProblemCode } from '@platform/kernel';

/** A JSON Schema, Draft 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The methods that endpoints may have. HEAD is answered wherever GET is. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** How a caller authenticates, as the document says it; see `openapi/security.ts`. */
export type Credential =
  | 'none'
  | 'caller'
  | 'callerOrClient'
  | 'visitor'
  | 'bootstrap'
  | 'client'
  | 'upstreamToken';

/** A request body that `apps/api/test/whole/openapi-examples.test.ts` sends; it fills in `<...>`. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
  /** The media types of the body that it is for; all of them by default. */
  readonly mediaType?: MediaType;
}

/** Examples by name. */
export type Examples = Readonly<Record<string, Example>>;

/** The media types of request bodies. */
export type MediaType =
  | 'application/json'
  | 'application/x-www-form-urlencoded'
  | 'application/merge-patch+json'
  | 'application/json-patch+json'
  | 'application/apply-patch+yaml';

/** The documentation of a request body. */
export interface BodyDocs {
  readonly mediaTypes: readonly MediaType[];
  readonly schema: Schema;
  readonly examples: Examples;
}

/** A query parameter, or a header that means something. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  readonly required?: boolean;
  readonly example?: unknown;
}

/** An answer other than a refusal. */
export interface ResponseDocs {
  readonly description: string;
  /** Absent where there is no body. */
  readonly schema?: Schema;
  /** `application/json` unless told. */
  readonly mediaType?: string;
  /** The schema of one event, with `type` and `cursor`, where the answer may also be a stream: one JSON object a line, or server-sent events. */
  readonly stream?: Schema;
  /** The schema of one line, where the answer may also be NDJSON. */
  readonly line?: Schema;
  /** Descriptions by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the schema has none. */
  readonly example?: unknown;
}

/** The documentation of an endpoint: everything in the OpenAPI document that is particular to it. */
export interface EndpointDocs {
  readonly method: Method;
  /** With `{name}` for each parameter; they are described in `endpoint/path-parameters.ts`. */
  readonly path: string;
  /** Unique; generated clients call their functions so. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly credential: Credential;
  readonly parameters?: readonly Parameter[];
  readonly body?: BodyDocs;
  readonly responses: Readonly<Record<number, ResponseDocs>>;
  /** Codes of problem+json answers, beyond those that every endpoint of its sort has. */
  readonly problems?: readonly ProblemCode[];
  /** `error` values of RFC 6749 answers, by status. */
  readonly oauthErrors?: Readonly<Record<number, readonly string[]>>;
  /** Whether a browser gets those as a page. */
  readonly errorPages?: boolean;
}

/** A reference to a schema of `components`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

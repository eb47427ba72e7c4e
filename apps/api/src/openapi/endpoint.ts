import type { ProblemCode } from '@platform/kernel';

/** A JSON Schema, Draft 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** How a caller proves who they are, as the document says it; see `security.ts`. */
export type Credential = 'none' | 'caller' | 'visitor' | 'bootstrap' | 'client' | 'upstreamToken';

/** A request body that is sent as it stands by `apps/api/test/openapi/examples.test.ts`. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** What an endpoint reads. */
export interface Body {
  readonly mediaTypes: readonly ('application/json' | 'application/x-www-form-urlencoded')[];
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, Example>>;
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
export interface Answer {
  readonly description: string;
  /** Absent where there is no body. */
  readonly schema?: Schema;
  /** `application/json` unless told. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly example?: unknown;
}

/** One endpoint as the document describes it: everything that is particular to it. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete' | 'options';
  /** With `{name}` for what varies. */
  readonly path: string;
  /** Unique; generated clients call their functions so. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly credential: Credential;
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  readonly answers: Readonly<Record<number, Answer>>;
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

/** A body that is JSON and nothing else. */
export function jsonBody(schema: Schema, examples: Readonly<Record<string, Example>>): Body {
  return { mediaTypes: ['application/json'], schema, examples };
}

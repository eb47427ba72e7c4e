import type { AuditAction } from '@platform/access';
import type { Principal, UserPrincipal } from '@platform/tokens';
import type { z } from 'zod';
import type { Answer, Headers } from './answer.ts';
import type { Body } from './body.ts';
import type { Call } from './call.ts';
import type { Credential, EndpointDocs, Parameter } from './documentation.ts';
import { type QuerySchema, queryParameters } from './query.ts';

/**
 * Who may call an endpoint. It is decided from the headers alone, before the path, the query and the body are read:
 * `public` anyone, without a credential; `authenticated` anyone with a valid credential; `user` a person with a session;
 * `userOrClient` also a public OAuth client, which sends no credential and names itself in the body;
 * `operator` operators; everybody else gets the same 403.
 */
export type Access = 'public' | 'authenticated' | 'user' | 'userOrClient' | 'operator';

/** The caller that the access guarantees. */
interface PrincipalOf {
  readonly public: null;
  readonly authenticated: Principal;
  readonly user: UserPrincipal;
  readonly userOrClient: UserPrincipal | null;
  readonly operator: UserPrincipal;
}

/** Whether requests without a credential are accepted. */
export function isOpen(access: Access): boolean {
  return access === 'public' || access === 'userOrClient';
}

/** The parsed request, as a handler gets it. */
export interface Input<A extends Access = Access, P = unknown, Q = unknown, B = unknown> {
  readonly principal: PrincipalOf[A];
  readonly params: P;
  readonly query: Q;
  /** Reads, parses and validates the body. A function, since 403 and 404 of some endpoints come before faults of the body. */
  readonly body: () => Promise<B>;
}

/** The record of a refusal: its action, and details in addition to the error. */
export interface RefusalAudit {
  readonly refused: AuditAction;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One endpoint: its route, its operation in the OpenAPI document and its handler all come from this. */
interface Descriptor<Deps, A extends Access, P, Q, B>
  extends Omit<EndpointDocs, 'parameters' | 'body' | 'credential'> {
  readonly access: A;
  /** How callers authenticate, where `access` does not say it. */
  readonly credential?: Credential;
  readonly params?: z.ZodType<P>;
  readonly query?: QuerySchema<Q>;
  /** Instead of `query`, where the handler reads the query itself: for the document. */
  readonly documentedQuery?: z.ZodObject;
  /** Whether a query parameter that is not declared is 400 `invalid_query`; ignored otherwise. */
  readonly unknownQuery?: 'refuse';
  /** Request headers that mean something, for the document. */
  readonly requestHeaders?: readonly Parameter[];
  readonly body?: Body<B>;
  /** Counts the requests of an address. Attack: `credentials`: guessing codes and secrets; `work`: requests that cost milliseconds. */
  readonly limit?: 'credentials' | 'work';
  /** Why an endpoint that anybody may call has no `limit`. */
  readonly unlimited?: string;
  /** `small`: no token, code or secret is longer, with its other parameters. `server.body_limit_bytes` otherwise. */
  readonly bodyLimit?: 'small';
  /** How a refusal is recorded, instead of `request.refused`. The handler records its success itself. */
  readonly audit?: RefusalAudit;
  /** Headers of every answer, refusals too. */
  readonly headers?: Headers;
  /** Answers an error in its own form; null leaves it to the error handler. */
  readonly onError?: (error: unknown, call: Call) => Answer | null;
  handle(deps: Deps, input: Input<A, P, Q, B>, call: Call): Promise<Answer> | Answer;
}

/** An endpoint whose input types are settled. */
export interface Endpoint<in Deps = unknown> extends EndpointDocs {
  readonly access: Access;
  readonly params?: z.ZodType;
  readonly query?: QuerySchema<unknown>;
  readonly documentedQuery?: z.ZodObject;
  readonly unknownQuery?: 'refuse';
  readonly body?: Body<unknown>;
  readonly limit?: 'credentials' | 'work';
  readonly unlimited?: string;
  readonly bodyLimit?: 'small';
  readonly audit?: RefusalAudit;
  readonly headers?: Headers;
  readonly onError?: (error: unknown, call: Call) => Answer | null;
  handle(deps: Deps, input: Input, call: Call): Promise<Answer> | Answer;
}

/** An endpoint with what it needs: ready to be mounted. */
export type BoundEndpoint = Endpoint<undefined>;

/** Declares an endpoint. Annotate the first parameter of `handle` with what it needs; the types of its input follow from the schemas. */
export function endpoint<Deps, A extends Access, P = undefined, Q = undefined, B = undefined>(
  descriptor: Descriptor<Deps, A, P, Q, B>,
): Endpoint<Deps> {
  const { access, query, documentedQuery, requestHeaders = [], credential } = descriptor;
  const documented = query ?? documentedQuery;
  return {
    ...descriptor,
    credential: credential ?? credentialFor(access),
    problems: [
      ...(descriptor.problems ?? []),
      ...(descriptor.unknownQuery === 'refuse' ? (['invalid_query'] as const) : []),
    ],
    parameters: [...(documented === undefined ? [] : queryParameters(documented)), ...requestHeaders],
  } as Endpoint<Deps>;
}

function credentialFor(access: Access): Credential {
  if (access === 'userOrClient') return 'callerOrClient';
  return access === 'public' ? 'none' : 'caller';
}

/** Gives endpoints what they need. */
export function bind<Deps>(endpoints: readonly Endpoint<Deps>[], deps: Deps): readonly BoundEndpoint[] {
  return endpoints.map((one) => ({
    ...one,
    handle: (_deps: undefined, input: Input, call: Call) => one.handle(deps, input, call),
  }));
}

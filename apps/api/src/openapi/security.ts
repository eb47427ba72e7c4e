import type { Credential } from '../endpoint/documentation.ts';

/** The security schemes, for `components`; `sessionCookie` is the name that the configuration gives the cookie. */
export function securitySchemes(sessionCookie: string): Readonly<Record<string, object>> {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'A session token of a person, an access token of `POST /api/v1/auth/token`, or where the configuration lets it the raw token of a controller or service account.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie,
      description:
        'The session cookie of the browser login. Methods other than GET need an `Origin` of the platform itself.',
    },
    ingress: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An ingress token of the same project.',
    },
    bootstrap: {
      type: 'http',
      scheme: 'bearer',
      description: 'The bootstrap credential of a deployment.',
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description: 'Client id and secret of an extension; they may be sent as form fields instead.',
    },
    upstream: {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token of the upstream provider.',
    },
  };
}

/** The security requirement of each credential; one scheme of the list is enough. */
export const securityOf: Readonly<
  Record<Credential, readonly Readonly<Record<string, readonly string[]>>[]>
> = {
  none: [],
  caller: [{ bearer: [] }, { session: [] }],
  callerOrClient: [{ bearer: [] }, { session: [] }, {}],
  visitor: [{ bearer: [] }, { session: [] }, { ingress: [] }],
  bootstrap: [{ bootstrap: [] }],
  client: [{ client: [] }, {}],
  upstreamToken: [{ upstream: [] }],
};

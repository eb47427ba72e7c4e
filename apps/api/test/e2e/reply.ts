/** Who sends a request: an operator, one of two controllers, or a user without access. */
export type Sender = 'operator' | 'controller' | 'other-controller' | 'user';

/** One HTTP request, with everything symbolic resolved. */
export interface Call {
  readonly method: string;
  /** After the origin, still encoded. */
  readonly path: string;
  readonly body?: string;
  readonly as: Sender;
  readonly requestId?: string;
}

/** One HTTP answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Something that answers requests. */
export type Send = (call: Call) => Promise<Reply>;

/** Sends calls to one origin with a bearer token for each sender. */
export function sendTo(origin: string, tokens: Readonly<Record<Sender, string>>): Send {
  return async ({ method, path, body, as, requestId }) => {
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${tokens[as]}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

/** A body that is looked at member by member. */
// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
export type Json = any;

/** The body of a reply that is JSON. */
export function jsonOf(reply: Reply): Json {
  try {
    return JSON.parse(reply.text);
  } catch {
    throw new Error(`not JSON (${reply.status}): ${reply.text.slice(0, 200)}`);
  }
}

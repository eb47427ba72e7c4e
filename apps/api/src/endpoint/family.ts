import { Problem } from '@platform/kernel';
import type { Express, RequestHandler } from 'express';
import { withStorageProblems } from '../http/error-handler.ts';
import { represent } from '../http/representation.ts';
import { sendAnswer } from '../http/send.ts';
import type { Answer } from './answer.ts';
import { Call } from './call.ts';
import type { Access } from './descriptor.ts';
import type { MountSettings } from './mount.ts';
import { sendRefusal } from './send-refusal.ts';

/** Endpoints below a prefix that read the raw path themselves. */
export interface EndpointFamily {
  /** An express path; everything below it belongs to the family, whatever the method. */
  readonly prefix: string;
  readonly access: Access | ((call: Call) => Access);
  /** Why requests of anybody have no limit; needed unless `access` excludes them. */
  readonly unlimited?: string;
  /** Sets `call.context.route`, and refuses paths and methods itself. */
  handle(call: Call): Promise<Answer> | Answer;
  /** Answers an error in its own form; null leaves it to the error handler. */
  onError?(error: unknown, call: Call): Answer | null;
  /** Told of every caller that authorization or the family refused, before the refusal is sent. */
  refused?(call: Call, problem: Problem): void;
}

/** Puts families into the application: everything below their prefix is theirs. */
export function mountFamilies(
  app: Express,
  families: readonly EndpointFamily[],
  settings: Pick<MountSettings, 'authorize' | 'stopping' | 'audit' | 'log'>,
): void {
  for (const family of families) {
    const { prefix, access, unlimited } = family;
    // Attack: anonymous work without a bound, as for endpoints.
    if ((access === 'public' || typeof access === 'function') && unlimited === undefined) {
      throw new Error(`${prefix} may be public: declare why it has no limit`);
    }
    app.use(prefix, familyHandler(family, settings));
  }
}

function familyHandler(
  family: EndpointFamily,
  { authorize, stopping, audit, log }: Pick<MountSettings, 'authorize' | 'stopping' | 'audit' | 'log'>,
): RequestHandler {
  return async (request, response) => {
    const call = new Call(request, response, stopping, audit);
    request.context.route = family.prefix;
    try {
      const access = typeof family.access === 'function' ? family.access(call) : family.access;
      await authorize(access, call);
      const answer = await family.handle(call);
      await sendAnswer(request, response, access === 'public' ? answer : represent(call, answer));
    } catch (thrown) {
      const error = withStorageProblems(thrown);
      if (error instanceof Problem && (error.status === 401 || error.status === 403)) {
        family.refused?.(call, error);
      }
      await sendRefusal(family, error, call, { request, response, audit, log });
    }
  };
}

import { Problem } from '@platform/kernel';
import type { Express, RequestHandler } from 'express';
import { represent } from '../http/representation.ts';
import { sendAnswer } from '../http/send-answer.ts';
import type { Answer } from './answer.ts';
import { Call } from './call.ts';
import type { Access } from './descriptor.ts';
import type { MountSettings } from './mount.ts';

/** Endpoints below a prefix that read the raw path themselves. */
export interface EndpointFamily {
  /** An express path; everything below it belongs to the family, whatever the method. */
  readonly prefix: string;
  readonly access: Access;
  /** Sets `call.context.route`, and refuses paths and methods itself. */
  handle(call: Call): Promise<Answer> | Answer;
  /** Told of every caller that authorization or the family refused, before the refusal is sent. */
  refused?(call: Call, problem: Problem): void;
}

/** Puts families into the application: everything below their prefix is theirs. */
export function mountFamilies(
  app: Express,
  families: readonly EndpointFamily[],
  settings: Pick<MountSettings, 'authorize' | 'stopping' | 'audit'>,
): void {
  for (const family of families) app.use(family.prefix, familyHandler(family, settings));
}

function familyHandler(
  family: EndpointFamily,
  { authorize, stopping, audit }: Pick<MountSettings, 'authorize' | 'stopping' | 'audit'>,
): RequestHandler {
  return async (request, response) => {
    const call = new Call(request, response, stopping, audit);
    request.context.route = family.prefix;
    try {
      await authorize(family.access, call);
      const answer = await family.handle(call);
      await sendAnswer(request, response, family.access === 'public' ? answer : represent(call, answer));
    } catch (error) {
      if (error instanceof Problem && (error.status === 401 || error.status === 403)) {
        family.refused?.(call, error);
      }
      throw error;
    }
  };
}

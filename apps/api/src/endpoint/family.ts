import { Problem } from '@platform/kernel';
import type { Express, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Entrance } from '../http/entrance.ts';
import { withStorageProblems } from '../http/error-handler.ts';
import { represent } from '../http/representation.ts';
import { offHeapBytes, sendAnswer } from '../http/send.ts';
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

type FamilySettings = Pick<MountSettings, 'authorize' | 'stopping' | 'audit' | 'log'>;

/** Paths whose answers were large, and the place where requests for them wait. */
interface LargeAnswers {
  readonly paths: LRUCache<string, true>;
  readonly entrance: Entrance;
}

/** The most characters of the paths that are remembered: thousands of collections. */
const maxPathCharacters = 1_000_000;

/** Puts families into the application: everything below their prefix is theirs. */
export function mountFamilies(
  app: Express,
  families: readonly EndpointFamily[],
  settings: FamilySettings,
  entrance = new Entrance(),
): void {
  const large = {
    paths: new LRUCache<string, true>({
      maxSize: maxPathCharacters,
      sizeCalculation: (_, path) => path.length,
    }),
    entrance,
  };
  for (const family of families) {
    const { prefix, access, unlimited } = family;
    // Attack: anonymous work without a bound, as for endpoints.
    if ((access === 'public' || typeof access === 'function') && unlimited === undefined) {
      throw new Error(`${prefix} may be public: declare why it has no limit`);
    }
    app.use(prefix, familyHandler(family, large, settings));
  }
}

function familyHandler(
  family: EndpointFamily,
  { paths, entrance }: LargeAnswers,
  settings: FamilySettings,
): RequestHandler {
  return (request, response) => {
    const { path, query } = request.context;
    const answer = async () => {
      const length = await serve(family, request, response, settings);
      // The path is a slice of the URL, which V8 keeps in memory as long as a slice. A clone is a text of its own.
      if (length > offHeapBytes) paths.set(structuredClone(path), true);
    };
    // A watch of the path has no large answer, and thousands may begin at the same time.
    const waits = request.method === 'GET' && paths.has(path) && !query.includes('watch=');
    return waits ? entrance.pass(answer) : answer();
  };
}

/** Answers a request. Resolves with the characters of the answer, as far as it was one text. */
async function serve(
  family: EndpointFamily,
  request: Request,
  response: Response,
  { authorize, stopping, audit, log }: FamilySettings,
): Promise<number> {
  const call = new Call(request, response, stopping, audit);
  request.context.route = family.prefix;
  try {
    const access = typeof family.access === 'function' ? family.access(call) : family.access;
    await authorize(access, call);
    const answer = await family.handle(call);
    await sendAnswer(request, response, access === 'public' ? answer : represent(call, answer));
    return typeof answer.body === 'string' ? answer.body.length : 0;
  } catch (thrown) {
    const error = withStorageProblems(thrown);
    if (error instanceof Problem && (error.status === 401 || error.status === 403)) {
      family.refused?.(call, error);
    }
    await sendRefusal(family, error, call, { request, response, audit, log });
    return 0;
  }
}

import { AccessRulesCache } from '@platform/access';
import { recordingLogger } from '@platform/development/testing';
import type { UserPrincipal } from '@platform/tokens';
import { wireWatch } from './watch.ts';

const session = { id: 's1', startedAt: 1_000, expiresAt: 9_000 };
const user = { type: 'user', uid: 'u', email: 'ann@example.dev', session } as unknown as UserPrincipal;

/** How often a stream of the user is told at its beginning that the session ended. */
async function told(hasEnded: boolean | Promise<boolean>): Promise<number> {
  let ends = 0;
  const service = wireWatch(
    {
      config: { limits: { watches: 1, watches_per_caller: 1 } },
      store: { changeLog: {}, reader: {} },
      logging: { logger: recordingLogger() },
      clock: { now: () => 0 },
    } as unknown as Parameters<typeof wireWatch>[0],
    { watch: { count: () => undefined, sent: () => undefined, delay: () => undefined } } as never,
    { onEnded: () => () => undefined, hasEnded: () => hasEnded },
    new AccessRulesCache({} as never),
    new AbortController().signal,
  );
  service.onSessionEnd(user, () => {
    ends += 1;
  });
  await new Promise(setImmediate);
  return ends;
}

describe('the session of a stream', () => {
  it('ends it at once when it ended between the authorization and the first event', async () => {
    expect(await told(true)).toBe(1);
    expect(await told(Promise.resolve(true))).toBe(1);
  });

  it('lets it go on otherwise, and while that is not known', async () => {
    expect(await told(false)).toBe(0);
    expect(await told(Promise.resolve(false))).toBe(0);
    expect(await told(Promise.reject(new Error('the database is away')))).toBe(0);
  });
});

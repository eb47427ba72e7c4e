import { AccessRulesCache } from '@platform/access';
import { recordingLogger } from '@platform/development/testing';
import type { Principal } from '@platform/tokens';
import { wireWatch } from './watch.ts';

const session = { id: 's1', startedAt: 1_000, expiresAt: 9_000 };
const user = { type: 'user', uid: 'u', email: 'ann@example.dev', session };

const account = { type: 'service_account', uid: 'a', email: 'p+a@sa.example', project: 'p' };

/** How often a stream of the principal is told at its beginning that the session or the account ended. */
async function toldTo(
  principal: unknown,
  { hasEnded = false, accountExists = async () => true }: Partial<Ends>,
): Promise<number> {
  let ends = 0;
  const service = wireWatch(
    {
      config: { limits: { watches: 1, watches_per_caller: 1 } },
      store: { changeLog: {}, reader: {} },
      logging: { logger: recordingLogger() },
      clock: { now: () => 0 },
      metrics: { watch: { count: () => undefined, sent: () => undefined, delay: () => undefined } },
    } as unknown as Parameters<typeof wireWatch>[0],
    {
      ended: { onEnded: () => () => undefined, hasEnded: () => hasEnded },
      accountExists,
      access: new AccessRulesCache({} as never),
      stopping: new AbortController().signal,
    },
  );
  service.onSessionEnd(principal as Principal, () => {
    ends += 1;
  });
  await new Promise(setImmediate);
  return ends;
}

/** The answers that a stream gets at its beginning. */
interface Ends {
  readonly hasEnded: boolean | Promise<boolean>;
  readonly accountExists: () => Promise<boolean>;
}

const told = (hasEnded: Ends['hasEnded']) => toldTo(user, { hasEnded });

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

describe('the service account of a stream', () => {
  const toldOfAccount = (accountExists: Ends['accountExists']) => toldTo(account, { accountExists });

  it('ends it at once when it was deleted between the authorization and the first event', async () => {
    expect(await toldOfAccount(async () => false)).toBe(1);
  });

  it('lets it go on otherwise, and while that is not known', async () => {
    expect(await toldOfAccount(async () => true)).toBe(0);
    expect(await toldOfAccount(() => Promise.reject(new Error('the database is away')))).toBe(0);
  });
});

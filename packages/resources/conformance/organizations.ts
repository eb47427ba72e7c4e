import type { OrganizationFacts, Transaction } from '../src/ports/transactions.ts';
import { creation, given, givenOrganization, organization } from './builders.ts';
import { letOthersRun, signal, tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** `OrganizationFacts`. */
export function organizations({ guarantee }: Suite): void {
  guarantee(
    'an empty store has no Organization, and kinds of that name in other groups do not count',
    async (store) => {
      await given(store, {
        ...organization('default'),
        collection: { group: 'other.dev', kind: 'Organization', ancestors: [] },
        apiVersion: 'other.dev/v1',
      });
      await given(store, { name: 'default' });
      expect(await facts(store, (known) => known.any())).toBe(false);
      expect(await facts(store, (known) => known.exists('default'))).toBe(false);
    },
  );

  guarantee('an Organization is found by its name', async (store) => {
    await givenOrganization(store, 'acme');
    expect(await facts(store, (known) => known.any())).toBe(true);
    expect(await facts(store, (known) => known.exists('acme'))).toBe(true);
    expect(await facts(store, (known) => known.exists('acm'))).toBe(false);
    expect(await facts(store, (known) => known.exists('ACME'))).toBe(false);
  });

  guarantee('a tombstoned Organization counts', async (store) => {
    await tombstone(store, await givenOrganization(store, 'acme'));
    expect(await facts(store, (known) => known.any())).toBe(true);
    expect(await facts(store, (known) => known.exists('acme'))).toBe(true);
  });

  guarantee('concurrent bootstraps of replicas run one after the other', async (store) => {
    const locked = signal();
    const first = store.transactions.run(async (transaction) => {
      await transaction.organizations.lockBootstrap();
      locked.send();
      await letOthersRun(store);
      return bootstrap(transaction);
    });
    await locked.sent;
    const others = ['b', 'c', 'd'].map((name) =>
      store.transactions.run(async (transaction) => {
        await transaction.organizations.lockBootstrap();
        return bootstrap(transaction, name);
      }),
    );
    expect(await Promise.all([first, ...others])).toEqual(['created', 'found', 'found', 'found']);
  });
}

async function bootstrap(
  { organizations: known, writer }: Transaction,
  name = 'a',
): Promise<'created' | 'found'> {
  if (await known.any()) return 'found';
  await writer.create(creation(organization(name)));
  return 'created';
}

function facts<T>(store: StoreUnderTest, look: (known: OrganizationFacts) => Promise<T>): Promise<T> {
  return store.transactions.run((transaction) => look(transaction.organizations));
}

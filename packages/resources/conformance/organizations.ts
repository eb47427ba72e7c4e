import type { OrganizationFacts } from '../src/ports/organization-facts.ts';
import type { Transaction } from '../src/ports/transactions.ts';
import { creation, given, givenOrganization, organization } from './builders.ts';
import { gate, letOthersRun, tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** `OrganizationFacts`. */
export function organizations({ guarantee }: Suite): void {
  guarantee('an empty store has no Organization, and other kinds of that name are none', async (store) => {
    await given(store, {
      ...organization('default'),
      collection: { group: 'other.dev', kind: 'Organization', ancestors: [] },
      apiVersion: 'other.dev/v1',
    });
    await given(store, { name: 'default' });
    expect(await facts(store, (known) => known.any())).toBe(false);
    expect(await facts(store, (known) => known.exists('default'))).toBe(false);
  });

  guarantee('an Organization is found by its name', async (store) => {
    await givenOrganization(store, 'acme');
    expect(await facts(store, (known) => known.any())).toBe(true);
    expect(await facts(store, (known) => known.exists('acme'))).toBe(true);
    expect(await facts(store, (known) => known.exists('acm'))).toBe(false);
    expect(await facts(store, (known) => known.exists('ACME'))).toBe(false);
  });

  guarantee('a tombstoned Organization is still one', async (store) => {
    await tombstone(store, await givenOrganization(store, 'acme'));
    expect(await facts(store, (known) => known.any())).toBe(true);
    expect(await facts(store, (known) => known.exists('acme'))).toBe(true);
  });

  guarantee('replicas that race bootstrap one after the other', async (store) => {
    const locked = gate();
    const first = store.transactions.run(async (transaction) => {
      await transaction.organizations.lockBootstrap();
      locked.open();
      await letOthersRun(store);
      return bootstrap(transaction);
    });
    await locked.opened;
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

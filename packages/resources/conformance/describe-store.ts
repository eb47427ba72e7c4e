import { accessFacts } from './access.ts';
import { accessGuards } from './access-guards.ts';
import { blockers } from './blockers.ts';
import { cascade, wholeDeletions } from './cascade.ts';
import { create, createOrder } from './create.ts';
import { definitionLocks } from './definition-locks.ts';
import { definitionVersions } from './definition-versions.ts';
import { definitionFacts, definitions } from './definitions.ts';
import { deletion, deletionLocks } from './deletion.ts';
import { deletionGraphs } from './deletion-graph.ts';
import { finalizers } from './finalizers.ts';
import { get } from './get.ts';
import { leaves } from './leaves.ts';
import { list } from './list.ts';
import { lossless } from './lossless.ts';
import { organizations } from './organizations.ts';
import { cycles, owners } from './owners.ts';
import { pendingDeletion } from './pending-deletion.ts';
import { protection, protectionRaces } from './protection.ts';
import { races, racesWithDeletion } from './races.ts';
import { replace } from './replace.ts';
import { search } from './search.ts';
import { select } from './select.ts';
import { status } from './status.ts';
import type { Exceptions, StoreUnderTest, Suite, Topic } from './suite.ts';
import { transactions } from './transactions.ts';

const topics: Readonly<Record<string, Topic>> = {
  create,
  'order of refusals': createOrder,
  get,
  list,
  select,
  search,
  'pending deletion': pendingDeletion,
  blockers,
  replace,
  owners,
  cycles,
  status,
  finalizers,
  lossless,
  deletion,
  'removal of leaves': leaves,
  'locks of a deletion': deletionLocks,
  cascade,
  'whole deletions': wholeDeletions,
  'deletion graphs': deletionGraphs,
  'deletion protection': protection,
  'races with deletion protection': protectionRaces,
  transactions,
  definitions,
  'definition facts': definitionFacts,
  'locks of definitions': definitionLocks,
  'definition versions': definitionVersions,
  organizations,
  'roles and bindings': accessFacts,
  guards: accessGuards,
  races,
  'races with deletion': racesWithDeletion,
};

/**
 * Tests whether a store keeps the promises of the ports of the resource area. `open` must return an empty store; it is called once.
 * An exception that names no guarantee fails the suite, so that a renamed guarantee is not skipped by mistake.
 */
export function describeStore(
  name: string,
  open: () => Promise<StoreUnderTest>,
  exceptions: Exceptions = {},
): void {
  describe(`${name} keeps the promises of its ports`, () => {
    let store: StoreUnderTest;
    const stated = new Set<string>();

    beforeAll(async () => {
      store = await open();
    });
    beforeEach(() => store.reset());
    afterAll(() => store.close());

    const suite: Suite = {
      guarantee(guarantee, prove) {
        stated.add(guarantee);
        const reason = exceptions[guarantee];
        if (reason === undefined) it(guarantee, () => prove(store));
        else it.skip(`${guarantee} (${reason})`, () => prove(store));
      },
    };
    for (const [topic, state] of Object.entries(topics)) describe(topic, () => state(suite));

    it('excepts only guarantees that exist', () => {
      expect(Object.keys(exceptions).filter((exception) => !stated.has(exception))).toEqual([]);
    });
  });
}

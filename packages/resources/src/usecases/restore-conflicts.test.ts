import type { Problem } from '@platform/kernel';
import { RestoreConflicts } from './restore-conflicts.ts';
import type { RestoredItem } from './restored-items.ts';
import type { RestoredPlaces } from './restored-places.ts';

const itemOf = (index: number): RestoredItem => {
  const removed = {
    uid: `old${index}`,
    apiVersion: 'a.example/v1',
    kind: 'Page',
    name: `p${index}`,
    parentUid: null,
  };
  return { removed, collection: null, uid: `new${index}`, name: `p${index}` } as unknown as RestoredItem;
};

/** Every item has an owner that is gone. */
const places = {
  missingOf: ({ removed: of }: RestoredItem) => [
    { relationship: 'owner', kind: 'Team', name: 'gone', uid: 'gone', of },
  ],
  parentOf: () => null,
} as unknown as RestoredPlaces;

function refusalOf(count: number): Problem {
  const items = Array.from({ length: count }, (_, index) => itemOf(index));
  const conflicts = new RestoreConflicts(items, places);
  for (const item of items) conflicts.outcome(item, { outcome: 'nameTaken' });
  try {
    conflicts.throwIfAny();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was thrown');
}

describe('the conflicts of a restore', () => {
  it('name everything that is taken or missing', () => {
    const { members, errors } = refusalOf(2);
    expect(members).toMatchObject({ taken: [{ from: 'old0' }, { from: 'old1' }], missing: [{}, {}] });
    expect(errors).toHaveLength(4);
  });

  // Attack: a restore of ten thousand resources, of which each is in conflict, is answered by megabytes.
  it('are the first thousand of each list, with the number of all', () => {
    const { message, members, errors } = refusalOf(3_000);
    expect(message).toBe(
      'Nothing was restored: 3000 name(s) are taken, 3000 parent(s) or owner(s) do not exist.',
    );
    expect([members['taken'], members['missing'], errors].map((each) => (each as object[]).length)).toEqual([
      1_000, 1_000, 1_000,
    ]);
  });
});

import { parseLabelSelector, type Resource, type SubscriptionSelector } from '@platform/resources';
import type { ChangeEntry } from '../model/change-entry.ts';
import { type Matches, matchedBefore } from './event-type.ts';
import { isSelected } from './select-changes.ts';

const everything: SubscriptionSelector = { kinds: [], scope: null, labels: [] };
const book = {
  apiVersion: 'library.example/v1',
  kind: 'Book',
  uid: 'b',
  ancestorUids: ['lib', 'shelf'],
  labels: { tier: 'public' },
} as unknown as Resource;

function entry(
  resource: Partial<Resource>,
  previous: Partial<Resource> | null = null,
  own: Partial<ChangeEntry> = {},
): ChangeEntry {
  return {
    operation: 'update',
    actor: { type: 'operator', id: 'ann' },
    resource: { ...book, ...resource },
    previous: previous && { ...book, ...previous },
    ...own,
  } as ChangeEntry;
}

const selects = (selector: Partial<SubscriptionSelector>, change = entry({})) =>
  isSelected(change, { ...everything, ...selector }, 'subscription');

describe('a subscription selects', () => {
  it('everything without a selector', () => {
    expect(selects({})).toBe(true);
  });

  it('by kind, of one group or of any', () => {
    const of = (kind: string, group: string | null) => selects({ kinds: [{ kind, group }] });
    expect([of('Book', 'library.example'), of('Book', null)]).toEqual([true, true]);
    expect([of('Book', 'other.example'), of('Shelf', null)]).toEqual([false, false]);
  });

  it('by scope: the resource itself, and what is below it at any depth', () => {
    expect(['b', 'shelf', 'lib', 'other'].map((scope) => selects({ scope }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('by label, also the change with which a resource stops matching', () => {
    const labels = parseLabelSelector('tier=public');
    expect(selects({ labels })).toBe(true);
    expect(selects({ labels }, entry({ labels: {} }, {}))).toBe(true);
    expect(selects({ labels }, entry({ labels: {} }, { labels: {} }))).toBe(false);
  });

  it('by label where the log does not reach back to the state before, unless the operation tells it', () => {
    const labels = parseLabelSelector('tier=public');
    const changed = (own: Partial<ChangeEntry>, revision = 7) =>
      selects({ labels }, entry({ labels: {}, revision }, null, own));
    expect([changed({ operation: 'update' }), changed({ operation: 'patch' })]).toEqual([true, true]);
    expect([changed({ operation: 'status' }), changed({ operation: 'delete', removed: true })]).toEqual([
      false,
      false,
    ]);
    expect(changed({ operation: 'create' }, 1)).toBe(false);
  });

  it('only what meets every part', () => {
    const kinds = [{ kind: 'Book', group: null }];
    expect(selects({ kinds, scope: 'other' })).toBe(false);
  });

  it('not the status that the platform writes about the subscription itself', () => {
    const own = { operation: 'status', actor: { type: 'system', id: 'collector' } } as const;
    expect(selects({}, entry({ uid: 'subscription' }, null, own))).toBe(false);
    expect(selects({}, entry({ uid: 'another' }, null, own))).toBe(true);
    expect(selects({}, entry({ uid: 'subscription' }, null, { operation: 'update' }))).toBe(true);
  });
});

it('nobody knows whether a resource matched by its status where the log does not reach back to the state before', () => {
  const written = entry({ revision: 7 }, null, { operation: 'status' });
  const matches: Matches = () => true;
  expect(matchedBefore(written, matches)).toBe(true);
  expect(matchedBefore(written, Object.assign(matches, { readsStatus: true as const }))).toBeNull();
});

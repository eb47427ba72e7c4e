import type { Resource } from 'platform-service-client';
import { Catalog } from '../kinds/catalog.ts';
import type { Plan, Planned } from './deletion-plan.ts';
import { drawTree } from './tree.ts';

const apiVersion = 'example.dev/v1';
const field = (name: string) => ({ apiVersion, kind: 'Field', name, uid: `uid-${name}`, parentUid: 'farm' });

it('shows a resource whose owner the caller may not see below the requested one', () => {
  const metadata = { name: 'north', uid: 'uid-north', ancestors: ['hill'], finalizers: [] };
  const root = { apiVersion, kind: 'Field', metadata } as unknown as Resource;
  const east: Planned = {
    ...field('east'),
    because: { relationship: 'ownerReference', blockOwnerDeletion: true },
    effect: 'removed',
    heldBy: [],
  };
  const plan: Plan = { hash: 'h', resources: [east], protected: [] };
  expect(drawTree(new Catalog([]), root, plan, 0)).toBe('field/hill/north\n└─ field/east  [owned, blocks]\n');
});

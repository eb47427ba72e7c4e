import { widget, widgets } from '../../test/fixtures.ts';
import type { ResourceIdentity } from '../model/resource.ts';
import type { Transaction } from '../ports/transactions.ts';
import { deleteResource } from './delete.ts';

const { uid } = widget;

function identity(name: string): ResourceIdentity {
  return { apiVersion: 'example.dev/v1', kind: 'Widget', name, uid: `uid of ${name}`, parentUid: null };
}

/** The refusal of a deletion that would reach the protected resources. */
async function refusal(found: readonly ResourceIdentity[], visible: readonly string[]) {
  const deletion = {
    lock: async () => ({ outcome: 'locked', resource: widget, blocked: true }),
    protectedFrom: async () => found,
  };
  const row = { group: 'example.dev', kind: 'Widget', plural: 'widgets', within: [] };
  const reader = {
    places: async (uids: readonly string[]) =>
      found.filter((one) => uids.includes(one.uid)).map((one) => ({ ...row, uid: one.uid, name: one.name })),
  };
  const ports = {
    transactions: {
      run: (work: (transaction: Transaction) => unknown) => work({ deletion, reader } as never),
    },
    identifiers: { uid: () => uid },
    writer: { removeLeaf: async () => ({ outcome: 'kept' }) },
  };
  const rules = [
    { apiGroups: ['example.dev'], resources: ['widgets'], resourceNames: visible, verbs: ['get'] },
  ];
  const bindings = visible.length === 0 ? [] : [{ name: 'b', role: 'r', scope: null, rules }];
  const request = {
    caller: { type: 'user', email: 'u@example.dev', access: { version: 'v', bindings } },
    requestId: 'r',
    origin: {},
    uid: null,
    plan: null,
    precondition: null,
    target: { form: 'item', ref: { by: 'uid', uid, ...widgets }, collection: widgets, version: 'v1' },
  };
  return await deleteResource(ports as never, request as never).catch((error: unknown) => error);
}

describe('the refusal of a deletion that would reach protected resources', () => {
  it('names them', async () => {
    expect(await refusal([identity('a'), identity('b')], ['a', 'b'])).toMatchObject({
      code: 'deletion_protected',
      message: expect.stringMatching(/^Widget a, which would be deleted with it, and 1 more are protected/),
      members: { protected: [identity('a'), identity('b')] },
    });
  });

  it('leaves out those that the caller may not see, also from its text', async () => {
    expect(await refusal([identity('a'), identity('b')], ['b'])).toMatchObject({
      message: expect.stringMatching(/^Widget b, which would be deleted with it, is protected/),
      members: { protected: [identity('b')] },
    });
    expect(await refusal([identity('a')], [])).toMatchObject({
      code: 'deletion_protected',
      message: expect.stringMatching(/^A resource that would be deleted with it is protected/),
      members: { protected: [] },
    });
  });
});

import { widget } from '../../test/fixtures.ts';
import type { CreateCommand } from '../ports/resource-writer.ts';
import { bootstrapDefaultOrganization } from './bootstrap.ts';

type Ports = Parameters<typeof bootstrapDefaultOrganization>[0];

describe('the default Organization', () => {
  const created: CreateCommand[] = [];
  const transaction = {
    organizations: { lockBootstrap: async () => {}, exists: async () => false, any: async () => false },
    writer: {
      async create(command: CreateCommand) {
        created.push(command);
        return { outcome: 'created', resource: widget };
      },
    },
  };
  const ports = {
    transactions: { run: (work: (bound: typeof transaction) => unknown) => work(transaction) },
    identifiers: { uid: () => widget.uid, discriminator: () => 'd0000001' },
    audit: { record() {} },
  } as unknown as Ports;
  const organization = { name: 'default', labels: {}, annotations: {}, spec: {}, controllerClassName: null };

  it('has the labels and annotations of the configuration', async () => {
    const configured = { ...organization, labels: { tier: 'one' }, annotations: { note: 'two' } };
    expect(await bootstrapDefaultOrganization(ports, configured)).toBe('created');
    expect(created).toMatchObject([{ name: 'default', labels: { tier: 'one' } }]);
    expect(JSON.parse(created[0]?.metadata ?? '')).toEqual({ annotations: { note: 'two' } });
  });

  it('is present when a client of another replica creates it in the same moment', async () => {
    const writer = { create: async () => ({ outcome: 'nameTaken' }) };
    const transactions = { run: (work: (bound: unknown) => unknown) => work({ ...transaction, writer }) };
    const racing = { ...ports, transactions } as unknown as Ports;
    expect(await bootstrapDefaultOrganization(racing, organization)).toBe('present');
  });

  it('is not created with labels that no resource can have', async () => {
    const refused = bootstrapDefaultOrganization(ports, { ...organization, labels: { tier: 'a b' } });
    await expect(refused).rejects.toThrow('default_organization.labels.tier: a label value must be');
  });
});

import { bootstrapRoles } from '@platform/access';
import { systemChange } from '../model/change-context.ts';
import { platformApiVersion, platformGroup } from '../model/definition.ts';
import { noClientMetadata, type Resource } from '../model/resource.ts';
import { insertResource } from './create.ts';
import { auditIdentity, type ResourcePorts } from './request.ts';

/**
 * Creates the roles `viewer`, `editor` and `admin` at the first start, and never again: operators may change and delete them. Replicas
 * that start at the same time take turns.
 */
export async function createBootstrapRoles({
  transactions,
  identifiers,
  audit,
}: Pick<ResourcePorts, 'transactions' | 'identifiers' | 'audit'>): Promise<readonly string[]> {
  const created = await transactions.run(async ({ access, writer }) => {
    if (await access.rolesCreated()) return [];
    const rows: Resource[] = [];
    for (const { name, rules } of bootstrapRoles) {
      rows.push(
        await insertResource(writer, identifiers, {
          change: systemChange('bootstrap', 'create'),
          definition: null,
          collection: { group: platformGroup, kind: 'Role', ancestors: [] },
          apiVersion: platformApiVersion,
          name,
          ...noClientMetadata,
          spec: JSON.stringify({ rules }),
        }),
      );
    }
    await access.markRolesCreated();
    return rows;
  });
  for (const role of created) {
    audit.record({
      message: 'resource.created',
      requestId: 'bootstrap',
      actor: { type: 'system', id: 'bootstrap' },
      ...auditIdentity(role),
    });
  }
  return created.map(({ name }) => name);
}

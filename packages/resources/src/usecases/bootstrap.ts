import { Problem } from '@platform/kernel';
import { organizations, validateOrganizationSpec } from '../kinds/organization.ts';
import { systemChange } from '../model/change-context.ts';
import { builtInVersion, platformApiVersion, platformGroup } from '../model/definition.ts';
import { parseDocument } from '../model/json-document.ts';
import { clientMetadataOf } from '../model/resource.ts';
import { prepareCreate, type ResourceContent } from '../rules/prepare-create.ts';
import { tryInsert } from './create.ts';
import { auditIdentity, type ResourcePorts } from './request.ts';

/** The default Organization of the configuration. */
export interface DefaultOrganization {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
  /** `deployment_controller.controller_class_name`; the value of `spec.deploymentControllerClass`. */
  readonly controllerClassName: string | null;
}

/**
 * Creates the default Organization when no Organization exists. Otherwise one of its name must exist, or the
 * start fails. Replicas that start at the same time take turns.
 */
export async function bootstrapDefaultOrganization(
  { transactions, identifiers, audit }: Pick<ResourcePorts, 'transactions' | 'identifiers' | 'audit'>,
  organization: DefaultOrganization,
): Promise<'created' | 'present'> {
  const content = contentOf(organization);
  const { name } = content;
  const created = await transactions.run(async ({ organizations: stored, writer }) => {
    await stored.lockBootstrap();
    if (await stored.exists(name)) return null;
    if (await stored.any()) {
      throw new Error(
        `default_organization.name is ${name}, but Organizations exist and none has that name; refusing to start`,
      );
    }
    const result = await tryInsert(writer, identifiers, {
      uid: identifiers.uid(),
      change: systemChange('bootstrap', 'create'),
      definition: null,
      collection: { group: platformGroup, kind: 'Organization', ancestors: [] },
      apiVersion: platformApiVersion,
      name,
      ...clientMetadataOf(content),
      spec: content.spec.text,
    });
    if (result.outcome === 'created') return result.resource;
    // A client of another replica has created it meanwhile: creates do not take the lock.
    if (result.outcome === 'nameTaken') return null;
    throw new Error(`the default Organization cannot be created: ${result.outcome}`);
  });
  if (created === null) return 'present';
  audit.record({
    message: 'resource.created',
    requestId: 'bootstrap',
    actor: { type: 'system', id: 'bootstrap' },
    ...auditIdentity(created),
  });
  return 'created';
}

/** Throws an Error that names each fault by its key in the configuration. */
function contentOf({
  name,
  labels,
  annotations,
  spec,
  controllerClassName,
}: DefaultOrganization): ResourceContent {
  const body = {
    apiVersion: platformApiVersion,
    kind: 'Organization',
    metadata: { name, labels, annotations },
    spec: controllerClassName === null ? spec : { ...spec, deploymentControllerClass: controllerClassName },
  };
  try {
    const content = prepareCreate(parseDocument(JSON.stringify(body)), {
      collection: organizations,
      version: builtInVersion,
      allowsOwnerReferences: false,
    });
    validateOrganizationSpec(content.spec.value);
    return content;
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error;
    const faults = error.errors.map(({ path, message }) => {
      const [, ...steps] = path.replace('/metadata/', '/').split('/');
      return `${['default_organization', ...steps].join('.')}: ${message}`;
    });
    throw new Error(faults.join('; '), { cause: error });
  }
}

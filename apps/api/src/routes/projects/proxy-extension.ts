import { Problem } from '@platform/kernel';
import type { ProxyExtension } from '@platform/oauth-proxy';
import { type ProjectPorts, requireProject, trustedAddresses } from '@platform/projects';
import type { Principal } from '@platform/tokens';

/**
 * An extension as the proxy sees it, for project members. Not for service accounts: what is made of it may hold
 * secrets. Throws as `requireProject`, and `not_found`.
 */
export async function requireProxyExtension(
  ports: ProjectPorts,
  principal: Principal,
  { project: projectName, extension: name }: { readonly project: string; readonly extension: string },
): Promise<ProxyExtension> {
  const project = await requireProject(ports, principal, projectName, 'children.read');
  const extension = await ports.extensions.find(project.uid, name);
  if (extension === null) throw new Problem('not_found', 'There is no such extension.');
  const trusted = trustedAddresses(project);
  return {
    ...extension,
    extensionUid: extension.uid,
    project: project.name,
    extension: extension.name,
    projectUrl: trusted.url,
    customDomains: trusted.customDomains,
  };
}

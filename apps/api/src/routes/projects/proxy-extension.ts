import { Problem } from '@platform/kernel';
import type { ProxyExtension } from '@platform/oauth-proxy';
import { type ProjectPorts, requireProject, trustedAddresses } from '@platform/projects';
import type { Request } from 'express';
import { nameIn, principalOf } from './request.ts';

/**
 * The extension of a request, as the proxy sees it, for project members. Not for service accounts: what is made of it may hold
 * secrets. Throws as `requireProject`, and `not_found`.
 */
export async function requireProxyExtension(ports: ProjectPorts, request: Request): Promise<ProxyExtension> {
  const project = await requireProject(
    ports,
    principalOf(request),
    nameIn(request, 'project'),
    'children.read',
  );
  const extension = await ports.extensions.find(project.uid, nameIn(request, 'name'));
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

import { dnsLabelPattern } from '@platform/kernel';
import type { ExtensionName, ProxyExtension } from '../model/extension.ts';
import { ProxyError } from '../model/proxy-error.ts';
import type { ProxyPorts } from './ports.ts';

/** The extension with these names of a path, or null. What can be no name is not looked up: it may be no text for a database. */
export async function lookUpExtension(
  { extensions }: Pick<ProxyPorts, 'extensions'>,
  { project, extension }: ExtensionName,
): Promise<ProxyExtension | null> {
  return dnsLabelPattern.test(project) && dnsLabelPattern.test(extension)
    ? extensions.find(project, extension)
    : null;
}

/** The extension of a request; the same 404 whether the project or the extension is unknown. */
export async function findExtension(
  ports: Pick<ProxyPorts, 'extensions'>,
  name: ExtensionName,
): Promise<ProxyExtension> {
  const found = await lookUpExtension(ports, name);
  if (found === null)
    throw new ProxyError('invalid_request', 'There is no such project or extension', { status: 404 });
  return found;
}

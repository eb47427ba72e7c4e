import { dnsLabelPattern, OAuthError } from '@platform/kernel';
import type { ExtensionName, ProxyExtension } from '../model/extension.ts';
import { type AppOrigins, noOrigins } from '../rules/redirect-uri.ts';
import type { ProxyPorts } from './ports.ts';

/** The extension with these names, or null. Invalid names are not looked up: PostgreSQL rejects some of them as text. */
async function lookUpExtension(
  { extensions }: Pick<ProxyPorts, 'extensions'>,
  { project, extension }: ExtensionName,
): Promise<ProxyExtension | null> {
  return dnsLabelPattern.test(project) && dnsLabelPattern.test(extension)
    ? extensions.find(project, extension)
    : null;
}

/** The extension of a request; the same 404 for an unknown project and an unknown extension. */
export async function findExtension(
  ports: Pick<ProxyPorts, 'extensions'>,
  name: ExtensionName,
): Promise<ProxyExtension> {
  const found = await lookUpExtension(ports, name);
  if (found === null) throw noSuchExtension();
  return found;
}

/** One refusal for an unknown project and an unknown extension, also for one that is deleted during the request. */
export function noSuchExtension(): OAuthError {
  return new OAuthError('invalid_request', 'There is no such project or extension', { status: 404 });
}

/** The origins whose pages may read responses of an extension; loopback only for an unknown extension. */
export async function findAppOrigins(
  ports: Pick<ProxyPorts, 'extensions'>,
  name: ExtensionName,
): Promise<AppOrigins> {
  return (await lookUpExtension(ports, name)) ?? noOrigins;
}

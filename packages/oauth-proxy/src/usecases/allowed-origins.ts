import type { ExtensionName } from '../model/extension.ts';
import type { AppOrigins } from '../rules/redirect-uri.ts';
import type { ProxyPorts } from './ports.ts';

/** The origins whose pages may read the answers of an extension; of an unknown extension, none but loopback. */
export async function allowedOrigins(
  { extensions }: Pick<ProxyPorts, 'extensions'>,
  { project, extension }: ExtensionName,
): Promise<AppOrigins> {
  return (await extensions.find(project, extension)) ?? { projectUrl: '', customDomains: [] };
}

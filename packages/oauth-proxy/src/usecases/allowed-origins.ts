import type { ExtensionName } from '../model/extension.ts';
import type { AppOrigins } from '../rules/redirect-uri.ts';
import { lookUpExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';

/** An app without a web origin; only pages on loopback may be its own. */
export const noOrigins: AppOrigins = { projectUrl: '', customDomains: [], spec: {} };

/** The origins whose pages may read responses of an extension; loopback only for an unknown extension. */
export async function allowedOrigins(
  ports: Pick<ProxyPorts, 'extensions'>,
  name: ExtensionName,
): Promise<AppOrigins> {
  return (await lookUpExtension(ports, name)) ?? noOrigins;
}

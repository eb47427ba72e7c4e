import type { ExtensionName } from '../model/extension.ts';
import type { AppOrigins } from '../rules/redirect-uri.ts';
import { lookUpExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';

/** An app without a web origin; its pages are on loopback, if anywhere. */
export const noOrigins: AppOrigins = { projectUrl: '', customDomains: [], spec: {} };

/** The origins whose pages may read the answers of an extension; of an unknown extension, none but loopback. */
export async function allowedOrigins(
  ports: Pick<ProxyPorts, 'extensions'>,
  name: ExtensionName,
): Promise<AppOrigins> {
  return (await lookUpExtension(ports, name)) ?? noOrigins;
}

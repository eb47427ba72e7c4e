import type { ExtensionName, ProxyExtension } from '../model/extension.ts';
import { ProxyError } from '../model/proxy-error.ts';
import type { ProxyPorts } from './ports.ts';

/** The extension of a request; the same 404 whether the project or the extension is unknown. */
export async function findExtension(
  { extensions }: Pick<ProxyPorts, 'extensions'>,
  { project, extension }: ExtensionName,
): Promise<ProxyExtension> {
  const found = await extensions.find(project, extension);
  if (found === null)
    throw new ProxyError('invalid_request', 'There is no such project or extension', { status: 404 });
  return found;
}

import type { ProxyExtension } from '../model/extension.ts';

/** Where the proxy finds its extensions. */
export interface ExtensionDirectory {
  /**
   * Must return the OAuth extension with exactly these names, or null when the project or the extension does not exist or
   * is being deleted. A change must be visible to every call that begins after it was answered, on every replica:
   * a rotated secret and a changed endpoint must hold at once.
   */
  find(project: string, extension: string): Promise<ProxyExtension | null>;
}

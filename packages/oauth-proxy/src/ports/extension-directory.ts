import type { ProxyExtension } from '../model/extension.ts';

/** The extensions of all projects. */
export interface ExtensionDirectory {
  /**
   * Must return the OAuth extension with exactly these names, or null if the project or the extension does not exist or is being
   * deleted. Every call on every replica must see all changes committed before it, because a rotated secret and a changed
   * endpoint take effect at once.
   */
  find(project: string, extension: string): Promise<ProxyExtension | null>;
}

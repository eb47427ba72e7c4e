import type { Mermaid } from 'mermaid';
import url from 'mermaid/dist/mermaid.min.js?url';

let loading: Promise<Mermaid> | undefined;

/**
 * Mermaid, loaded once and only by pages with a diagram. Its own bundle is served as a file, because bundling it again would take
 * most of the time of a build.
 */
export function loadMermaid(): Promise<Mermaid> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.onload = () => resolve((globalThis as unknown as { mermaid: Mermaid }).mermaid);
    script.onerror = () => reject(new Error(`${url} cannot be loaded`));
    document.head.append(script);
  });
  return loading;
}

import type { Environment } from '@marcbachmann/cel-js';

/** `url.Parse` of Go accepts absolute URLs and absolute paths. */
class Url {
  readonly parts: URL;
  readonly isPath: boolean;

  constructor(text: string) {
    this.isPath = text.startsWith('/');
    this.parts = this.isPath ? new URL(text, 'http://path.invalid') : new URL(text);
  }
}

/** Adds the functions for URLs. */
export function registerUrls(environment: Environment): void {
  const part = (name: string, read: (url: URL) => string) =>
    environment.registerFunction(`kubernetes.URL.${name}(): string`, ({ parts, isPath }: Url) =>
      isPath && name !== 'getEscapedPath' ? '' : read(parts),
    );
  environment.registerType('kubernetes.URL', { ctor: Url, fields: {} });
  environment.registerFunction('url(string): kubernetes.URL', (text: string) => new Url(text));
  environment.registerFunction(
    'isURL(string): bool',
    (text: string) => text.startsWith('/') || URL.canParse(text),
  );
  part('getScheme', (url) => url.protocol.slice(0, -1));
  part('getHost', (url) => url.host);
  part('getHostname', (url) => url.hostname);
  part('getPort', (url) => url.port);
  part('getEscapedPath', (url) => url.pathname);
  environment.registerFunction(
    'kubernetes.URL.getQuery(): map<string, list<string>>',
    ({ parts: { searchParams } }: Url) =>
      new Map([...searchParams.keys()].map((name) => [name, [...searchParams.getAll(name)]])),
  );
}

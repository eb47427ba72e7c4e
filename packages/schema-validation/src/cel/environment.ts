import { isIP } from 'node:net';
import { Environment } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { compareNumbers, Quantity, registerQuantities } from './quantity.ts';

/**
 * The language of rules: CEL with the functions that Kubernetes adds for lists, strings, regular expressions, URLs, quantities and
 * addresses. A rule that uses anything else does not compile, so its schema is refused.
 */
export function ruleEnvironment(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 2_000, maxDepth: 100 },
  });
  environment.registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
  registerLists(environment);
  registerStrings(environment);
  registerUrls(environment);
  registerQuantities(environment);
  environment.registerFunction('isIP(string): bool', (text: string) => isIP(text) !== 0);
  environment.registerFunction('isCIDR(string): bool', isCidr);
  return environment;
}

type Comparable = bigint | number | string | boolean | Date | Quantity;

function compare(a: Comparable, b: Comparable): number {
  if (a instanceof Quantity && b instanceof Quantity) return a.compare(b);
  if (typeof a === 'number' || typeof b === 'number') return compareNumbers(a as number, b as number);
  return a < b ? -1 : a > b ? 1 : 0;
}

function registerLists(environment: Environment): void {
  const best = (list: readonly Comparable[], sign: number) => {
    if (list.length === 0) throw new Error('the list is empty');
    return list.reduce((found, item) => (compare(item, found) * sign > 0 ? item : found));
  };
  environment
    .registerFunction('list.isSorted(): bool', (list: readonly Comparable[]) =>
      list.every((item, index) => index === 0 || compare(list[index - 1] as Comparable, item) <= 0),
    )
    .registerFunction('list.min(): dyn', (list: readonly Comparable[]) => best(list, -1))
    .registerFunction('list.max(): dyn', (list: readonly Comparable[]) => best(list, 1))
    .registerFunction('list.sum(): dyn', (list: readonly (bigint | number)[]) =>
      list.every((item) => typeof item === 'bigint')
        ? list.reduce((sum, item) => sum + item, 0n)
        : list.reduce<number>((sum, item) => sum + Number(item), 0),
    );
}

function registerStrings(environment: Environment): void {
  environment
    .registerFunction('string.charAt(int): string', (text: string, index: bigint) => {
      if (index < 0n || index > BigInt(text.length)) throw new Error('the index is out of range');
      return text.charAt(Number(index));
    })
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction(
      'string.replace(string, string, int): string',
      (text: string, from: string, to: string, limit: bigint) => {
        let left = Number(limit);
        return text.replaceAll(from, () => (left-- === 0 ? from : left < -1 && limit >= 0n ? from : to));
      },
    )
    .registerFunction('string.matchesRe2(string): bool', (text: string, pattern: string) =>
      expression(pattern).matcher(text).find(),
    )
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => foundBy(pattern, text, 1)[0] ?? '',
    )
    .registerFunction('string.findAll(string): list', (text: string, pattern: string) =>
      foundBy(pattern, text, Number.POSITIVE_INFINITY),
    )
    .registerFunction('string.findAll(string, int): list', (text: string, pattern: string, limit: bigint) =>
      foundBy(pattern, text, limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)),
    );
}

/** Compiled expressions: a rule evaluates the same one for every value. */
const expressions = new LRUCache<string, RE2JS>({ max: 500 });

/** An expression in the syntax of RE2, as in Go. */
function expression(pattern: string): RE2JS {
  const compiled = expressions.get(pattern) ?? RE2JS.compile(pattern);
  expressions.set(pattern, compiled);
  return compiled;
}

function foundBy(pattern: string, text: string, limit: number): string[] {
  const matcher = expression(pattern).matcher(text);
  const found: string[] = [];
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

/** `url.Parse` of Go accepts absolute URLs and absolute paths. */
class Url {
  readonly parts: URL;
  readonly isPath: boolean;

  constructor(text: string) {
    this.isPath = text.startsWith('/');
    this.parts = this.isPath ? new URL(text, 'http://path.invalid') : new URL(text);
  }
}

function registerUrls(environment: Environment): void {
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
}

function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const version = isIP(address);
  const isPrefix = /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
  return version !== 0 && isPrefix && rest.length === 0;
}

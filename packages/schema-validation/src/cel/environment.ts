import { Environment } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { registerAddresses } from './addresses.ts';
import { registerFormats } from './formats.ts';
import { registerLists, registerSets } from './lists.ts';
import { registerQuantities } from './quantity.ts';
import { formatted } from './string-format.ts';
import { registerUrls } from './urls.ts';
import { registerVersions } from './versions.ts';

/**
 * The language of rules: CEL with the functions that Kubernetes 1.35 adds. A rule that uses anything else does not compile, so its schema is refused.
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
  registerAddresses(environment);
  registerFormats(environment);
  registerVersions(environment);
  registerSets(environment);
  return environment;
}

function registerStrings(environment: Environment): void {
  environment
    .registerFunction('string.charAt(int): string', (text: string, index: bigint) => {
      if (index < 0n || index > BigInt(text.length)) throw new Error('the index is out of range');
      return text.charAt(Number(index));
    })
    .registerFunction('string.format(list): string', formatted)
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

import { Failure } from '../failure.ts';

/** The steps of a JSONPath as `kubectl wait` takes it: member names and indexes. */
export type JsonPath = readonly string[];

const step = /\.((?:\\.|[^.[\]\\])+)|\[(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|(\d+))\]/y;

/**
 * Reads `{.spec.color}`, `.spec.color` or `{.status.controllers['a.b'].phase}`; a dot in a name may also be escaped (`a\.b`). Throws a
 * Failure for expressions that can find several values, such as wildcards and filters.
 */
export function readJsonPath(text: string): JsonPath {
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  const path: string[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < inner.length) {
    const found = step.exec(inner);
    if (found === null) break;
    path.push((found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').replaceAll(/\\(.)/g, '$1'));
    if (step.lastIndex === inner.length) return path;
  }
  throw new Failure('usage', `invalid JSONPath: ${text}`, "expected something like '{.spec.color}'");
}

/** The value at a path; undefined when there is none. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}

/** Reads the paths of printer columns: `.spec.color`, `.status.conditions[0].type`, `['a.b']` or `.a\.b`, `[?(@.type=="Ready")].status`, `[*]`. */
export type JsonPath = readonly Step[];
type Step =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly every: true }
  | { readonly where: readonly string[]; readonly equals: string };

const stepPattern =
  /\.((?:[\w$/-]|\\.)+)|\[(\d+)\]|(\[\*\]|\.\*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[\?\(\s*@\.([\w.$-]+)\s*==\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*\)\]/y;

/** Parses a path; null when it has a form that is not supported. */
export function parseJsonPath(text: string): JsonPath | null {
  const source = text
    .trim()
    .replace(/^\{(.*)\}$/, '$1')
    .replace(/^\$/, '');
  const path = source === '' || /^[.[]/.test(source) ? source : `.${source}`;
  const steps: Step[] = [];
  stepPattern.lastIndex = 0;
  while (stepPattern.lastIndex < path.length) {
    const match = stepPattern.exec(path);
    if (match === null) return null;
    const [, key, index, every, single, double, where, a, b, c] = match;
    if (key !== undefined) steps.push({ key: key.replace(/\\(.)/g, '$1') });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else if (every !== undefined) steps.push({ every: true });
    else if (where !== undefined) steps.push({ where: where.split('.'), equals: a ?? b ?? c ?? '' });
    else steps.push({ key: (single ?? double ?? '').replace(/\\(.)/g, '$1') });
  }
  return steps;
}

/** The values that a path leads to, in order. */
export function readJsonPath(path: JsonPath, value: unknown): readonly unknown[] {
  let at: unknown[] = [value];
  for (const step of path) at = at.flatMap((one) => takeStep(step, one));
  return at;
}

function takeStep(step: Step, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('key' in step)
    return Object.hasOwn(value, step.key) ? [(value as Record<string, unknown>)[step.key]] : [];
  const items = Array.isArray(value) ? value : Object.values(value);
  if ('index' in step) return Array.isArray(value) && step.index < value.length ? [value[step.index]] : [];
  if ('every' in step) return items;
  return items.filter((one) => {
    const [found] = readJsonPath(
      step.where.map((key) => ({ key })),
      one,
    );
    return String(found) === step.equals;
  });
}

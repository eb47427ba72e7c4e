import { JSONPath } from 'jsonpath-plus';
import { isLosslessNumber } from 'lossless-json';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';

/** The values that a JSONPath of Kubernetes finds: `.spec.a`, `{.spec.a}`, `.a[?(@.type=="Ready")]`, `..name`; a dot in a name is escaped. */
export function valuesAt(value: unknown, path: string): readonly unknown[] {
  const inner = path.startsWith('{') && path.endsWith('}') ? path.slice(1, -1) : path;
  const steps = inner.trim().replace(/^[$@]/, '');
  // jsonpath-plus has no escapes: names with them are put into brackets.
  const bracketed = steps.replace(
    /\.((?:[^.[\]\\]|\\.)*\\.(?:[^.[\]\\]|\\.)*)/g,
    (_, name: string): string => `['${name.replaceAll(/\\(.)/g, '$1')}']`,
  );
  try {
    if (!/^[.[]/.test(bracketed)) throw new SyntaxError('a path begins with a dot');
    // `safe`: expressions of filters are evaluated by a parser of their own, not as JavaScript.
    return (
      JSONPath({
        path: bracketed === '.' ? '$' : `$${bracketed}`,
        json: value as object,
        eval: 'safe',
        wrap: true,
      }) ?? []
    );
  } catch {
    throw new Failure('usage', `invalid JSONPath: ${path}`, "expected something like '{.spec.color}'");
  }
}

/** A value in a table or in a template: texts and numbers as they are, everything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' && !isLosslessNumber(value)
    ? (losslessJson.stringify(value) ?? '')
    : String(value);
}

type Part =
  | { readonly text: string }
  | { readonly path: string }
  | { readonly range: string; readonly parts: readonly Part[] };

/** Fills in a template of `kubectl get -o jsonpath=`: text, `{.path}`, `{"text\n"}` and `{range .items[*]}...{end}`. */
export function renderTemplate(template: string, value: unknown): string {
  const tokens = template.match(/\{(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^{}"'])*\}|[^{]+|\{/g) ?? [];
  const parts = readParts(tokens.values(), template, false);
  return render(parts, value);
}

function readParts(tokens: IterableIterator<string>, template: string, isInner: boolean): readonly Part[] {
  const parts: Part[] = [];
  for (let token = tokens.next(); token.done !== true; token = tokens.next()) {
    const { value: text } = token;
    const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1).trim() : null;
    const range = inner === null ? null : /^range\s+(.+)$/.exec(inner)?.[1];
    if (inner === 'end' && isInner) return parts;
    if (inner === 'end' || text === '{') throw invalid(template);
    if (inner === null) parts.push({ text });
    else if (range != null) parts.push({ range, parts: readParts(tokens, template, true) });
    else if (/^["']/.test(inner)) parts.push({ text: unquoted(inner) });
    else parts.push({ path: inner });
  }
  if (isInner) throw invalid(template);
  return parts;
}

function unquoted(quoted: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  return quoted.slice(1, -1).replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
}

function invalid(template: string): Failure {
  return new Failure('usage', `invalid JSONPath template: ${template}`, 'each {range} needs an {end}');
}

function render(parts: readonly Part[], value: unknown): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      if ('range' in part)
        return valuesAt(value, part.range)
          .map((each) => render(part.parts, each))
          .join('');
      return valuesAt(value, part.path).map(textOf).join(' ');
    })
    .join('');
}

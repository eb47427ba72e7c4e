import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import { textAsYaml } from '../form/tree.ts';

/** The server takes longer bodies as JSON only, see docs/http.md#yaml. */
const mostOfYaml = 256 * 1024;

/** The body of a write: the text as it is, or as JSON with the same digits when it is too long for YAML. */
export function bodyOf(yaml: string): { readonly type: string; readonly content: string } {
  const json = yaml.length > mostOfYaml ? jsonOf(yaml) : null;
  return json === null
    ? { type: 'application/yaml', content: yaml }
    : { type: 'application/json', content: json };
}

/** The text of an answer as YAML: the server gives the longest ones as JSON. */
export async function yamlOf(response: Response): Promise<string> {
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('json') === true;
  if (!isJson) return text;
  // Scalars are read as texts and written as they were, so that numbers keep every digit.
  const document = parseDocument(text, { schema: 'failsafe' });
  visit(document, {
    Collection: (_key, node) => {
      node.flow = node.items.length === 0;
    },
    Scalar: (_key, node) => {
      const { value } = node;
      // In quotes only where it would be something else without.
      if (typeof value === 'string' && node.type === 'QUOTE_DOUBLE' && textAsYaml(value) === value) {
        node.type = 'PLAIN';
      }
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** The text as JSON; null when it says something that JSON cannot say, or is no YAML. */
export function jsonOf(yaml: string): string | null {
  const document = parseDocument(yaml, { intAsBigInt: true });
  if (document.errors.length > 0) return null;
  const write = (node: unknown): string => {
    if (isAlias(node)) return write(node.resolve(document));
    if (isMap(node)) {
      const members = node.items.map(({ key, value }) => `${JSON.stringify(nameOf(key))}:${write(value)}`);
      return `{${members.join(',')}}`;
    }
    if (isSeq(node)) return `[${node.items.map(write).join(',')}]`;
    return isScalar(node) ? scalarOf(node.value, node.source) : 'null';
  };
  try {
    // An alias may stand for very much.
    document.toJS({ maxAliasCount: 50 });
    return write(document.contents as Node | null);
  } catch {
    return null;
  }
}

function nameOf(key: unknown): string {
  if (!isScalar(key)) throw new Error('a name is no scalar');
  return key.value === null ? '' : String(key.value);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function scalarOf(value: unknown, source: string | undefined): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return JSON.stringify(value ?? null);
  if (source !== undefined && jsonNumber.test(source)) return source;
  if (!Number.isFinite(value)) throw new Error('JSON has no such number');
  return String(value);
}

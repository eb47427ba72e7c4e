import { Problem } from '@platform/kernel';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument as parseYaml } from 'yaml';

/** Characters of JSON that a YAML body may become, for each of its own. Attack: aliases of aliases ("billion laughs"). */
const maxGrowth = 4;

/** Converts a YAML document to JSON that keeps the digits of its numbers; JSON is returned as it is. Throws `malformed_body`. */
export function yamlToJson(text: string): string {
  if (/^\s*[{[]/.test(text) && isJson(text)) return text;
  const document = parseYaml(text, { version: '1.2', schema: 'core', stringKeys: true, logLevel: 'silent' });
  const [error] = document.errors;
  if (error !== undefined) throw malformed(error.message.split('\n', 1)[0] ?? '');
  const writer = new JsonWriter(document, maxGrowth * text.length + 1_024);
  return writer.write(document.contents);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function malformed(reason: string): Problem {
  return new Problem('malformed_body', `The body is not valid YAML: ${reason}`);
}

class JsonWriter {
  readonly #document: Document;
  #budget: number;

  constructor(document: Document, budget: number) {
    this.#document = document;
    this.#budget = budget;
  }

  write(node: unknown): string {
    if (node === null || node === undefined) return this.#spend('null');
    if (isAlias(node)) return this.write(node.resolve(this.#document));
    if (isMap(node)) {
      const members = node.items.map(
        ({ key, value }) => `${this.#spend(JSON.stringify(keyOf(key)))}:${this.write(value)}`,
      );
      return `{${members.join(',')}}`;
    }
    if (isSeq(node)) return `[${node.items.map((item) => this.write(item)).join(',')}]`;
    if (isScalar(node)) return this.#spend(scalarText(node.value, node.source));
    throw malformed('it has a value that JSON does not have');
  }

  /** Counts what is written, also what an alias repeats. */
  #spend(text: string): string {
    this.#budget -= text.length + 1;
    if (this.#budget < 0) throw malformed('its aliases repeat too much');
    return text;
  }
}

function keyOf(key: unknown): string {
  if (isScalar(key as Node)) return String((key as { value: unknown }).value);
  throw malformed('a key is not a string');
}

function scalarText(value: unknown, source: string | undefined): string {
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value, source ?? '');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  throw malformed(`${source} is a value that JSON does not have`);
}

/** The digits as they were written, where JSON can have them so. */
function numberText(value: number | bigint, source: string): string {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source)) return source;
  const parts = /^([-+]?)0*(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(source);
  if (parts !== null) {
    const [, sign, whole, fraction, exponent = ''] = parts;
    return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`;
  }
  if (!Number.isFinite(Number(value))) throw malformed(`${source} is a number that JSON does not have`);
  return String(value);
}

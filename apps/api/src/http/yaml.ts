import { Problem } from '@platform/kernel';
import { isLosslessNumber, parse } from 'lossless-json';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type ParsedNode,
  parseAllDocuments,
  type Scalar,
  type ScalarTag,
  stringify,
} from 'yaml';

/** RFC 9512. */
export const yamlType = 'application/yaml';

/** Larger documents must come as JSON: YAML takes ten times as long to read, and nothing else runs meanwhile. */
const maxLength = 256 * 1024;

/** The deepest nesting that is looked at; JSON documents may have less (docs/errors.md#malformed_body). */
const maxDepth = 100;

/** Characters of JSON that a document may become, for each of its own. */
const maxGrowth = 4;

/**
 * One YAML document (1.2, core schema) as JSON text. Numbers keep their digits; JSON is returned as it is.
 *
 * Attack: a few lines whose aliases unfold to gigabytes. The result has at most {@link maxGrowth} times the length of the document.
 *
 * @throws `malformed_body` with line and column, `payload_too_large`.
 */
export function yamlToJson(text: string): string {
  if (isJson(text)) return text;
  if (text.length > maxLength) {
    throw new Problem('payload_too_large', `A YAML body has at most ${maxLength} characters; send JSON.`);
  }
  const [document, ...more] = readDocuments(text);
  if (document === undefined) return '';
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw malformed(`${fault.message}${placeOf(fault.pos[0], text)}`);
  if (more.length > 0) throw malformed('it has more than one document');
  const { yaml } = document.directives;
  // The same text has other values in YAML 1.1.
  if (yaml.explicit === true && yaml.version !== '1.2')
    throw malformed(`it is YAML ${yaml.version}, not 1.2`);
  return new JsonWriter(maxGrowth * text.length + 1024).write(document.contents, 0);
}

function placeOf(position: number, text: string): string {
  if (position < 0) return '';
  const lines = text.slice(0, position).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readDocuments(text: string): readonly Document.Parsed[] {
  requireShallow(text);
  // The JSON parser refuses duplicate keys later; the check of this library compares each key with every other one.
  // Attack: a line with a hundred thousand faults: this library would show the line in the message of each.
  return parseAllDocuments(text, {
    prettyErrors: false,
    uniqueKeys: false,
    strict: true,
    logLevel: 'silent',
  }) as Document.Parsed[];
}

/**
 * Attack: a thousand opening brackets. The reader of documents calls itself for each level, and a stack that runs out while a regular
 * expression is compiled ends the process. The lexer does not call itself, so the levels are counted on its tokens first: open
 * brackets, and the columns at which the block collections around a token begin.
 */
function requireShallow(text: string): void {
  const columns: number[] = [];
  let brackets = 0;
  let column = 0;
  for (const token of new Lexer().lex(text)) {
    if (lexerMarks.has(token)) continue;
    brackets = Math.max(0, brackets + (bracketLevels.get(token) ?? 0));
    if (brackets === 0 && token.trim() !== '' && !token.startsWith('#')) {
      while ((columns.at(-1) ?? -1) >= column) columns.pop();
      columns.push(column);
    }
    if (brackets + columns.length > maxDepth) throw tooDeep();
    const line = token.lastIndexOf('\n');
    column = line === -1 ? column + token.length : token.length - line - 1;
  }
}

/** Tokens of the lexer that are not in the text: before a document, after a flow collection that is not closed, before a scalar. */
const lexerMarks: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);

const bracketLevels: ReadonlyMap<string, number> = new Map([
  ['[', 1],
  ['{', 1],
  [']', -1],
  ['}', -1],
]);

function tooDeep(): Problem {
  return malformed(`it is nested deeper than ${maxDepth} levels`);
}

/** Writes nodes as JSON and counts the characters. */
class JsonWriter {
  readonly #limit: number;
  readonly #anchors = new Map<string, Node>();
  #written = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(node: Node | ParsedNode | null, depth: number): string {
    if (depth > maxDepth) throw tooDeep();
    this.#count('');
    if (isAlias(node)) return this.write(this.#anchored(node.source), depth + 1);
    // An alias means the last node of that name before it; nodes are written in document order.
    if (isNode(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isMap(node)) {
      const members = node.items.map(
        ({ key, value }) => `${this.#key(key as Node)}:${this.write(value as Node | null, depth + 1)}`,
      );
      return `{${members.join()}}`;
    }
    if (isSeq(node)) return `[${node.items.map((item) => this.write(item as Node, depth + 1)).join()}]`;
    return this.#count(isScalar(node) ? scalarText(node) : 'null');
  }

  #anchored(name: string): Node {
    const node = this.#anchors.get(name);
    if (node === undefined) throw malformed(`*${name} names no anchor`);
    return node;
  }

  #key(node: Node): string {
    if (!isScalar(node)) throw malformed('a key is no text');
    return this.#count(JSON.stringify(typeof node.value === 'string' ? node.value : (node.source ?? '')));
  }

  #count(text: string): string {
    this.#written += text.length + 1;
    if (this.#written <= this.#limit) return text;
    throw malformed('its aliases repeat too much');
  }
}

function scalarText({ value, source = '' }: Scalar): string {
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value, source);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  throw malformed(`JSON has no value like ${source}`);
}

/**
 * The digits as they were written, in the form of JSON: without a plus sign and leading zeros, with a digit before the point. Octal and
 * hexadecimal integers become decimal ones.
 */
function numberText(value: number | bigint, source: string): string {
  if (/^0[xo]/.test(source)) return BigInt(source).toString();
  const [match, sign = '', whole = '', fraction, exponent = ''] =
    /^([-+]?)0*(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(source) ?? [];
  if (match !== undefined) {
    return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`;
  }
  if (Number.isFinite(Number(value))) return String(value);
  throw malformed(`JSON has no number ${source}`);
}

function malformed(reason: string): Problem {
  return new Problem('malformed_body', `The body is not acceptable YAML: ${reason}.`);
}

/** Characters that a YAML document must not contain as they are (YAML 1.2, section 5.1), and the line breaks of YAML 1.1. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Numbers with their exact text. */
const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isLosslessNumber,
  resolve: () => null,
  stringify: ({ value }) => String(value),
};

/**
 * Whether a text of one line has a tab, which some readers refuse outside of quotes. Attack: a hundred thousand tabs and a line break: a
 * regular expression looks for the end of the line from each of them.
 */
const hasTabInLine = (text: string) => text.includes('\t') && !text.includes('\n');

/** Texts that every reader takes only in quotes, with escapes. */
const quotedText: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) =>
    typeof value === 'string' && (value === '=' || value.search(unprintable) >= 0 || hasTabInLine(value)),
  resolve: (text) => text,
  stringify: ({ value }) =>
    JSON.stringify(value).replace(
      unprintable,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
};

/** JSON text as YAML that readers of versions 1.1 and 1.2 understand alike: many, such as those of Kubernetes, take `yes` for true. */
export function jsonToYaml(text: string): string {
  return stringify(parse(text), {
    customTags: (tags) => [exactNumber, quotedText, ...tags],
    compat: 'yaml-1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

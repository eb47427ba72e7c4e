import { isLosslessNumber, LosslessNumber } from 'lossless-json';
import {
  type CreateNodeOptions,
  Document,
  type DocumentOptions,
  isScalar,
  LineCounter,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type SchemaOptions,
  visit,
} from 'yaml';
import { Failure } from '../failure.ts';
import { losslessJson, readNumber } from '../json.ts';

const options: DocumentOptions & SchemaOptions & CreateNodeOptions = {
  version: '1.2',
  schema: 'core',
  // Quotes texts that readers of YAML 1.1 take for something else, such as `yes` and `<<`. kubectl is one of them.
  compat: 'yaml-1.1',
  aliasDuplicateObjects: false,
  customTags: [
    {
      identify: isLosslessNumber,
      default: true,
      tag: 'tag:yaml.org,2002:float',
      resolve: (text: string) => new LosslessNumber(text),
      stringify: ({ value }) => String(value),
    },
  ],
};

/** A value as one YAML document with exact numbers. */
export function toYaml(value: unknown): string {
  return new Document(value, options).toString({ lineWidth: 0 });
}

/** The non-empty documents of a YAML or JSON text, with merge keys (`<<: *alias`), as kubectl reads them. `source` names the text in errors. */
export function fromYaml(text: string, source: string): unknown[] {
  const json = jsonIn(text);
  if (json !== undefined) return json === null ? [] : [json];
  const values: unknown[] = [];
  const lineCounter = new LineCounter();
  const reading = { version: '1.2', schema: 'core', merge: true, uniqueKeys: false, lineCounter } as const;
  for (const document of parseAllDocuments(text, reading)) {
    const [error] = 'errors' in document ? document.errors : [];
    if (error !== undefined)
      throw new Failure('invalid', `${source}: ${error.message.split('\n')[0]?.replace(/:$/, '')}`);
    visit(document, {
      Map(_, { items }) {
        const repeated = repeatedKey(items);
        if (repeated === undefined) return;
        const { line, col } = lineCounter.linePos(repeated.range?.[0] ?? 0);
        throw new Failure('invalid', `${source}: Map keys must be unique at line ${line}, column ${col}`);
      },
      Scalar(_, scalar) {
        if (typeof scalar.value !== 'number' || scalar.source === undefined) return;
        if (!Number.isFinite(scalar.value) && !/^[-+\d]/.test(scalar.source.replace(/^[-+]?\.inf$/i, '')))
          throw new Failure('invalid', `${source}: ${scalar.source} cannot be represented in JSON`);
        // Octal and hexadecimal numbers (0o17, 0x1f) keep the value that YAML gives them.
        if (/^-?\d/.test(scalar.source) && !/^0[ox]/.test(scalar.source))
          scalar.value = readNumber(scalar.source);
      },
    });
    const value = unfolded(document, source);
    if (value !== null && value !== undefined) values.push(value);
  }
  return values;
}

/** JSON is YAML, but read as such it takes thirty times as long. Undefined for any other text, also for JSON with faults. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return losslessJson.parse(text);
  } catch {
    return undefined;
  }
}

/** The first key that one before it equals. The check of the library compares each key with every other one: minutes for a map of some megabytes. */
function repeatedKey(items: readonly Pair[]): Scalar | undefined {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) return key;
    seen.add(key.value);
  }
  return undefined;
}

/** The value of a document, with its aliases unfolded. */
function unfolded(document: ReturnType<typeof parseAllDocuments>[number], source: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const { message } = error as Error;
    // A few lines of aliases can unfold to gigabytes.
    const reason = /^Excessive alias count/.test(message) ? 'its aliases repeat too much' : message;
    throw new Failure('invalid', `${source}: ${reason}`);
  }
}

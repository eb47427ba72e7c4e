import { isLosslessNumber, LosslessNumber } from 'lossless-json';
import {
  type CreateNodeOptions,
  Document,
  type DocumentOptions,
  parseAllDocuments,
  type SchemaOptions,
  visit,
} from 'yaml';
import { Failure } from '../failure.ts';
import { readNumber } from '../json.ts';

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
  const values: unknown[] = [];
  for (const document of parseAllDocuments(text, { version: '1.2', schema: 'core', merge: true })) {
    const [error] = 'errors' in document ? document.errors : [];
    if (error !== undefined)
      throw new Failure('invalid', `${source}: ${error.message.split('\n')[0]?.replace(/:$/, '')}`);
    visit(document, {
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

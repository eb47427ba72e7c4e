import { createHash } from 'node:crypto';
import { type Fault, invalid } from '@platform/kernel';
import { metadataJsonSchema, objectSchema, statusJsonSchema } from '@platform/kubernetes';
import {
  type JsonObject,
  type JsonText,
  parseValue,
  renderValue,
  type SchemaRef,
  type SchemaValidator,
  type SlotCheck,
} from '@platform/resources';

/** The structural schema of the objects of a kind, made when it is first needed. */
export class ObjectSchemas {
  /** The schemas of a kind that declares none. */
  static readonly none = new ObjectSchemas(null);

  readonly #text: JsonText | null;
  #object: JsonObject | null = null;
  #metadata: SchemaRef | null | undefined;
  #status: SchemaRef | null | undefined;

  constructor(text: JsonText | null) {
    this.#text = text;
  }

  /** Characters of the schema as it is stored. */
  get length(): number {
    return this.#text?.length ?? 0;
  }

  /** Null when the kind declares none, and its objects are taken as they are. */
  get object(): JsonObject | null {
    if (this.#text === null) return null;
    this.#object ??= objectSchema(parseValue(this.#text));
    return this.#object;
  }

  /** The JSON Schema of the spec, as the resource API validates it; null when the kind declares none. */
  get spec(): SchemaRef | null {
    return this.#text === null ? null : refOf(this.#text);
  }

  /** The JSON Schema of the names of objects; null when the kind restricts none. */
  get metadata(): SchemaRef | null {
    if (this.#metadata !== undefined) return this.#metadata;
    const schema = this.#text === null ? null : metadataJsonSchema(parseValue(this.#text));
    this.#metadata = schema === null ? null : refOf(renderValue(schema));
    return this.#metadata;
  }

  /** The JSON Schema of the status; null when the kind declares none. */
  get status(): SchemaRef | null {
    if (this.#status !== undefined) return this.#status;
    const schema = this.#text === null ? null : statusJsonSchema(parseValue(this.#text));
    this.#status = schema === null ? null : refOf(renderValue(schema));
    return this.#status;
  }
}

function refOf(schema: JsonText): SchemaRef {
  return { key: createHash('sha256').update(schema, 'utf8').digest('base64url'), schema };
}

/** The faults of the name of a new object, by the restrictions that the kind has for it. */
export async function nameFaults(
  validator: SchemaValidator,
  schema: SchemaRef | null,
  names: { readonly name: string; readonly generateName: string | null },
): Promise<readonly Fault[]> {
  if (schema === null) return [];
  const { name, generateName } = names;
  const value = generateName === null ? { name } : { name, generateName };
  const found = await validator.validate(schema, { value, text: JSON.stringify(value) });
  return found.map((fault) => ({ ...fault, path: `/metadata${fault.path}` }));
}

/** Checks the status that a client of Kubernetes writes, by the schema that the kind declares for it. */
export function statusCheck(validator: SchemaValidator, schema: SchemaRef | null): SlotCheck {
  return async (text, { name }, before) => {
    if (schema === null) return;
    const faults = await validator.validate(schema, { value: JSON.parse(text), text }, { name, before });
    if (faults.length === 0) return;
    throw invalid(
      faults.map((fault) => ({ ...fault, path: `/status${fault.path}` })),
      'schema_violation',
    );
  };
}

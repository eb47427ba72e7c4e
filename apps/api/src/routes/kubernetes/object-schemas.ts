import { objectSchema } from '@platform/kubernetes';
import { type JsonObject, type JsonText, parseValue } from '@platform/resources';

/** The structural schema of the objects of a kind, made when it is first needed. */
export class ObjectSchemas {
  /** Of kinds that have none. */
  static readonly none = new ObjectSchemas(null);

  readonly #text: JsonText | null;
  #object: JsonObject | null = null;

  constructor(text: JsonText | null) {
    this.#text = text;
  }

  /** Null when the kind declares none, and its objects are taken as they are. */
  get object(): JsonObject | null {
    if (this.#text === null) return null;
    this.#object ??= objectSchema(parseValue(this.#text));
    return this.#object;
  }
}

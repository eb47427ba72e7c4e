import type { Fault } from '@platform/kernel';
import type { SchemaRef } from '../model/definition.ts';
import type { JsonText } from '../model/resource.ts';

/** The object whose spec is validated, as far as rules of a schema may ask for it. */
export interface ValidatedObject {
  readonly name: string;
  /** The spec that is replaced; null on a create. */
  readonly before: JsonText | null;
}

/** JSON Schema, Draft 2020-12. Must not fetch anything, and must not block the process for any input. */
export interface SchemaValidator {
  /** Must return every fault of the schema, `path` being a JSON pointer into it; [] for a valid one. Must not throw for an invalid one. */
  check(schema: JsonText): Promise<readonly Fault[]>;

  /**
   * Must return every fault of the document up to a bound, `path` being a JSON pointer into it. `value` is `JSON.parse(text)`.
   * Compiled schemas may be kept under their key. Rules about changes need the object.
   */
  validate(
    schema: SchemaRef,
    document: { readonly value: unknown; readonly text: JsonText },
    object?: ValidatedObject,
  ): Promise<readonly Fault[]>;

  /** Stops background work. */
  close(): Promise<void>;
}

import type { Fault } from '@platform/kernel';
import type { SchemaRef } from '../model/definition.ts';
import type { JsonText } from '../model/resource.ts';

/** JSON Schema, Draft 2020-12. Must not fetch anything, and must not block the process for any input. */
export interface SchemaValidator {
  /** Must return every fault of the schema, `path` being a JSON pointer into it; [] for a valid one. Must not throw for an invalid one. */
  check(schema: JsonText): Promise<readonly Fault[]>;

  /**
   * Must return every fault of the document up to a bound, `path` being a JSON pointer into it. `value` is `JSON.parse(text)`.
   * Compiled schemas may be kept under their key.
   */
  validate(
    schema: SchemaRef,
    document: { readonly value: unknown; readonly text: JsonText },
  ): Promise<readonly Fault[]>;

  /** Stops background work. */
  close(): Promise<void>;
}

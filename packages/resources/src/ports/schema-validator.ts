import type { Fault } from '@platform/kernel';
import type { SchemaRef } from '../model/definition.ts';
import type { JsonText } from '../model/resource.ts';

/** JSON Schema, Draft 2020-12. Nothing is ever fetched, and nothing a client sends may hold the process up. */
export interface SchemaValidator {
  /** Must return every fault of the schema, `path` being a JSON pointer into it; [] when it is acceptable. Must not throw for a bad one. */
  check(schema: JsonText): Promise<readonly Fault[]>;

  /**
   * Must return every fault of the document up to a bound, `path` being a JSON pointer into it. `value` is `JSON.parse(text)`.
   * Compiled schemas may be kept under their key.
   */
  validate(
    schema: SchemaRef,
    document: { readonly value: unknown; readonly text: JsonText },
  ): Promise<readonly Fault[]>;

  /** Stops whatever runs in the background. */
  close(): Promise<void>;
}

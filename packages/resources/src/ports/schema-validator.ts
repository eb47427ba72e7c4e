import type { Fault } from '@platform/kernel';
import type { JsonText } from '../model/resource.ts';

/** A schema and the key under which its compiled form may be kept. */
export interface SchemaRef {
  /** Unique for this schema text for ever: `<definition uid>/<definition revision>/<version>`. */
  readonly key: string;
  readonly schema: JsonText;
}

/** JSON Schema, Draft 2020-12. Nothing is ever fetched, and nothing a client sends may hold the process up. */
export interface SchemaValidator {
  /** Must return every fault of the schema, `path` being a JSON pointer into it; [] when it is acceptable. Must not throw for a bad one. */
  check(schema: JsonText): Promise<readonly Fault[]>;

  /** Must return every fault of the document up to a bound, `path` being a JSON pointer into it. `value` is `JSON.parse(text)`. */
  validate(
    ref: SchemaRef,
    document: { readonly value: unknown; readonly text: JsonText },
  ): Promise<readonly Fault[]>;

  /** Stops whatever runs in the background. */
  close(): Promise<void>;
}

/** The limits for schemas and documents, each against an attack that its comment names. See docs/schema-validation.md for users. */
export interface Limits {
  /** The maximum length of a schema text, in UTF-16 units. */
  readonly schemaLength: number;
  /** The maximum nesting of a schema: reading and compiling recurse, so a deep schema exhausts the stack. */
  readonly schemaDepth: number;
  /** The maximum number of subschemas, including the copies that resolving references makes. */
  readonly subschemas: number;
  /** The maximum length of a regular expression. */
  readonly patternLength: number;
  /** The maximum chain of references and applicators at one place of a document. */
  readonly chain: number;
  /** The maximum number of keywords evaluated at one place of a document: `allOf` of two references, n levels deep, evaluates 2^n. */
  readonly workInPlace: number;
  /** The maximum number of faults of a document or schema: one more than an answer lists, which then says that there are more. */
  readonly faults: number;
  /** The maximum length and number of subschemas of a schema that is compiled on the main thread, which blocks it. */
  readonly inlineSchemaLength: number;
  readonly inlineSubschemas: number;
  /** The maximum number of property escapes such as `\p{L}` in a schema compiled there: the first use of each is slow. */
  readonly inlinePropertyEscapes: number;
  /** The maximum time for a document on the main thread, estimated by `cost.ts`, in milliseconds. */
  readonly inlineMs: number;
  /** The deadlines of the validation process for reading or compiling a schema, and for validating a document, in milliseconds. */
  readonly compileMs: number;
  readonly deadlineMs: number;
  /** The maximum number of requests queued for it. */
  readonly queue: number;
  /** Its heap size in MiB. */
  readonly heapMb: number;
  /** The maximum number of cached schemas, and the maximum total length of their texts. */
  readonly cachedSchemas: number;
  readonly cachedLength: number;
}

export const defaultLimits: Limits = {
  schemaLength: 1024 * 1024,
  schemaDepth: 128,
  subschemas: 10_000,
  patternLength: 4_096,
  chain: 200,
  workInPlace: 1_000_000,
  faults: 1_001,
  inlineSchemaLength: 16 * 1024,
  inlineSubschemas: 250,
  inlinePropertyEscapes: 4,
  inlineMs: 20,
  compileMs: 5_000,
  deadlineMs: 1_000,
  queue: 1_000,
  heapMb: 512,
  cachedSchemas: 1_000,
  cachedLength: 16 * 1024 * 1024,
};

/**
 * What a schema and a document may cost. Each bound is there for an attack that is named beside it;
 * `docs/schema-validation.md` lists them for users.
 */
export interface Limits {
  /** Longest schema text, in UTF-16 units. */
  readonly schemaLength: number;
  /** Arrays and objects inside each other in a schema: the walkers and compilers recurse. */
  readonly schemaDepth: number;
  /** Subschemas of one schema, and copies of them made where references are resolved. */
  readonly subschemas: number;
  /** Longest regular expression. */
  readonly patternLength: number;
  /** References and applicators that may follow each other without going down into the document. */
  readonly chain: number;
  /** Keywords evaluated at one place of a document: `allOf` of two references, n levels deep, is 2^n of them. */
  readonly workInPlace: number;
  /** Faults in an answer. */
  readonly faults: number;
  /** Longest schema text, and most subschemas of it with those it refers to, compiled on the main thread (40 ms). */
  readonly inlineSchemaLength: number;
  readonly inlineSubschemas: number;
  /** Property escapes such as `\p{L}` in a schema compiled there: the first use of each takes 40 ms. */
  readonly inlinePropertyEscapes: number;
  /** Milliseconds that a document may take on the main thread by the bound in `cost.ts`. */
  readonly inlineMs: number;
  /** Milliseconds that the validation process may take to read a schema, to compile it, and to validate a document. */
  readonly compileMs: number;
  readonly deadlineMs: number;
  /** Requests that may wait for it. */
  readonly queue: number;
  /** Its heap in MiB. */
  readonly heapMb: number;
  /** Compiled schemas kept, and the sum of their texts. */
  readonly cachedSchemas: number;
  readonly cachedLength: number;
}

export const defaultLimits: Limits = {
  schemaLength: 256 * 1024,
  schemaDepth: 128,
  subschemas: 10_000,
  patternLength: 4_096,
  chain: 200,
  workInPlace: 1_000_000,
  faults: 100,
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

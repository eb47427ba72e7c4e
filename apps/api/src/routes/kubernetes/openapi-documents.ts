import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  apiVersionOf,
  builtInSchema,
  byDocument,
  documentHash,
  type OpenApiEntry,
  type OpenApiFormat,
  type OpenApiKind,
  objectSchema,
  openApiIndex,
  openApiV2,
  openApiV3,
  qualifiedName,
  type ServedResource,
  servedResources,
} from '@platform/kubernetes';
import {
  type JsonObject,
  type JsonValue,
  parseValue,
  platformGroup,
  type Resource,
} from '@platform/resources';
import { LRUCache } from 'lru-cache';
import type { KnownKind, KnownKinds } from './known-kinds.ts';
import { platformSchema } from './platform-schemas.ts';

/** The version that the documents say. */
export const documentVersion = 'v1.35.1';

/** Characters of schemas that are kept: those that are asked for again after every start of a client. */
const keptLength = 32 * 1024 * 1024;

/** Kinds that are written without a break for other requests. */
const atOnce = 50;

/** An entry with the definition that has its schema; null for a kind of the platform. */
interface Entry extends OpenApiEntry {
  readonly definition: KnownKind['definition'];
}

/** The contents of the documents of one list of kinds. */
interface Contents {
  readonly all: readonly Entry[];
  readonly byPath: ReadonlyMap<string, readonly Entry[]>;
  readonly index: string;
  readonly hash: string;
}

/** A document, which is made while it is sent, with the hash of what it is made of. */
export interface OpenApiDocument {
  readonly text: AsyncIterable<string>;
  readonly version: string;
}

/**
 * The OpenAPI documents of the kinds. They are made while they are sent, because one of 10,000 kinds has some 80 MB; the schemas of kinds
 * are kept until their definitions change.
 */
export class OpenApiDocuments {
  readonly #known: KnownKinds;
  readonly #softwareVersion: string;
  readonly #contents = new WeakMap<readonly KnownKind[], Contents>();
  readonly #schemas = new LRUCache<string, string>({
    maxSize: keptLength,
    sizeCalculation: ({ length }) => length,
  });

  constructor(known: KnownKinds, softwareVersion: string) {
    this.#known = known;
    this.#softwareVersion = softwareVersion;
  }

  /** Another release may write other documents of the same kinds, and clients keep a document of one hash without end. */
  #hash(text: string): string {
    return createHash('sha256').update(`${this.#softwareVersion}\n${text}`).digest('hex').toUpperCase();
  }

  /** `/openapi/v3`: where the others are. */
  async index(): Promise<string> {
    return (await this.#current()).index;
  }

  /** The document of all kinds in version 2. */
  async v2(): Promise<OpenApiDocument> {
    const { all, hash: version } = await this.#current();
    return { text: this.#text(openApiV2, all), version };
  }

  /** The document of a group and version in version 3; null when none is there. */
  async v3(path: string): Promise<OpenApiDocument | null> {
    const entries = (await this.#current()).byPath.get(path);
    if (entries === undefined) return null;
    const version = documentHash(entries, (text) => this.#hash(text));
    return { text: this.#text(openApiV3, entries), version };
  }

  async #current(): Promise<Contents> {
    const kinds = await this.#known.all();
    const known = this.#contents.get(kinds);
    if (known !== undefined) return known;
    const all = entriesOf(kinds);
    const hash = (text: string) => this.#hash(text);
    const contents = {
      all,
      byPath: byDocument(all),
      index: openApiIndex(all, hash),
      hash: documentHash(all, hash),
    };
    this.#contents.set(kinds, contents);
    return contents;
  }

  async *#text(format: OpenApiFormat, entries: readonly Entry[]): AsyncGenerator<string> {
    yield format.head(documentVersion);
    let separator = '';
    for (const some of chunksOf(entries)) {
      yield separator + some.map((entry) => format.paths(entry)).join(',');
      separator = ',';
      await nextTurn();
    }
    yield format.between;
    for await (const schemas of this.#schemasOf(format, entries)) {
      yield schemas.map((text) => `,${text}`).join('');
      await nextTurn();
    }
    yield format.end;
  }

  async *#schemasOf(format: OpenApiFormat, entries: readonly Entry[]): AsyncGenerator<readonly string[]> {
    const missing = new Map<string, Entry[]>();
    for (const some of chunksOf(entries)) {
      const texts: string[] = [];
      for (const entry of some) {
        const known = this.#schemas.get(keyOf(format, entry));
        if (known !== undefined) texts.push(known);
        else if (entry.definition === null) texts.push(this.#keep(format, entry, builtInSchemaOf(entry)));
        else missing.set(entry.definition.uid, [...(missing.get(entry.definition.uid) ?? []), entry]);
      }
      yield texts;
    }
    for await (const rows of this.#known.rows(new Set(missing.keys())))
      for (const some of chunksOf(rows))
        yield some.flatMap((row) => {
          const wanted = missing.get(row.uid) ?? [];
          missing.delete(row.uid);
          return wanted.map((entry) => this.#registered(format, entry, row));
        });
    // The paths name them, although they have been removed in the meantime.
    const gone = [...missing.values()].flat();
    yield gone.map((entry) => format.schemas({ ...entry, schema: () => objectSchema(undefined) }));
  }

  #registered(format: OpenApiFormat, entry: Entry, row: Resource): string {
    const schema = () => registeredSchema(entry, row);
    // A definition that has changed since belongs to a document of another hash.
    if (entry.definition?.generation !== row.generation) return format.schemas({ ...entry, schema });
    return this.#keep(format, entry, schema);
  }

  #keep(format: OpenApiFormat, entry: Entry, schema: OpenApiKind['schema']): string {
    const text = format.schemas({ ...entry, schema });
    this.#schemas.set(keyOf(format, entry), text);
    return text;
  }
}

function chunksOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / atOnce) }, (_, at) =>
    items.slice(at * atOnce, (at + 1) * atOnce),
  );
}

function keyOf(format: OpenApiFormat, entry: Entry): string {
  return `${format === openApiV2 ? 'v2' : 'v3'} ${apiVersionOf(entry)} ${entry.plural} ${entry.fingerprint}`;
}

function entriesOf(kinds: readonly KnownKind[]): readonly Entry[] {
  const known = new Map(kinds.map((one) => [qualifiedName(one.kind), one]));
  return servedResources(kinds.map(({ kind }) => kind)).map((resource) => {
    const { kind, definition = null } = known.get(qualifiedName(resource)) ?? {};
    const listKind = kind?.listKind ?? `${resource.kind}List`;
    const isBuiltIn = definition === null;
    const fingerprint = isBuiltIn ? documentVersion : `${definition.uid} ${definition.generation}`;
    return { ...entryOf(resource), listKind, isBuiltIn, fingerprint, definition };
  });
}

function entryOf({ group, version, kind, plural, namespaced, verbs, subresources }: ServedResource) {
  const hasStatus = subresources.some(({ name }) => name === 'status');
  const hasScale = subresources.some(({ name }) => name === 'scale');
  const writes = verbs.includes('update') ? ('all' as const) : ('read' as const);
  return {
    group,
    version,
    kind,
    plural,
    isNamespaced: namespaced,
    hasStatus,
    hasScale,
    hasDeleteCollection: verbs.includes('deletecollection'),
    verbs: verbs.length === 1 && verbs[0] === 'create' ? ('create' as const) : writes,
  };
}

function registeredSchema({ version }: Entry, row: Resource): JsonObject {
  const spec = parseValue(row.spec) as JsonObject;
  const versions = (spec.get('versions') ?? []) as readonly JsonObject[];
  const found = versions.find((one) => one.get('name') === JSON.stringify(version));
  return objectSchema(found?.get('schema') as JsonValue | undefined, spec.get('description'));
}

function builtInSchemaOf(entry: Entry): OpenApiKind['schema'] {
  const ofPlatform = entry.group === platformGroup ? platformSchema(entry.kind) : null;
  return () => ofPlatform ?? builtInSchema(apiVersionOf(entry), entry.kind);
}

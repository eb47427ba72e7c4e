import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  visit,
  YAMLMap,
} from 'yaml';

export type Path = readonly (string | number)[];

/** Scalars are read as texts and written as they were, so that numbers keep every digit. */
export const asTexts = { schema: 'failsafe' } as const;
const isNull = /^(?:null|Null|NULL|~|)$/;
const format = { lineWidth: 0, flowCollectionPadding: false } as const;

/** The values of a YAML text with every scalar but null as a text; null when it is not YAML. */
export function readTree(text: string): unknown {
  const document = parseDocument(text, asTexts);
  if (document.errors.length > 0) return null;
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && node.type === 'PLAIN' && isNull.test(node.source ?? '')) node.value = null;
    },
  });
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch {
    return null;
  }
}

/** The value at a place of what {@link readTree} has read. */
export function valueIn(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string | number, unknown>)[name]
        : undefined,
    tree,
  );
}

/** A text as a document to read from, which takes long for a large one. */
export function documentOf(text: string): Document {
  return parseDocument(text, asTexts);
}

/** The names of the members at a place, in the order of the text: objects begin with those that are numbers. */
export function namesIn(document: Document, path: Path): readonly string[] {
  const node = document.getIn(path, true);
  return isMap(node) ? node.items.map(({ key }) => nameOf(key)) : [];
}

/** Puts YAML at a place; everything else keeps its order, its comments and its digits. */
export function setIn(text: string, path: Path, yaml: string): string {
  const document = parseDocument(text, asTexts);
  const node = parseDocument(yaml, asTexts).contents;
  // A parent that is empty or no collection makes room.
  for (let length = 1; length < path.length; length += 1) {
    const parent = document.getIn(path.slice(0, length), true);
    if (isCollection(parent) && parent.items.length === 0) parent.flow = false;
    if (parent === undefined || isCollection(parent)) continue;
    document.setIn(path.slice(0, length), document.createNode(typeof path[length] === 'number' ? [] : {}));
  }
  if (document.hasIn(path) || !appendsTo(document, path, node)) document.setIn(path, node);
  return document.toString(format);
}

function appendsTo(document: ReturnType<typeof parseDocument>, path: Path, node: unknown): boolean {
  const parent = document.getIn(path.slice(0, -1), true);
  if (!isSeq(parent)) return false;
  parent.add(node);
  return true;
}

/** Takes a place away. */
export function deleteIn(text: string, path: Path): string {
  const document = parseDocument(text, asTexts);
  document.deleteIn(path);
  return document.toString(format);
}

/** Gives a member another name, in its place. */
export function renameIn(text: string, path: Path, name: string): string {
  const document = parseDocument(text, asTexts);
  const parent = document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return text;
  for (const pair of parent.items) {
    if (isScalar(pair.key) && pair.key.value === path.at(-1)) pair.key = document.createNode(name);
  }
  return document.toString(format);
}

/** The YAML of the value at a place; empty when there is none. */
export function yamlIn(document: Document, path: Path): string {
  const node = document.getIn(path, true);
  return node === undefined ? '' : stringify(node, { ...asTexts, ...format }).trimEnd();
}

/** The YAML of the members at a place but for those that are named; empty when there are none. */
export function othersIn(document: Document, path: Path, named: readonly string[]): string {
  const node = document.getIn(path, true);
  if (!isMap(node)) return '';
  const others = new YAMLMap();
  others.items = node.items.filter(({ key }) => !named.includes(nameOf(key)));
  return others.items.length === 0 ? '' : stringify(others, { ...asTexts, ...format }).trimEnd();
}

/** Puts other members at a place instead of those that are not named; null when they are no members, or have a name that is taken. */
export function setOthersIn(text: string, path: Path, named: readonly string[], yaml: string): string | null {
  const others = parseDocument(yaml, asTexts).contents;
  if (others !== null && !isMap(others)) return null;
  const items = others?.items ?? [];
  if (items.some(({ key }) => named.includes(nameOf(key)))) return null;
  const document = parseDocument(text, asTexts);
  const parent = document.getIn(path, true);
  if (!isMap(parent)) return items.length === 0 ? text : setIn(text, path, yaml);
  parent.items = [...parent.items.filter(({ key }) => named.includes(nameOf(key))), ...items];
  if (parent.items.length > 0) parent.flow = false;
  return document.toString(format);
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

/** A text as YAML, in quotes when it would be something else without. */
export function textAsYaml(value: string): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** A number with its digits as they were typed; anything else as a text, which the server refuses by name. */
export function numberAsYaml(value: string): string {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) ? value : textAsYaml(value);
}

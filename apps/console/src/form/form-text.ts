import { type Document, isCollection, isScalar, parseDocument } from 'yaml';
import { asTexts, documentOf, type Path, readTree } from './tree.ts';

/** A YAML text with what a form reads from it. For a large text both take long, so they are read once. */
export interface FormText {
  readonly text: string;
  readonly tree: unknown;
  /** The text as a document to read from; parsed for the first field that asks. */
  readonly document: () => Document;
  /** The scalar that differs from the document: somebody types into it. */
  readonly typed?: { readonly path: Path; readonly from: number; readonly to: number };
}

export function readText(text: string): FormText {
  let parsed: Document | undefined;
  const document = () => {
    parsed ??= documentOf(text);
    return parsed;
  };
  return { text, tree: readTree(text), document };
}

/**
 * Replaces one scalar by another and nothing else, so that a key costs the same in a large text as in a short one. Null where that is
 * not enough: the place is no scalar in a block, or it needs more than a line.
 */
export function replaceScalar(read: FormText, path: Path, yaml: string): FormText | null {
  const { errors, contents } = parseDocument(yaml, asTexts);
  if (yaml.includes('\n') || errors.length > 0 || !isPlace(contents, yaml.length)) return null;
  const isGoingOn = read.typed !== undefined && isSame(read.typed.path, path);
  // Ranges are those of the text that the document was read from.
  const known = read.typed === undefined || isGoingOn ? read : readText(read.text);
  const place = isGoingOn ? read.typed : placeOf(known.document(), path);
  if (place == null) return null;
  const { from, to } = place;
  return {
    text: `${read.text.slice(0, from)}${yaml}${read.text.slice(to)}`,
    tree: withValue(read.tree, path, readTree(yaml)),
    document: known.document,
    typed: { path, from, to: from + yaml.length },
  };
}

/** The place of a scalar in the text of its document. */
function placeOf(document: Document, path: Path): { readonly from: number; readonly to: number } | null {
  for (let length = 0; length < path.length; length += 1) {
    const parent = document.getIn(path.slice(0, length), true);
    // In a flow, a comma or a bracket of the text would end it.
    if (!isCollection(parent) || parent.flow === true) return null;
  }
  const node = document.getIn(path, true);
  if (!isScalar(node) || node.range == null) return null;
  const [from, to] = node.range;
  return isPlace(node, to - from) ? { from, to } : null;
}

/** Whether a node is a scalar that is not written as a block, and that has no anchor and no tag. */
function isPlace(node: unknown, length: number): boolean {
  if (!isScalar(node) || length === 0) return false;
  const { type, anchor, tag } = node;
  return !type?.startsWith('BLOCK') && anchor === undefined && tag === undefined;
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

function withValue(tree: unknown, path: Path, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(tree)) return tree.map((one, at) => (at === name ? withValue(one, rest, value) : one));
  const members = tree as Readonly<Record<string, unknown>>;
  return { ...members, [name]: withValue(members[name], rest, value) };
}

import { isServerMetadata } from 'platform-service-client/resource';
import { isMap, isScalar, parseDocument } from 'yaml';
import { pointerSteps } from '../logic/json-pointer.ts';
import { keysOf } from './yaml-path.ts';

/**
 * The part of a resource that can be edited, from the YAML that the server wrote. The text is cut and never written again, so that numbers
 * keep their digits.
 */
export function draftOf(yaml: string): string {
  const document = parseDocument(yaml, { intAsBigInt: true });
  if (!isMap(document.contents)) return yaml;
  const cuts: Member[] = (document.contents.items as Member[]).filter((pair) =>
    ['status', 'impact', 'complete'].includes(keyOf(pair)),
  );
  const metadata = document.contents.get('metadata', true);
  if (isMap(metadata))
    cuts.push(...(metadata.items as Member[]).filter((pair) => isServerMetadata(keyOf(pair))));
  return cuts
    .map((pair) => linesOf(yaml, pair))
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to }) => text.slice(0, from) + text.slice(to), yaml);
}

/** The draft as a PUT takes it: based on a revision. Null when the text has no metadata to put it into. */
export function withRevision(text: string, revision: number): string | null {
  const document = parseDocument(text, { intAsBigInt: true });
  const metadata = document.get('metadata', true);
  if (!isMap(metadata) || metadata.range == null || metadata.flow === true) return null;
  const [start] = metadata.range;
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  return `${text.slice(0, start)}revision: ${revision}\n${indent}${text.slice(start)}`;
}

/** A fault of a text, and where it is. */
export interface TextFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** As JSON, a draft of this length is about as long as the longest body that the server takes. */
const mostCharacters = 2 * 1024 * 1024;

/** The faults of a text as YAML: syntax, duplicate keys, several documents, too many aliases. */
export function faultsOf(text: string): readonly TextFault[] {
  if (text.length > mostCharacters) {
    return [{ from: 0, to: 0, message: 'The text has more than 2,097,152 characters.' }];
  }
  if (/^(?:---|\.\.\.)\s*$/m.test(text.trim().replace(/^---\s*\n/, ''))) {
    return [{ from: 0, to: 0, message: 'There must be one document.' }];
  }
  const document = parseDocument(text, { uniqueKeys: true });
  const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    from: pos[0],
    to: Math.max(pos[1], pos[0] + 1),
    message: message.split('\n')[0] ?? message,
  }));
  if (faults.length > 0) return faults;
  try {
    document.toJS({ maxAliasCount: 50 });
    return [];
  } catch (error) {
    return [{ from: 0, to: 0, message: error instanceof Error ? error.message : String(error) }];
  }
}

/** The place in a text that the path of a field error names, such as `spec.size` or `/spec/parts/0`. */
export function placeOf(text: string, path: string): { readonly from: number; readonly to: number } {
  const document = parseDocument(text);
  const names = path.startsWith('/') ? pointerSteps(path) : path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  for (let length = names.length; length > 0; length -= 1) {
    const node = document.getIn(keysOf(document, names.slice(0, length)), true) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range !== undefined)
      return { from: node.range[0], to: Math.max(node.range[1], node.range[0] + 1) };
  }
  return { from: 0, to: Math.min(1, text.length) };
}

/** A key with its value, as the parser has read them. */
interface Member {
  readonly key: unknown;
  readonly value: unknown;
}

function keyOf({ key }: { readonly key: unknown }): string {
  return isScalar(key) ? String(key.value) : '';
}

/** The whole lines of a member of a block. */
function linesOf(text: string, { key, value }: Member): { readonly from: number; readonly to: number } {
  const start = (key as { range?: [number, number, number] }).range?.[0] ?? 0;
  const end = (value as { range?: [number, number, number] } | null)?.range?.[2] ?? start;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1;
  return { from, to: lineEnd === 0 ? text.length : lineEnd };
}

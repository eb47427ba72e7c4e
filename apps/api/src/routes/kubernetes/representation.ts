import { Problem } from '@platform/kernel';
import type { IncludeObject, Representation } from '@platform/kubernetes';
import { parse } from 'content-type';
import type { Answer } from '../../endpoint/answer.ts';
import { jsonToYaml, yamlType } from '../../http/yaml.ts';

const metaGroup = 'meta.k8s.io';

/**
 * The form of objects that the client prefers among those that it accepts: the one with the greatest `q`, the first of several
 * (RFC 9110 section 12.5.1). Throws `malformed_request` when it accepts none.
 */
export function representationOf(accept: string | undefined, query: URLSearchParams): Representation {
  for (const { parameters } of accepted(accept)) {
    const { as, v, g } = parameters;
    if (as === undefined) return { as: 'object' };
    if (g !== metaGroup || v !== 'v1') continue;
    if (as === 'Table') return { as: 'table', include: includeOf(query.get('includeObject')) };
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return { as: 'metadata' };
  }
  throw new NotAcceptable();
}

/** The ranges with a type that is served, the preferred ones first. */
function accepted(accept: string | undefined): readonly MediaRange[] {
  // An empty header counts as absent, as in Kubernetes.
  return (accept?.trim() || '*/*')
    .split(',')
    .map(read)
    .filter(({ type, quality }) => quality > 0 && servedTypes.has(type))
    .sort((a, b) => b.quality - a.quality);
}

const servedTypes: ReadonlySet<string> = new Set(['*/*', 'application/*', 'application/json', yamlType]);

/** Larger answers, and streams, stay JSON, which is YAML as well: writing YAML takes long, and nothing else runs meanwhile. */
const maxYaml = 256 * 1024;

/** The answer as YAML when the client prefers it. */
export function inPreferredType(answer: Answer, accept: string | undefined): Answer {
  const [first] = accepted(accept);
  const isJson = answer.contentType === 'application/json';
  if (!isJson || first?.type !== yamlType || first.parameters['as'] !== undefined) return answer;
  const { body } = answer;
  const isWritten = typeof body === 'string' && body !== '' && body.length <= maxYaml;
  return { ...answer, contentType: yamlType, ...(isWritten ? { body: jsonToYaml(body) } : {}) };
}

/** The client accepts nothing that is served here. */
export class NotAcceptable extends Problem {
  constructor() {
    super('malformed_request', 'only the following media types are accepted: application/json');
  }

  override get status(): number {
    return 406;
  }
}

interface MediaRange {
  readonly type: string;
  readonly parameters: Partial<Record<string, string>>;
  /** How much the client wants it, from 0 (not at all) to 1. */
  readonly quality: number;
}

function read(range: string): MediaRange {
  try {
    const { type, parameters } = parse(range.trim());
    return { type, parameters, quality: Number(parameters['q'] ?? 1) };
  } catch {
    return { type: '', parameters: {}, quality: 0 };
  }
}

function includeOf(value: string | null): IncludeObject {
  if (value === 'Object' || value === 'None' || value === 'Metadata') return value;
  if (value === null || value === '') return 'Metadata';
  const sent = JSON.stringify(value.slice(0, 100));
  throw new Problem('invalid_query', `unrecognized includeObject value: ${sent}`);
}

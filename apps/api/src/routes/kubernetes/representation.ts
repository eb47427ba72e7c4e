import { Problem } from '@platform/kernel';
import type { IncludeObject, Representation } from '@platform/kubernetes';
import { parse } from 'content-type';

const metaGroup = 'meta.k8s.io';

/** The form of objects that the client prefers among those that it accepts. Throws `malformed_request` when it accepts none. */
export function representationOf(accept: string | undefined, query: URLSearchParams): Representation {
  for (const range of (accept ?? '*/*').split(',')) {
    const { type, parameters } = read(range.trim());
    if (!['*/*', 'application/*', 'application/json', 'application/yaml'].includes(type)) continue;
    const { as, v, g } = parameters;
    if (as === undefined) return { as: 'object' };
    if (g !== metaGroup || v !== 'v1') continue;
    if (as === 'Table') return { as: 'table', include: includeOf(query.get('includeObject')) };
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return { as: 'metadata' };
  }
  throw new NotAcceptable();
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

function read(range: string): { type: string; parameters: Partial<Record<string, string>> } {
  try {
    return parse(range);
  } catch {
    return { type: '', parameters: {} };
  }
}

function includeOf(value: string | null): IncludeObject {
  if (value === 'Object' || value === 'None' || value === 'Metadata') return value;
  if (value === null || value === '') return 'Metadata';
  const sent = JSON.stringify(value.slice(0, 100));
  throw new Problem('invalid_query', `unrecognized includeObject value: ${sent}`);
}

/**
 * Every code that an error answer of the platform can carry, with its HTTP status and title.
 * The one list: `docs/errors.md` describes each entry, and a test holds the two together both ways.
 */
export const problemCodes = {
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  malformed_path: { status: 400, title: 'The path is malformed' },
  malformed_body: { status: 400, title: 'The body is not acceptable JSON' },
  invalid_query: { status: 400, title: 'A query parameter is invalid' },
  validation_failed: { status: 400, title: 'The request has invalid fields' },
  schema_violation: { status: 400, title: 'The spec does not match the schema of its kind' },
  revision_required: { status: 400, title: 'metadata.revision is required' },
  owner_reference_invalid: { status: 400, title: 'An owner reference is not acceptable' },
  owner_reference_cycle: { status: 400, title: 'The owner references would form a cycle' },
  finalizer_reserved: { status: 400, title: 'The finalizer is reserved for the platform' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  finalizer_not_owned: { status: 403, title: 'The finalizer belongs to another writer' },
  unknown_endpoint: { status: 404, title: 'There is no such endpoint' },
  unknown_collection: { status: 404, title: 'There is no such collection' },
  not_found: { status: 404, title: 'There is no such resource' },
  method_not_allowed: { status: 405, title: 'The method is not valid for this path' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  already_exists: { status: 409, title: 'The name is taken' },
  revision_conflict: { status: 409, title: 'The resource has changed since it was read' },
  parent_terminating: { status: 409, title: 'An ancestor is being deleted' },
  definition_terminating: { status: 409, title: 'The definition of the kind is being deleted' },
  definition_conflict: { status: 409, title: 'Another definition claims this name' },
  definition_immutable: { status: 409, title: 'The identity of a definition in use cannot change' },
  definition_in_use: { status: 409, title: 'The definition is in use' },
  version_in_use: { status: 409, title: 'Resources are stored at the version' },
  in_use: { status: 409, title: 'Something else still needs it' },
  organization_in_use: { status: 409, title: 'The organization has projects or teams' },
  organization_terminating: { status: 409, title: 'The organization is being deleted' },
  precondition_failed: { status: 412, title: 'The resource is not the one that If-Match names' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  storage_version_required: { status: 422, title: 'Writes must use the storage version' },
  definition_missing: { status: 422, title: 'No definition claims this kind' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  discriminator_exhausted: { status: 503, title: 'No free discriminator was found' },
  contention: { status: 503, title: 'Too many concurrent changes' },
  unavailable: { status: 503, title: 'A part the service depends on cannot be reached' },
} as const satisfies Record<string, { status: number; title: string }>;

/** A stable code of {@link problemCodes}. */
export type ProblemCode = keyof typeof problemCodes;

import { type Fault, type FaultReason, type Problem, type ProblemCode, pointerSteps } from '@platform/kernel';
import { qualifiedName } from './kind.ts';

/** The object that a request was for, as far as it named one. */
export interface RequestedObject {
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** With the subresource, `widgets/status`. */
  readonly resource: string;
  readonly namespace: string | null;
  readonly name: string | null;
}

/** A `Status` of the API machinery of Kubernetes. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: object;
  readonly code: number;
}

const invalidCodes: readonly ProblemCode[] = [
  ...(['schema_violation', 'validation_failed', 'owner_reference_invalid', 'owner_reference_cycle'] as const),
  ...(['owner_graph_too_large', 'finalizer_reserved', 'patch_failed', 'revision_required'] as const),
  'definition_immutable',
];

const reasons: Partial<Record<ProblemCode, readonly [code: number, reason: string]>> = {
  ...Object.fromEntries(invalidCodes.map((code) => [code, [422, 'Invalid'] as const])),
  already_exists: [409, 'AlreadyExists'],
  precondition_failed: [409, 'Conflict'],
  parent_terminating: [403, 'Forbidden'],
  cursor_expired: [410, 'Expired'],
  request_timeout: [504, 'Timeout'],
};

const reasonsOfStatus: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** The refusal of a request as Kubernetes answers it. `requested` is null for a path that names no resource; `user` is who asked. */
export function statusOf(problem: Problem, requested: RequestedObject | null, user: string | null): Status {
  const [code, reason] = reasons[problem.code] ?? [
    problem.status,
    reasonsOfStatus[problem.status] ?? 'Unknown',
  ];
  const details = detailsOf(problem, requested);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: messageOf(problem, code, requested, user),
    reason,
    ...(details === null ? {} : { details }),
    code,
  };
}

function messageOf(
  problem: Problem,
  code: number,
  requested: RequestedObject | null,
  user: string | null,
): string {
  if (code === 401) return 'Unauthorized';
  if (requested === null) {
    return problem.message;
  }
  const { name, kind } = requested;
  const object = `${qualifiedName(requested)} "${name ?? ''}"`;
  switch (problem.code) {
    case 'forbidden':
      return forbiddenMessage(requested, user);
    case 'unknown_collection':
    case 'unknown_endpoint':
      return 'the server could not find the requested resource';
    case 'not_found':
      return name === null ? 'the server could not find the requested resource' : `${object} not found`;
    case 'already_exists':
      return `${object} already exists`;
    case 'revision_conflict':
    case 'precondition_failed':
      return `Operation cannot be fulfilled on ${object}: the object has been modified; please apply your changes to the latest version and try again`;
    case 'uid_conflict':
      return `Operation cannot be fulfilled on ${object}: Precondition failed: ${problem.message}`;
    case 'deletion_protected':
      return `Operation cannot be fulfilled on ${object}: ${problem.message}`;
    case 'parent_terminating':
      return `${object} is forbidden: unable to create new content in namespace ${requested.namespace} because it is being terminated`;
    case 'apply_conflict':
      return applyMessage(problem);
    default:
      break;
  }
  if (code !== 422) return problem.message;
  const qualified = requested.group === '' ? kind : `${kind}.${requested.group}`;
  const causes = (problem.errors ?? []).map((fault) => `${fieldOf(fault.path)}: ${describe(fault)}`);
  const shown = causes.length === 1 ? causes[0] : `[${causes.join(', ')}]`;
  return causes.length === 0 ? problem.message : `${qualified} "${name ?? ''}" is invalid: ${shown}`;
}

/** The message of Kubernetes for a request without permission. It names only what the request named. */
function forbiddenMessage(
  { verb, group, plural, resource, namespace, name }: RequestedObject,
  user: string | null,
): string {
  const object = `${qualifiedName({ group, plural })}${name === null ? '' : ` "${name}"`}`;
  const where = namespace === null ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${object} is forbidden: User "${user ?? ''}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
}

function applyMessage({ errors = [] }: Problem): string {
  const [first] = errors;
  if (errors.length === 1 && first !== undefined) return `Apply failed with 1 conflict: ${first.message}`;
  return `Apply failed with ${errors.length} conflicts: ${errors.map(({ message }) => message).join('; ')}`;
}

function detailsOf(problem: Problem, requested: RequestedObject | null): object | null {
  const { retryAfterSeconds } = problem;
  const causes = causesOf(problem);
  const details = {
    ...(requested === null
      ? {}
      : {
          ...(requested.name === null ? {} : { name: requested.name }),
          ...(requested.group === '' ? {} : { group: requested.group }),
          kind: problem.status === 400 || problem.status === 422 ? requested.kind : requested.plural,
        }),
    ...(causes.length === 0 ? {} : { causes }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return Object.keys(details).length === 0 ? null : details;
}

function causesOf(problem: Problem): readonly object[] {
  if (problem.code === 'parent_terminating') {
    return [{ reason: 'NamespaceTerminating', message: problem.message, field: 'metadata.namespace' }];
  }
  return (problem.errors ?? []).map((fault) => {
    const { path, message, reason = 'FieldValueInvalid' } = fault;
    if (problem.code !== 'apply_conflict') return { reason, message: describe(fault), field: fieldOf(path) };
    return { reason: 'FieldManagerConflict', message, field: message.split('": ')[1] ?? fieldOf(path) };
  });
}

const kindsOfFaults: Readonly<Record<FaultReason, string>> = {
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueRequired: 'Required value',
  FieldValueTypeInvalid: 'Invalid value',
};

/** The message of a fault, which begins with its kind as in Kubernetes. */
function describe({ message, reason = 'FieldValueInvalid' }: Fault): string {
  const kind = kindsOfFaults[reason];
  return reason === 'FieldValueRequired' && message === 'is required' ? kind : `${kind}: ${message}`;
}

/** A JSON pointer as Kubernetes writes a field: `spec.items[0].name`, `data[tls.crt]`. */
export function fieldOf(pointer: string): string {
  return pointerSteps(pointer).reduce(
    (path, step) => (/^\d+$|\./.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );
}

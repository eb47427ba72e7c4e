import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../src/openapi/document.ts';

/** The part of an answer that the document speaks of. */
export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

interface Template {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: Readonly<Record<string, Operation>>;
}

/** The document that tests go by: the one that the service of `TestApi` would serve. */
export const document = openApiDocument({
  publicUrl: 'http://platform.test',
  version: '0.24.0',
  sessionCookie: 'platform_session',
});

const templates: readonly Template[] = Object.entries(document.paths).map(([path, methods]) => ({
  path,
  pattern: patternOf(path),
  methods: methods as unknown as Template['methods'],
}));

const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, unicodeRegExp: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema(closed(document) as AnySchema, 'openapi');
const validators = new Map<string, ValidateFunction>();

/** Fails unless the document says that the endpoint may give this answer: its status, its media type, its body and nothing more. */
export function requireDocumented(method: string, target: string, answer: Answered): void {
  // Wherever there is a GET there is a HEAD; a path or method that nobody has is described once, for all.
  if (method === 'HEAD') return;
  const path = known(target.split('?', 1)[0] ?? '');
  const operations = templates
    .filter(({ pattern }) => pattern.test(path))
    .flatMap(({ path: template, methods }) => {
      const operation = methods[method.toLowerCase()];
      return operation === undefined ? [] : [{ template, operation }];
    });
  const faults = operations.map(({ template, operation }) => faultsOf(method, template, operation, answer));
  if (faults.includes(null)) return;
  if (operations.length === 0 || isNowhere(answer)) requireProblem(answer);
  else throw new Error(`${method} ${target} answered ${answer.status}, not as documented: ${faults[0]}`);
}

/** Null when the answer is one of the operation's. */
function faultsOf(method: string, template: string, operation: Operation, answer: Answered): string | null {
  const response = operation.responses[String(answer.status)];
  if (response === undefined) return `${template} documents ${Object.keys(operation.responses).join(', ')}`;
  const pointer =
    response.$ref?.slice(1) ??
    `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${answer.status}`;
  const { content } = at(pointer) as { content?: Record<string, unknown> };
  const text = answer.text ?? '';
  if (content === undefined) return null;
  const types = Object.keys(content);
  // Bytes are no text.
  if (text === '' && answer.type !== 'application/gzip') return 'the answer is empty';
  if (!types.includes(answer.type)) return `${answer.type} is not ${types.join(' or ')}`;
  if (!answer.type.endsWith('json')) return null;
  return violations(`openapi#${pointer}/content/${escaped(answer.type)}/schema`, text);
}

function violations(reference: string, text: string): string | null {
  let validate = validators.get(reference);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: encodeURI(reference) });
    validators.set(reference, validate);
  }
  return validate(JSON.parse(text)) ? null : ajv.errorsText(validate.errors);
}

function isNowhere({ status, text = '' }: Answered): boolean {
  return (status === 404 && text.includes('"unknown_endpoint"')) || status === 405;
}

function requireProblem(answer: Answered): void {
  if (answer.type !== 'application/problem+json') return;
  const fault = violations('openapi#/components/schemas/Problem', answer.text ?? '');
  if (fault !== null) throw new Error(`a problem that is not as documented: ${fault}`);
}

/** A path of the generic API as the document would write it: nothing encoded without need, and no more names than it shows. */
function known(path: string): string {
  const [empty, api, v1, area, ...segments] = path.split('/');
  if (area !== 'resources') return path;
  const [group, version, plural, ...names] = segments.map(plain);
  const isKeyword =
    names.length > 1 &&
    /^(?:status|finalizers|deletion-blockers|explain|deletion-plan)$/.test(names.at(-1) ?? '');
  const kept = names.slice(isKeyword ? -4 : -3);
  return [empty, api, v1, area, group, version, plural, ...kept]
    .filter((segment) => segment !== undefined)
    .join('/');
}

function plain(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment)).replace('%3A', ':');
  } catch {
    return segment;
  }
}

function patternOf(template: string): RegExp {
  const source = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${source}$`);
}

function at(pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, step) => (value as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A copy of the schema in which every object is closed that does not say it is open, so that an answer with a member too many is found out. */
function closed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed);
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isSchema = copy['type'] === 'object' && 'properties' in copy && !('$ref' in copy);
  return isSchema && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}

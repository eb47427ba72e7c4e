import type { LogFields } from '@platform/kernel';

/** The parts of a log line. */
export interface Line {
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly level: string;
  /** E.g. `platform::audit`; absent on ordinary lines. */
  readonly target?: string;
  readonly message: string;
  readonly service?: string;
  readonly fields: LogFields;
}

/** Renders a line, without its line break. */
export type Render = (line: Line) => string;

/** Renders one JSON object. Fields cannot overwrite the members of the line itself, such as `target`. */
export const renderJson: Render = ({ timestamp, level, target, message, service, fields }) => {
  const own = { timestamp, level, target, message: maskText(message), service };
  const others = redact(fields) as Record<string, unknown>;
  for (const name in own) if (name in others) delete others[name];
  // Joining two texts is much faster than spreading both objects into one and stringifying that.
  const [head, rest] = [JSON.stringify(own), JSON.stringify(others)];
  return rest === '{}' ? head : `${head.slice(0, -1)},${rest.slice(1)}`;
};

/** Renders a line for people, `12:00:00.000 info  message key=value`. Leaves out fields without a JSON value, as JSON does. */
export const renderText: Render = ({ timestamp, level, target, message, fields }) => {
  const members = Object.entries(redact(fields) as object).flatMap(([key, value]) => {
    const text = renderValue(value);
    return text === undefined ? [] : [`${key}=${text}`];
  });
  const head = `${timestamp.slice(11, 23)} ${level.padEnd(5)}`;
  return escapeControlCharacters(
    [head, ...(target === undefined ? [] : [`[${target}]`]), maskText(message), ...members].join(' '),
  );
};

function renderValue(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
}

// Attack: control characters in a request forge log lines, or send commands to the terminal that shows them.
function escapeControlCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}

const secretKey =
  /pass(?:word|wd|phrase)|secret|token|authorization|cookie|credential|private.?key|api.?key|assertion|verifier/i;
const looksSecret = /bearer\s|basic\s|eyJ|:\/\/|-----BEGIN|=|%3D|":|platform_rt\.|v1\./i;
/** Names of parameters of OAuth requests and redirects that are secrets, or can be exchanged for one; codes have names of their own. */
const secretName =
  '(?:client_|app_)?secret|(?:access_|refresh_|id_|subject_|actor_|logout_)?token|(?:client_)?assertion|code_verifier|password';
/** In a query or form, also where an address is a parameter of another one and therefore percent-encoded. */
const secretParameter = new RegExp(
  `(^|[?&;\\s'"(]|%3F|%26)(${secretName}|(?:device_|user_)?code)(=|%3D)(?:(?!%26)[^&;\\s'")])+`,
  'gi',
);
const secretMember = new RegExp(`"(${secretName}|device_code|user_code)"(\\s*:\\s*)"[^"]+"`, 'gi');
/** A code in JSON is told from the code of an error, such as `not_found` or `ECONNREFUSED`, by its length and characters. */
const codeMember = /"(code)"(\s*:\s*)"(?![A-Za-z_]+")[^"]{20,}"/g;
const maxDepth = 8;
const replacement = '[redacted]';

/**
 * Copies a value for the log: replaces values whose keys sound secret, and masks bearer credentials, JWTs, passwords in URLs, PEM
 * keys, secret parameters and sealed texts in every text. This limits the damage of a mistake; it does not make it acceptable to log secrets.
 */
function redact(value: unknown): unknown {
  return copy(value, 0);
}

/** Masks credentials inside a text. */
export function maskText(text: string): string {
  if (!looksSecret.test(text)) return text;
  return (
    text
      .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${replacement}`)
      .replace(/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, replacement)
      .replace(secretParameter, `$1$2$3${replacement}`)
      .replace(secretMember, `"$1"$2"${replacement}"`)
      .replace(codeMember, `"$1"$2"${replacement}"`)
      .replace(/\bplatform_rt\.[\w.-]+/g, replacement)
      // Sealed texts: `v1.<key id>.<nonce, ciphertext and tag>`.
      .replace(/\bv1\.[\w-]{1,64}\.[\w-]{38,}/g, replacement)
      .replace(/(:\/\/[^\s/:@]*):[^\s/@]+@/g, `$1:${replacement}@`)
      .replace(
        /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
        replacement,
      )
  );
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[too deep]';
  if (value instanceof Error) return copyError(value, depth);
  if (value instanceof Date) return value;
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
  return copyMembers(value, depth);
}

function copyMembers(value: object, depth: number): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const hidden = secretKey.test(key) && (typeof member === 'string' || typeof member === 'object');
    members[key] = hidden && member !== null ? replacement : copy(member, depth + 1);
  }
  return members;
}

// Errors of libraries carry requests, parameters and headers; only the members that identify the error are kept.
function copyError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message: maskText(message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(stack === undefined ? {} : { stack: maskText(stack) }),
    ...(cause === undefined ? {} : { cause: copy(cause, depth + 1) }),
  };
}

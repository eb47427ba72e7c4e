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
export function redact(value: unknown): unknown {
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

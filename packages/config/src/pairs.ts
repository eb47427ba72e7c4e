const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;

/**
 * Parses `key=value,key=value`, both percent-encoded, as in the variables of OpenTelemetry. Returns a message if the text is invalid; it does
 * not quote the text, because headers contain credentials.
 */
export function resourcePairs(text: string): Readonly<Record<string, string>> | string {
  const pairs: Record<string, string> = {};
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    try {
      const key = decodeURIComponent(pair.slice(0, Math.max(0, equals)).trim());
      if (key === '') return 'must be key=value pairs, separated by commas';
      pairs[key] = decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return 'holds a % that begins no percent-encoding; a % itself is written %25';
    }
  }
  return pairs;
}

/** {@link resourcePairs} that can be sent as headers. */
export function headerPairs(text: string): Readonly<Record<string, string>> | string {
  const pairs = resourcePairs(text);
  if (typeof pairs === 'string') return pairs;
  const sendable = Object.entries(pairs).every(
    ([key, value]) => headerName.test(key) && headerValue.test(value),
  );
  return sendable ? pairs : 'holds a header that cannot be sent';
}

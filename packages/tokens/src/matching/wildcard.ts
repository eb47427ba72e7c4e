/**
 * Whether the whole `text` matches `pattern`, in which `*` stands for any run of characters, the empty one
 * included, and everything else for itself, case-sensitive.
 *
 * Attack: compiled to a regular expression, a dot of the pattern would match any character, and `*a*a*a*b`
 * would hold the service up. This walk takes the leftmost place for each part and never backtracks.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return text === pattern;
  const last = parts[parts.length - 1] ?? '';
  // The first and the last part must not share characters: `ab*ba` does not match `aba`.
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

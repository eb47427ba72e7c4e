/** A string, or one of the characters that give JSON its structure. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Whether any object in a JSON text has two members of one name. `json` must be valid JSON already.
 *
 * Attack: of `{"sub": "me", "sub": "admin"}` one reader takes the first and another the last. RFC 7515
 * section 4 and RFC 7519 section 4 let a reader refuse such a text, which is the only answer all readers share.
 */
export function hasDuplicateMembers(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let expectsName = false;
  for (const [token] of json.matchAll(TOKEN)) {
    const names = open[open.length - 1];
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
      expectsName = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      expectsName = false;
    } else if (token === ',') {
      expectsName = names !== undefined;
    } else if (token === ':') {
      expectsName = false;
    } else if (expectsName && names !== undefined) {
      const name = String(JSON.parse(token));
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}

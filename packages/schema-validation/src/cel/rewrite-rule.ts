/**
 * The rule with `has(a[0].b)` written as `a[0].?b.hasValue()`, which means the same: the library takes only names in `has`, Kubernetes any
 * expression that ends with a field.
 */
export function withOptionalHas(rule: string): string {
  let text = rule;
  for (let from = 0; ; ) {
    const found = nextHas(text, from);
    if (found === null) return text;
    const { start, end } = found;
    const argument = text.slice(start + 'has('.length, end);
    const rewritten = argument.includes('[') ? asOptional(argument) : null;
    if (rewritten !== null) text = `${text.slice(0, start)}${rewritten}${text.slice(end + 1)}`;
    from = start + 'has('.length;
  }
}

/** A string of CEL, raw or not. */
const quoted = /"""[\s\S]*?"""|'''[\s\S]*?'''|[rR]"[^"]*"|[rR]'[^']*'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y;

/** The next `has(` outside of strings, with the place of its closing parenthesis. */
function nextHas(text: string, from: number): { start: number; end: number } | null {
  let start: number | null = null;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    quoted.lastIndex = at;
    const isAfterName = at > 0 && /[\w.]/.test(text.charAt(at - 1));
    const string = quoted.exec(text)?.[0];
    if (string !== undefined && !isAfterName) at += string.length - 1;
    else if (start === null) {
      if (at < from || isAfterName || !text.startsWith('has(', at)) continue;
      start = at;
      depth = 1;
      at += 'has('.length - 1;
    } else if (text.charAt(at) === '(') depth++;
    else if (text.charAt(at) === ')' && --depth === 0) return { start, end: at };
  }
  return null;
}

function asOptional(argument: string): string | null {
  const match = /^([\s\S]*\])\s*((?:\.\s*[A-Za-z_]\w*\s*)*)\.\s*([A-Za-z_]\w*)\s*$/.exec(argument);
  return match === null ? null : `((${match[1]}${match[2]}).?${match[3]}.hasValue())`;
}

/** The rule with `matches` on the expressions of RE2, which Kubernetes has; those of the library are JavaScript's. */
export function withRe2(rule: string): string {
  return rule.replace(/\.\s*matches\s*\(/g, '.matchesRe2(');
}

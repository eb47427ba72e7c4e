/** Words of statements that write or lock, and of functions that do. */
const writing =
  /\b(?:insert|update|delete|merge|truncate|call|do|lock|notify|pg_notify|nextval|setval|create|alter|drop|pg_\w*advisory\w*)\b/i;

// One for each text of this build; those of lists differ by the number of their parameters.
const maxKnown = 2_000;
const known = new Map<string, boolean>();

/** Whether a statement only reads, so that it may be repeated. In doubt it is false: a word in a literal counts too. */
export function isReadOnly(text: string): boolean {
  let answer = known.get(text);
  if (answer === undefined) {
    answer = /^\s*(?:select|with|show|values)\b/i.test(text) && !writing.test(text);
    if (known.size < maxKnown) known.set(text, answer);
  }
  return answer;
}

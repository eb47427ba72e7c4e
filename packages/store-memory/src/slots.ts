import { JsonTokens } from '@platform/kernel';
import type { JsonText } from '@platform/resources';

/** One member of a JSON object: its key decoded, its value as the text that was sent. */
interface Member {
  readonly key: string;
  readonly value: JsonText;
}

/** The status with one slot set to `value`, or removed when `value` is null. Other slots keep every byte. */
export function withSlot(status: JsonText, slot: string, value: JsonText | null): JsonText {
  const slots = slotsOf(status);
  const index = slots.findIndex((member) => member.key === slot);
  const kept = slots.filter((member) => member.key !== slot);
  if (value !== null) kept.splice(index === -1 ? kept.length : index, 0, { key: slot, value });
  return `{"controllers":{${kept.map((member) => `${JSON.stringify(member.key)}:${member.value}`).join(',')}}}`;
}

/** Whether the slot has a value. */
export function hasSlot(status: JsonText, slot: string): boolean {
  return slotsOf(status).some((member) => member.key === slot);
}

function slotsOf(status: JsonText): readonly Member[] {
  const controllers = membersOf(status).find((member) => member.key === 'controllers');
  return controllers === undefined ? [] : membersOf(controllers.value);
}

/** The members of a valid object text. It scans tokens, because parsing would lose digits and duplicate keys. */
function membersOf(text: JsonText): readonly Member[] {
  const members: Member[] = [];
  let depth = 0;
  let key: string | null = null;
  let start = 0;
  const tokens = new JsonTokens(text);
  for (let word = tokens.next(); word !== undefined; word = tokens.next()) {
    const at = tokens.start;
    if (depth === 1 && key === null && word.startsWith('"')) key = JSON.parse(word);
    else if (depth === 1 && word === ':') start = at + 1;
    if (word === '{' || word === '[') depth += 1;
    else if (word === '}' || word === ']') depth -= 1;
    const ends = (depth === 1 && word === ',') || (depth === 0 && word === '}');
    if (!ends || key === null) continue;
    members.push({ key, value: text.slice(start, at).trim() });
    key = null;
  }
  return members;
}

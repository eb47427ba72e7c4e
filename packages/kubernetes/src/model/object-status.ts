import {
  type JsonObject,
  type JsonText,
  type JsonValue,
  parseValue,
  type Resource,
  renderValue,
  stringOf,
} from '@platform/resources';

/** The status slot that is the status of the object. */
export const kubernetesSlot = 'kubernetes';

const noSlots = '{"controllers":{}}';

/** `.status` of an object: the slot of this endpoint, with the other slots under `controllers`. Null when there is none. */
export function renderStatus(status: JsonText): JsonText | null {
  if (status === noSlots) return null;
  const slots = (parseValue(status) as JsonObject).get('controllers');
  if (!(slots instanceof Map) || slots.size === 0) return null;
  const own = slots.get(kubernetesSlot);
  const isObject = own instanceof Map;
  // A slot that is no object was written through the resource API, and is shown next to those of others.
  const others = new Map([...slots].filter(([name]) => !(isObject && name === kubernetesSlot)));
  const members: JsonObject = isObject ? new Map(own) : new Map();
  if (others.size > 0) members.set('controllers', others);
  return renderValue(members);
}

/** The slot that a sent `.status` says. */
export function slotOfStatus(status: JsonValue | undefined): JsonObject {
  const slot: JsonObject = status instanceof Map ? new Map(status) : new Map();
  // The slots of others, which the client sends back as it has read them.
  slot.delete('controllers');
  return slot;
}

/** The parsed slots: many streams may compare one resource. */
const parsedSlots = new WeakMap<Resource, JsonValue>();

function parsedSlot(resource: Resource): JsonValue {
  const known = parsedSlots.get(resource);
  if (known !== undefined) return known;
  const slots = (parseValue(resource.status) as JsonObject).get('controllers');
  const slot = (slots instanceof Map ? slots.get(kubernetesSlot) : undefined) ?? new Map();
  parsedSlots.set(resource, slot);
  return slot;
}

/** The value of a field such as `status.phase` as text, empty when it is absent or no scalar. */
export function statusFieldValue(resource: Resource, field: string): string {
  let value: JsonValue | undefined = parsedSlot(resource);
  for (const name of field.split('.').slice(1)) value = value instanceof Map ? value.get(name) : undefined;
  if (typeof value !== 'string' || value === 'null') return '';
  return stringOf(value) ?? value;
}

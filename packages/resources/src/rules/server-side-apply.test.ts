import { setTimeout as delay } from 'node:timers/promises';
import type { Problem } from '@platform/kernel';
import { parseFields, renderFields, showField } from '../model/field-set.ts';
import { resourceType } from '../model/field-type.ts';
import { type JsonObject, parseValue, renderValue } from '../model/json-value.ts';
import { type Manager, renderManagers } from '../model/managed-fields.ts';
import {
  applyConfiguration,
  type FieldWriter,
  initialManagers,
  renderApplied,
  updateManagers,
} from './server-side-apply.ts';

const schema = JSON.stringify({
  properties: {
    list: {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { properties: { inner: { 'x-kubernetes-list-type': 'set' } } },
    },
    set: { 'x-kubernetes-list-type': 'set' },
    atomicMap: { 'x-kubernetes-map-type': 'atomic' },
    self: { $ref: '#' },
    named: { $ref: '#tags' },
  },
  $defs: { tags: { $anchor: 'tags', 'x-kubernetes-list-type': 'set' } },
});
const type = resourceType(schema);
const writer = (name: string): FieldWriter => ({
  name,
  subresource: null,
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
});
const spec = (text: string): JsonObject => new Map([['spec', parseValue(text)]]);

/** A resource on which several managers work, one after the other. */
class Story {
  value: JsonObject = new Map();
  managers: readonly Manager[] = [];

  apply(name: string, text: string, force = false): this {
    const options = { managers: this.managers, writer: writer(name), type, force };
    const { value, managers } = applyConfiguration(this.value, spec(text), options);
    this.value = value as JsonObject;
    this.managers = managers;
    return this;
  }

  update(name: string, text: string): this {
    const after = spec(text);
    this.managers = updateManagers(this.value, after, this.managers, writer(name), type);
    this.value = after;
    return this;
  }

  /** Fills in defaults, which no manager has. */
  fill(text: string): this {
    this.value = spec(text);
    return this;
  }

  get spec(): string {
    return renderValue(this.value.get('spec') ?? new Map());
  }

  fields(name: string): string | undefined {
    const manager = this.managers.find((one) => one.name === name);
    return manager === undefined ? undefined : renderFields(manager.fields);
  }
}

const conflict = (...fields: string[]) =>
  expect.objectContaining({
    code: 'apply_conflict',
    members: { conflicts: fields.map((field) => expect.objectContaining({ field })) },
  });

// The cases follow those of Kubernetes' structured-merge-diff and of its page "Server-Side Apply".
describe('an apply', () => {
  it.each<[string, (story: Story) => Story, string]>([
    ['adds', (s) => s.apply('a', '{"x":1}').apply('b', '{"y":2}'), '{"x":1,"y":2}'],
    ['changes its own', (s) => s.apply('a', '{"x":1}').apply('a', '{"x":2}'), '{"x":2}'],
    ['removes what it leaves out', (s) => s.apply('a', '{"x":1,"y":2}').apply('a', '{"y":2}'), '{"y":2}'],
    [
      'keeps what another one has, too',
      (s) => s.apply('a', '{"x":1}').apply('b', '{"x":1}').apply('a', '{}'),
      '{"x":1}',
    ],
    [
      'keeps what another one wrote since',
      (s) => s.apply('a', '{"x":1}').update('u', '{"x":2}').apply('a', '{}'),
      '{"x":2}',
    ],
    [
      'keeps what others wrote next to it',
      (s) => s.apply('a', '{"m":{"x":1}}').update('u', '{"m":{"x":1,"y":2}}').apply('a', '{}'),
      '{"m":{"y":2}}',
    ],
    [
      'removes a map that becomes empty',
      (s) => s.apply('a', '{"m":{"n":{"x":1}},"k":1}').apply('a', '{"k":1}'),
      '{"k":1}',
    ],
    [
      'removes the defaults of a map of which nobody has a field any more',
      (s) =>
        s
          .apply('a', '{"k":1,"m":{"x":1},"list":[{"name":"1","n":{"x":1}}]}')
          .fill('{"k":1,"m":{"x":1,"d":7},"list":[{"name":"1","n":{"x":1,"d":7},"d":7}]}')
          .apply('a', '{"k":1,"list":[{"name":"1"}]}'),
      '{"k":1,"list":[{"name":"1","d":7}]}',
    ],
    [
      'keeps the defaults of a map of which another one has a field',
      (s) =>
        s
          .apply('a', '{"m":{"x":1}}')
          .apply('b', '{"m":{"y":2}}')
          .fill('{"d":7,"m":{"x":1,"y":2,"d":7}}')
          .apply('a', '{}'),
      '{"d":7,"m":{"y":2,"d":7}}',
    ],
    [
      'keeps a map that it gives empty',
      (s) => s.apply('a', '{"m":{"x":1}}').apply('a', '{"m":{}}'),
      '{"m":{}}',
    ],
    ['takes over by force', (s) => s.apply('a', '{"x":1}').apply('b', '{"x":2}', true), '{"x":2}'],
    [
      'adds items to a map list',
      (s) => s.apply('a', '{"list":[{"name":"1"}]}').apply('b', '{"list":[{"name":"2"}]}'),
      '{"list":[{"name":"1"},{"name":"2"}]}',
    ],
    [
      'adds items to a list whose type is behind an anchor',
      (s) => s.apply('a', '{"named":["x"]}').apply('b', '{"named":["y"]}'),
      '{"named":["x","y"]}',
    ],
    [
      'merges items of a map list',
      (s) => s.apply('a', '{"list":[{"name":"1","v":1}]}').apply('b', '{"list":[{"name":"1","w":2}]}'),
      '{"list":[{"name":"1","v":1,"w":2}]}',
    ],
    [
      'removes its items only',
      (s) =>
        s
          .apply('a', '{"list":[{"name":"1"},{"name":"2"}]}')
          .apply('b', '{"list":[{"name":"2"}]}')
          .apply('a', '{"list":[]}'),
      '{"list":[{"name":"2"}]}',
    ],
    [
      'removes its fields of a shared item',
      (s) =>
        s.apply('a', '{"list":[{"name":"1","v":1}]}').apply('b', '{"list":[{"name":"1"}]}').apply('a', '{}'),
      '{"list":[{"name":"1"}]}',
    ],
    [
      'removes its item with what others wrote into it',
      (s) =>
        s
          .apply('a', '{"list":[{"name":"1"},{"name":"2"}]}')
          .update('u', '{"list":[{"name":"1","v":1},{"name":"2"}]}')
          .apply('a', '{"list":[{"name":"2"}]}'),
      '{"list":[{"name":"2"}]}',
    ],
    [
      'orders shared items as it gives them',
      (s) => s.update('u', '{"set":["a","b","c","d"]}').apply('a', '{"set":["d","a"]}'),
      '{"set":["d","a","b","c"]}',
    ],
    [
      'merges a set',
      (s) => s.apply('a', '{"set":["a","b"]}').apply('b', '{"set":["b","c"]}').apply('a', '{"set":["a"]}'),
      '{"set":["a","b","c"]}',
    ],
    [
      'merges nested lists',
      (s) =>
        s
          .apply('a', '{"self":{"list":[{"name":"1","inner":[1]}]}}')
          .apply('b', '{"self":{"list":[{"name":"1","inner":[2]}]}}'),
      '{"self":{"list":[{"name":"1","inner":[1,2]}]}}',
    ],
    [
      'keeps digits',
      (s) => s.apply('a', '{"x":1.10}').apply('b', '{"x":1.1,"y":1e400}'),
      '{"x":1.1,"y":1e400}',
    ],
  ])('%s', (_name, run, expected) => {
    expect(run(new Story()).spec).toBe(expected);
  });

  it.each<[string, (story: Story) => Story, string, string[]]>([
    ['a scalar', (s) => s.apply('a', '{"x":1}'), '{"x":2}', ['.spec.x']],
    ['a scalar of an update', (s) => s.apply('b', '{"x":1}').update('u', '{"x":2}'), '{"x":1}', ['.spec.x']],
    ['an atomic list', (s) => s.apply('a', '{"l":[1]}'), '{"l":[1,2]}', ['.spec.l']],
    [
      'an atomic map',
      (s) => s.apply('a', '{"atomicMap":{"x":1}}'),
      '{"atomicMap":{"x":1,"y":1}}',
      ['.spec.atomicMap'],
    ],
    [
      'a field of an item',
      (s) => s.apply('a', '{"list":[{"name":"1","v":1}]}'),
      '{"list":[{"name":"1","v":2}]}',
      ['.spec.list[name="1"].v'],
    ],
    ['a map by a scalar', (s) => s.apply('a', '{"m":{"x":1,"y":2}}'), '{"m":1}', ['.spec.m.x', '.spec.m.y']],
    ['several', (s) => s.apply('a', '{"x":1,"y":1}'), '{"x":2,"y":2}', ['.spec.x', '.spec.y']],
  ])('conflicts when it changes %s', (_what, run, text, fields) => {
    const story = run(new Story());
    expect(() => story.apply('b', text)).toThrow(conflict(...fields));
    expect(() => story.apply('b', text, true)).not.toThrow();
  });

  it('moves the fields that it takes by force', () => {
    const story = new Story().apply('a', '{"x":1,"y":1}').apply('b', '{"x":2}', true);
    expect([story.fields('a'), story.fields('b')]).toEqual([
      '{"f:spec":{"f:y":{}}}',
      '{"f:spec":{"f:x":{}}}',
    ]);
  });

  it('takes the fields of an item from others when it removes the item', () => {
    const story = new Story()
      .apply('a', '{"list":[{"name":"1"}],"x":1}')
      .update('u', '{"list":[{"name":"1","v":1}],"x":1}')
      .apply('a', '{"x":1}', true);
    expect([story.spec, story.fields('u')]).toEqual(['{"x":1}', '{}']);
  });

  it('takes all that is there before it for one manager', () => {
    const [manager] = initialManagers(spec('{"x":1,"list":[{"name":"1","v":[1]}]}'), type, writer(''));
    expect(manager?.name).toBe('before-first-apply');
    expect(renderFields(manager?.fields ?? parseFields('{}'))).toBe(
      '{"f:spec":{"f:x":{},"f:list":{"k:{\\"name\\":\\"1\\"}":{".":{},"f:name":{},"f:v":{}}}}}',
    );
  });

  it('takes the annotation of kubectl, and what it says, for a manager of its own', () => {
    const annotations = { a: 'b', 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const live = parseValue(JSON.stringify({ metadata: { annotations }, spec: { x: 1, y: 1 } }));
    const fieldsBy = (isByWriter: boolean) =>
      Object.fromEntries(
        initialManagers(live, type, writer('w'), { config: spec('{"x":1,"y":2}'), isByWriter }).map(
          ({ name, fields }) => [name, renderFields(fields)],
        ),
      );
    const rest = '{"f:metadata":{"f:annotations":{"f:a":{}}},"f:spec":{"f:y":{}}}';
    const ofAnnotation =
      '"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}';
    expect(fieldsBy(true)).toEqual({
      'before-first-apply': rest,
      'kubectl-client-side-apply': `{${ofAnnotation}}`,
      w: '{"f:spec":{"f:x":{}}}',
    });
    expect(fieldsBy(false)).toEqual({
      'before-first-apply': rest,
      'kubectl-client-side-apply': `{${ofAnnotation},"f:spec":{"f:x":{}}}`,
    });
  });

  it('changes nothing the second time, whoever applied last', () => {
    const story = new Story().apply('a', '{"x":1}').apply('b', '{"y":1}').update('c', '{"x":1,"y":1,"z":1}');
    const { managers } = story;
    story.apply('a', '{"x":1.0}').apply('b', '{"y":1}').apply('a', '{"x":1}');
    expect(story.managers).toEqual(managers);
  });

  it('owns an empty map that it gives, and lets others fill it', () => {
    const story = new Story().apply('a', '{"m":{}}').apply('b', '{"m":{}}').apply('b', '{"m":{"x":1}}');
    expect(story.spec).toBe('{"m":{"x":1}}');
    expect(story.fields('a')).toBe('{"f:spec":{"f:m":{}}}');
    expect(story.fields('b')).toBe('{"f:spec":{"f:m":{"f:x":{}}}}');
  });
});

describe('the size of the managed fields', () => {
  const managed = (count: number) => {
    const fields = parseFields(`{"f:spec":{"f:${'x'.repeat(1_000)}":{}}}`);
    return Array.from({ length: count }, (_, index) => ({
      ...writer(`manager-${index}`),
      operation: 'Apply' as const,
      fields,
    }));
  };

  it('is bounded, whoever applies the same field once more', () => {
    expect(renderApplied(managed(1_500), null)).toContain('manager-1499');
    expect(() => renderApplied(managed(2_500), null)).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  });

  it('may shrink in a resource that has more', () => {
    const before = renderManagers(managed(2_501));
    expect(renderApplied(managed(2_500), before)).toContain('manager-2499');
  });
});

it('FieldsV1 is read as it is written, and shown as in Kubernetes', () => {
  const text =
    '{"f:a":{},"f:m":{".":{},"f:b":{}},"f:l":{"k:{\\"name\\":\\"x\\"}":{".":{},"f:v":{}},"v:\\"s\\"":{}}}';
  expect(renderFields(parseFields(text))).toBe(text);
  expect(showField(['f:l', 'k:{"name":"x"}', 'f:v'])).toBe('.l[name="x"].v');
  expect(showField(['f:l', 'v:"s"'])).toBe('.l[="s"]');
});

// With the square of these sizes a test would not end within the limit of the runner, which it notices when a test gives way.
describe('the time of a write', () => {
  const membersTo = (value: string, count = 50_000) =>
    `{${Array.from({ length: count }, (_, index) => `"m${index}":${value}`).join()}}`;

  it('grows with a list, not with its square, when an apply turns the list around', async () => {
    const items = Array.from({ length: 400_000 }, (_, index) => `"${index}"`);
    const story = new Story().apply('a', `{"set":[${items.join()}]}`);
    const reversed = `{"set":[${items.reverse().join()}]}`;
    story.apply('a', reversed);
    await delay(0);
    expect(story.spec).toBe(reversed);
  });

  it.each(['apply', 'update'] as const)(
    'grows with the fields of all managers, not with managers and fields, in an %s',
    async (verb) => {
      const story = new Story().apply('a', membersTo('1'));
      const others = Array.from({ length: 8_000 }, (_, index): Manager => {
        const fields = parseFields(`{"f:spec":{"f:of${index}":{}}}`);
        return { ...writer(`b${index}`), operation: 'Update', fields };
      });
      story.managers = [...story.managers, ...others];
      story[verb]('a', membersTo('2'));
      await delay(0);
      expect(story.managers).toHaveLength(8_000 + (verb === 'apply' ? 1 : 2));
    },
  );
});

describe('an apply of a document that is as deep as documents may be', () => {
  const deep = (value: number) => {
    const leaves = Array.from({ length: 1_000 }, (_, index) => `"m${index}":${value}`).join();
    return `${'{"a":'.repeat(58)}{${leaves}}${'}'.repeat(58)}`;
  };
  /** The set at the end of the only path, and how many sets on the way are owned. */
  const endOf = (set: Manager['fields'] | undefined) => {
    let [at, owned] = [set, 0];
    while (at?.children.size === 1) {
      owned += Number(at.owned);
      [at] = at.children.values();
    }
    return { at, owned };
  };

  // A set and a path for each leaf took three times as long.
  it('owns its leaves alone, which share one set', () => {
    const story = new Story().apply('a', deep(1)).apply('b', deep(1)).apply('a', deep(2), true);
    const [a, b] = story.managers.map(({ fields }) => endOf(fields));
    expect([a?.owned, a?.at?.children.size, b?.at?.children.size]).toEqual([0, 1_000, 0]);
    expect(new Set(a?.at?.children.values()).size).toBe(1);
  });
});

describe('the refusal of an apply with very many conflicts', () => {
  const refusal = (work: () => unknown): Problem => {
    try {
      work();
    } catch (error) {
      return error as Problem;
    }
    throw new Error('was applied');
  };

  // Attack: each conflict was written with the whole name, gigabytes together, before a hundred were shown.
  it('writes only those that it shows, below a name of a quarter of a megabyte', async () => {
    const below = (value: number) =>
      `{"${'n'.repeat(250_000)}":{${Array.from({ length: 40_000 }, (_, index) => `"m${index}":${value}`).join()}}}`;
    const story = new Story().apply('a', below(1));
    const { message, errors, members } = refusal(() => story.apply('b', below(2)));
    await delay(0);
    expect(message).toContain('and 39999 more');
    expect([errors, members['conflicts']].map((list) => (list as unknown[]).length)).toEqual([1, 1]);
  });

  it('says where the items of a long list are', () => {
    const items = (value: number) =>
      `{"list":[${Array.from({ length: 2_000 }, (_, index) => `{"name":"${index}","is":${value}}`).join()}]}`;
    const story = new Story().apply('a', items(1));
    const { errors } = refusal(() => story.apply('b', items(2)));
    expect(errors).toHaveLength(100);
    expect(errors?.[99]?.path).toBe('/spec/list/99/is');
  });
});

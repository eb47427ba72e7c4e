import type { Located } from './locate.ts';

/** Builds a statement once for each key. There are few: as many as paths have depths, and two. */
export function oncePer<Key extends string | number, Built>(build: (key: Key) => Built): (key: Key) => Built {
  const built = new Map<Key, Built>();
  return (key) => {
    let one = built.get(key);
    if (one === undefined) {
      one = build(key);
      built.set(key, one);
    }
    return one;
  };
}

/** As {@link oncePer}, for statements about one located row: once for each shape. */
export function oncePerShape<Built>(build: (located: Located) => Built): (located: Located) => Built {
  const built = new Map<string, Built>();
  return (located) => {
    let one = built.get(located.shape);
    if (one === undefined) {
      one = build(located);
      built.set(located.shape, one);
    }
    return one;
  };
}

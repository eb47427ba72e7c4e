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

/** Builds a statement once for each key of its input. There are few keys: as many as paths have depths, times a few variants. */
export function oncePer<Input, Built>(
  build: (input: Input) => Built,
  keyOf: (input: Input) => unknown = (input) => input,
): (input: Input) => Built {
  const built = new Map<unknown, Built>();
  return (input) => {
    const key = keyOf(input);
    let one = built.get(key);
    if (one === undefined) {
      one = build(input);
      built.set(key, one);
    }
    return one;
  };
}

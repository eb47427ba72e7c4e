/** The items whose texts contain what was typed, those first that are it or begin with it. */
export function bestMatches<T>(
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
  typed: string,
): readonly T[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return items;
  const [same, begun, others]: [T[], T[], T[]] = [[], [], []];
  for (const item of items) {
    const texts = textsOf(item).map((text) => text.toLowerCase());
    if (texts.includes(wanted)) same.push(item);
    else if (texts.some((text) => text.startsWith(wanted))) begun.push(item);
    else if (texts.join(' ').includes(wanted)) others.push(item);
  }
  return [...same, ...begun, ...others];
}

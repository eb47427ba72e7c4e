/** Every character of the categories Cc and Cf but tabs and line breaks. */
export const hiddenCharacters = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/** Characters that hide, or that change the order of the text around them, as escapes: two names must not look the same. */
export function visibleText(text: string): string {
  return text.replace(
    hiddenCharacters,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

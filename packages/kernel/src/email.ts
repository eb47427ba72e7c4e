/**
 * An e-mail address in the form that addresses are compared in: A to Z folded to lower case, and nothing else.
 * Attack: Unicode folds the Kelvin sign to `k`, so that a look-alike address would become an operator's.
 */
export function foldEmailCase(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

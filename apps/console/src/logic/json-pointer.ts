/** The JSON pointer (RFC 6901) of a place, as the faults of the server name it. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((one) => `/${String(one).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The names in a JSON pointer, outermost first; none for the whole document. */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

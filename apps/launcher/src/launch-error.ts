/** The platform cannot be started; the message is for the person who tried. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}

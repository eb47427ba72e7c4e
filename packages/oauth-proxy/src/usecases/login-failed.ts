/** A login that ends with an error redirect to the app. Both texts go to the app; `logged` goes to the log instead. */
export class LoginFailed extends Error {
  override readonly name = 'LoginFailed';
  readonly error: string;
  readonly description: string | null;
  readonly logged: string;

  constructor(error: string, description: string | null, logged?: string) {
    super(description ?? error);
    this.error = error;
    this.description = description;
    this.logged = logged ?? description ?? error;
  }
}

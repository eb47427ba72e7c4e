/** A login that ends with an error redirect to the app. Error and description are sent to the app; `logged` is for the log. */
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

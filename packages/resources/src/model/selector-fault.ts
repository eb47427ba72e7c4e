/** A selector that cannot be parsed. */
export class SelectorFault extends Error {
  override readonly name = 'SelectorFault';
  /** The position of the fault, counted from 0. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

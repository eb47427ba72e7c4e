/** Rows that writes go to; each client has some of its own, so that it knows their revisions. */
export const writtenRows = 1_024;

const perClient = 8;

/** The row that a client writes in its turn. */
export function rowOf(client: number, turn: number): number {
  return (client * perClient + (turn % perClient)) % writtenRows;
}

/**
 * Looks up the TXT records of a name, one text a record. Must answer in bounded time: empty when there are none, null when nobody
 * could be asked.
 */
export type TxtLookup = (name: string) => Promise<readonly string[] | null>;

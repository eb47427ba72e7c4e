import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { acceptedCodings } from '../../http/accept.ts';

/** A file that browsers load, as it is and compressed. */
export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** By the name of the content coding. */
  readonly compressed: ReadonlyMap<string, Buffer>;
}

/** The console as the build has left it. */
export interface ConsoleBuild {
  /** The page, with {@link noncePlaceholder} where its nonce belongs. */
  readonly page: string;
  readonly asset: (name: string) => ConsoleFile | null;
}

/** The build writes it in place of the nonce (apps/console/vite.config.ts). */
export const noncePlaceholder = 'CSP_NONCE';

/** The build writes it next to the sources and the compiled program. */
const directory = new URL('../../../console/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The codings in the order of preference, with the ends of the names of their files. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Reads the build; null when the program runs without one, from its sources. */
export function readConsole(): ConsoleBuild | null {
  const index = new URL('index.html', directory);
  if (!existsSync(index)) return null;
  const folder = new URL('assets/', directory);
  const names = new Set(readdirSync(folder));
  const files = new Map<string, ConsoleFile>();
  const asset = (name: string): ConsoleFile | null => {
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    // Only names of the listing are read: names of clients never reach the file system.
    if (type === undefined || !names.has(name)) return null;
    const read = (file: string) => readFileSync(new URL(file, folder));
    const known = files.get(name) ?? {
      type,
      bytes: read(name),
      compressed: new Map(
        codings.filter(([, end]) => names.has(name + end)).map(([coding, end]) => [coding, read(name + end)]),
      ),
    };
    files.set(name, known);
    return known;
  };
  return { page: readFileSync(index, 'utf8'), asset };
}

/** The best coding of a file that the client accepts (RFC 9110, section 12.5.3); null for none. */
export function chooseCoding(
  file: ConsoleFile,
  acceptEncoding: string | undefined,
): { readonly coding: string; readonly bytes: Buffer } | null {
  const names = codings.map(([coding]) => coding);
  const accepted = acceptedCodings(acceptEncoding, names);
  for (const coding of names) {
    const bytes = file.compressed.get(coding);
    if (bytes !== undefined && accepted.includes(coding)) return { coding, bytes };
  }
  return null;
}

import { existsSync } from 'node:fs';

/** Where Debian's packages put Chromium. The first is the same browser without its own windows, and needs half the processor time. */
const paths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** The path of the browser of this machine; names a file that is missing where none is installed. */
export const chromiumPath: string = paths.find((path) => existsSync(path)) ?? paths[0];

/** Flags of the browser in tests: run as root, headless, and send no background requests. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

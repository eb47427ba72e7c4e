/** Where Debian's package chromium puts it, which not every machine has. */
export const chromiumPath = '/usr/bin/chromium';

/** Flags for a browser of tests: as root, without a screen, and with no requests of its own. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where Debian's package chromium puts it, which not every machine has. */
export const chromiumPath = '/usr/bin/chromium';

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

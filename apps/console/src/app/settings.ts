import { useSyncExternalStore } from 'react';

/** Preferences of this browser. Nothing else is ever stored. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'compact' | 'comfortable';
  /** Whether tables scroll through all rows or have pages, which a screen reader reads as a table. */
  readonly tables: 'scroll' | 'pages';
  /** Keys that act without Ctrl or Cmd (WCAG 2.1.4). */
  readonly singleKeys: boolean;
}

const key = 'platform-console';
const defaults: Settings = { theme: 'system', density: 'compact', tables: 'scroll', singleKeys: true };
const listeners = new Set<() => void>();
let settings = read();

function read(): Settings {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Settings>;
    return { ...defaults, ...stored };
  } catch {
    return defaults;
  }
}

export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change };
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // Storage is switched off: the settings hold until the tab is closed.
  }
  applySettings();
  for (const listener of listeners) listener();
}

/** Puts the theme and the density onto the document. */
export function applySettings(): void {
  const { dataset } = document.documentElement;
  if (settings.theme === 'system') delete dataset['theme'];
  else dataset['theme'] = settings.theme;
  dataset['density'] = settings.density;
}

export function useSettings(): Settings {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => settings,
  );
}

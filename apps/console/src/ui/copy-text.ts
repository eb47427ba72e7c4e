import { announce } from './announcer.tsx';

/** Copies a text and says what was copied; resolves with false when the browser refuses, as without HTTPS or permission. */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied: ${what}`);
    return true;
  } catch {
    announce(`Not copied, because the browser refuses it: ${what}`);
    return false;
  }
}

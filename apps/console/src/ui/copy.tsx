import { useState } from 'react';
import { announce } from './announcer.tsx';
import { Icon } from './icon.tsx';

/** Copies a text; says so in words, for everybody. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text, label))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button
      type="button"
      className="button quiet"
      onClick={() => void copy()}
      aria-label={`Copy ${label}`}
      title={`Copy ${label}`}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}

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

/** A command of the terminal, to be copied. */
export function Command({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section className="command" aria-label={label}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </section>
  );
}

import { useState } from 'react';
import { copyText } from './copy-text.ts';
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

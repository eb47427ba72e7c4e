import type { ComponentProps } from 'react';

/** A button for an action that takes a while. Meanwhile it does nothing and keeps the focus, which a disabled one would lose. */
export function ActionButton({
  isBusy,
  type = 'button',
  onClick,
  ...others
}: ComponentProps<'button'> & { readonly isBusy: boolean }) {
  return (
    <button
      {...others}
      type={type}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    />
  );
}

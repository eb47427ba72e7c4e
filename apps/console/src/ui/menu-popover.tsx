import type { ReactNode } from 'react';
import { Popover } from 'react-aria-components';
import { Layer } from './layers.tsx';

/** The box of a menu below its button. */
export function MenuPopover({
  placement = 'bottom end',
  children,
}: {
  readonly placement?: 'bottom start' | 'bottom end';
  readonly children: ReactNode;
}) {
  return (
    <Popover className="popover" placement={placement}>
      <Layer />
      {children}
    </Popover>
  );
}

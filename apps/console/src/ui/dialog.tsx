import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Layer } from './layers.tsx';

/** A dialog with a title. Escape closes it, unless only its own buttons may, and the focus goes back to its opener. */
export function Dialog({
  title,
  onClose,
  wide = false,
  staysOnEscape = false,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly staysOnEscape?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isDismissable={false}
      isKeyboardDismissDisabled={staysOnEscape}
    >
      <Modal className={wide ? 'modal wide' : 'modal'}>
        <AriaDialog className="dialog">
          <Layer />
          <Heading slot="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

import { useCallback, useState } from 'react';
import type { Row } from '../../live/row.ts';

/** The selected rows by uid, so that they stay selected wherever they move, and the question about their deletion. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [isDeleting, askToDelete] = useState(false);
  const toggle = useCallback(
    (row: Row) =>
      setSelected((before) => {
        const after = new Map(before);
        if (!after.delete(row.uid)) after.set(row.uid, row);
        return after;
      }),
    [],
  );
  const clear = useCallback(() => {
    setSelected(new Map());
    askToDelete(false);
  }, []);
  const drop = useCallback(
    (uids: readonly string[]) =>
      setSelected((before) => new Map([...before].filter(([uid]) => !uids.includes(uid)))),
    [],
  );
  /** Asks about the deletion of a row, with the others that are selected. */
  const remove = (row: Row) => {
    setSelected((before) => new Map(before).set(row.uid, row));
    askToDelete(true);
  };
  return { selected, toggle, clear, drop, remove, isDeleting, askToDelete };
}

export type Selection = ReturnType<typeof useSelection>;

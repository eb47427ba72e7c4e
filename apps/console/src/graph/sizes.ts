/** The size of a node, for the layout and for the drawing. */
export const nodeWidth = 200;
export const nodeHeight = 56;

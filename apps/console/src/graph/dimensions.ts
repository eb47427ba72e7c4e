/** Levels below a resource that its graph can show. Owner references are followed for one level, since no list has them. */
export const depths: readonly number[] = [1, 2, 3, 4];
export const usualDepth = 2;

/** The size of a node, for the layout and for the drawing. */
export const nodeWidth = 200;
export const nodeHeight = 56;

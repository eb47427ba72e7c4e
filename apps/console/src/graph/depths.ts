/** Levels below a resource that its graph can show. Owner references are followed for one level, since no list has them. */
export const depths: readonly number[] = [1, 2, 3, 4];
export const usualDepth = 2;

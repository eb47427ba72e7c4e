/** Annotations that keep what a resource has no member for. Objects do not show them. */

const prefix = 'kubernetes.platform.dev/';

/** `metadata.generateName`. */
export const generateNameAnnotation = `${prefix}generate-name`;

/** Whether objects do not show the annotation. */
export const isHiddenAnnotation = (name: string): boolean => name.startsWith(prefix);

import { controllerAnnotation } from '@platform/resources';

/** The prefix of annotations for members of an object that a resource does not have. Objects do not show them. */
const prefix = 'kubernetes.platform.dev/';

/** `metadata.generateName`. */
export const generateNameAnnotation = `${prefix}generate-name`;

/** Whether objects do not show the annotation. */
export const isHiddenAnnotation = (name: string): boolean => name.startsWith(prefix);

/** The annotation of `metadata.generateName` in managed fields. */
export const generateNameField = `f:${generateNameAnnotation}`;
/** The annotation of the controller among the owners in managed fields. */
export const controllerField = `f:${controllerAnnotation}`;

/** Whether a name in managed fields is that of a hidden annotation. */
export const isHiddenField = (field: string): boolean => field.startsWith(`f:${prefix}`);

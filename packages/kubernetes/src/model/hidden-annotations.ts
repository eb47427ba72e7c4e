import { controllerAnnotation } from '@platform/resources';

/** Annotations that keep what a resource has no member for. Objects do not show them. */

const prefix = 'kubernetes.platform.dev/';

/** `metadata.generateName`. */
export const generateNameAnnotation = `${prefix}generate-name`;

/** Whether objects do not show the annotation. */
export const isHiddenAnnotation = (name: string): boolean => name.startsWith(prefix);

/** The names of these annotations in managed fields. */
export const generateNameField = `f:${generateNameAnnotation}`;
export const controllerField = `f:${controllerAnnotation}`;

/** Whether it is such a name. */
export const isHiddenField = (field: string): boolean => field.startsWith(`f:${prefix}`);

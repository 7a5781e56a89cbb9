/** A boolean as a column holds it. */
export type Flag = 0 | 1

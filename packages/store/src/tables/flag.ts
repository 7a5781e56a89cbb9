/** A boolean as it is stored in a column. */
export type Flag = 0 | 1

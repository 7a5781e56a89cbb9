/** Which rows of an ordered list. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

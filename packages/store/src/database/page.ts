export interface Page {
  readonly offset: number
  readonly limit: number
}

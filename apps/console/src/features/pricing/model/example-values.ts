export const KEY_IN_EXAMPLES = 'sk-…'

export interface ExampleValues {
  readonly model: string
  /** The base URL of this gateway, without a trailing slash. */
  readonly address: string
}

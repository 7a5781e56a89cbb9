export const KEY_IN_EXAMPLES = 'sk-…'

export interface ExampleValues {
  readonly model: string
  /** Of this gateway, without a slash at its end. */
  readonly address: string
}

import type { OptionDefinition } from '@tollgate/contract/options/definition'

/** The props of every control of a setting. Values are text, because that is what the server stores. */
export interface ControlProps {
  readonly id: string
  readonly describedBy: string
  readonly definition: OptionDefinition
  readonly value: string
  /** A value is stored; for a secret this is all that is known. */
  readonly isSet: boolean
  /** A value was entered that is not saved yet. */
  readonly isEntered: boolean
  readonly isFaulty: boolean
  readonly onChange: (text: string) => void
  /** Discards the entered value and returns to the stored one. */
  readonly onForget: () => void
}

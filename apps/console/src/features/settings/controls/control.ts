import type { OptionDefinition } from '@tollgate/contract/options/definition'

/** What every control of a setting is given. Values are text in and out: that is what the server stores. */
export interface ControlProps {
  readonly id: string
  readonly describedBy: string
  readonly definition: OptionDefinition
  readonly value: string
  /** Something is stored; of a secret this is all that is known. */
  readonly isSet: boolean
  /** Something was entered that is not saved yet. */
  readonly isEntered: boolean
  readonly isFaulty: boolean
  readonly onChange: (text: string) => void
  /** Back to what is stored. */
  readonly onForget: () => void
}

import type { Receiver } from '@tollgate/contract/alert'
import { type ReceiverKind, receiverForms } from '@tollgate/contract/alert-receivers'

/** A secret that was entered; without text it will be removed. */
export interface EnteredSecret {
  readonly text: string
}

type FieldValue = string | EnteredSecret | undefined

export interface ReceiverFormValue {
  readonly name: string
  readonly kind: ReceiverKind
  /** A secret is `undefined` until one is entered. */
  readonly fields: Readonly<Record<string, FieldValue>>
}

export function newReceiverValue(kind: ReceiverKind): ReceiverFormValue {
  return { name: '', kind, fields: emptyFields(kind) }
}

export function emptyFields(kind: ReceiverKind): ReceiverFormValue['fields'] {
  const entries = Object.entries(receiverForms[kind].fields)
  return Object.fromEntries(
    entries.map(([name, field]) => [name, field.isSecret ? undefined : field.default]),
  )
}

export function receiverValueOf({ name, kind, fields }: Receiver): ReceiverFormValue {
  return { name, kind, fields: { ...emptyFields(kind), ...fields } }
}

/** What is sent: secrets that were not touched are left out. */
export function sentFields({ kind, fields }: ReceiverFormValue): Readonly<Record<string, string>> {
  const names = Object.keys(receiverForms[kind].fields)
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textOf(fields[name])
      return text === undefined ? [] : [[name, text.trim()]]
    }),
  )
}

export function textOf(value: FieldValue): string | undefined {
  return typeof value === 'object' ? value.text : value
}

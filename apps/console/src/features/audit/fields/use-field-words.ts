import { fieldMessages } from './i18n.ts'

type FieldKey = Parameters<typeof fieldMessages.t>[0]

/** The label of a changed field. An unknown field, written by a later version, is shown by its own name. */
export function useFieldWords(): (name: string) => string {
  const t = fieldMessages.use()
  return (name) => {
    const key = `field.${name}`
    return isKnown(key) ? t(key) : name
  }
}

function isKnown(key: string): key is FieldKey {
  return Object.hasOwn(fieldMessages.texts.en, key)
}

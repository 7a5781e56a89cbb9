import { settingObject, textOf } from './setting-object.ts'

/**
 * Whether a per-model JSON table leaves some model without a value: it has no `default`, or one of its values
 * is empty. A plain text applies to every model.
 */
export function isIncompleteModelTable(text: string): boolean {
  if (!text.trim().startsWith('{')) return false
  const object = settingObject(text)
  if (object === undefined) return true
  return !isTold(object['default']) || !Object.values(object).every(isTold)
}

/** The `default` of a per-model table, which becomes the value for every model. */
export function defaultOfTable(text: string): string {
  return textOf(settingObject(text) ?? {}, 'default')
}

function isTold(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

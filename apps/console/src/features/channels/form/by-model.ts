import { settingObject, textOf } from './setting-object.ts'

/** Whether a text that is told model by model leaves a model without an answer. A plain text answers for all. */
export function byModelFault(text: string): boolean {
  if (!text.trim().startsWith('{')) return false
  const object = settingObject(text)
  if (object === undefined) return true
  return !isTold(object['default']) || !Object.values(object).every(isTold)
}

/** What the other models had, for all of them. */
export function oneForAll(text: string): string {
  return textOf(settingObject(text) ?? {}, 'default')
}

function isTold(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

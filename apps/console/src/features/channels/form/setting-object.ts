import { isRecord, parseObject } from '@tollgate/kit/json'

/** A channel's `setting`: members that have form fields, and any others, which are kept unchanged. */
export type SettingObject = Readonly<Record<string, unknown>>

/** A member that either has one particular value or is absent. */
export interface SettingSwitch {
  readonly member: string
  readonly on: string | boolean
  /** The value stored for "off" when the absence of the member means "on". */
  readonly off?: boolean | string
}

/** `undefined` if the text is not a JSON object; it can then only be edited as text. */
export function settingObject(text: string): SettingObject | undefined {
  return text.trim() === '' ? {} : parseObject(text)
}

export function isOn(object: SettingObject, { member, on, off }: SettingSwitch): boolean {
  const value = object[member]
  if (off !== undefined) return value !== off
  return typeof value === 'string' ? value.toUpperCase() === on : value === on
}

/**
 * `as_before`: requests may name everything stored at the upstream except responses, conversations and
 * prompts.
 */
export type StoredContext = 'none' | 'as_before' | 'all'

export function storedContextOf({ stored_context: choice }: SettingObject): StoredContext {
  if (choice === true) return 'all'
  return choice === 'as_before' ? choice : 'none'
}

/**
 * Whether the model traits are not a JSON object, for example while they are being typed. Such a value is
 * kept as text and the form cannot be submitted.
 */
export function hasBrokenTraits({ model_traits: traits }: SettingObject): boolean {
  return traits !== undefined && !isRecord(traits)
}

export function textOf(object: SettingObject, member: string): string {
  const value = object[member]
  return typeof value === 'string' ? value : ''
}

/**
 * The text with some members changed. `undefined` and blank texts remove a member. Returns "" when no member
 * is left.
 */
export function withMembers(object: SettingObject, change: SettingObject): string {
  const members = Object.entries({ ...object, ...change }).filter(
    ([, value]) => value !== undefined && !(typeof value === 'string' && value.trim() === ''),
  )
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members), undefined, 2)
}

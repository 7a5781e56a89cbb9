/** A channel's `setting`: members the form has fields for, and any others, which are kept as they are. */
export type SettingObject = Readonly<Record<string, unknown>>

/** A member that is set to one value or not at all. */
export interface SettingSwitch {
  readonly member: string
  readonly on: string | boolean
  /** What is stored for off, where the member's absence means on. */
  readonly off?: boolean
}

/** `undefined` when the text is no JSON object: then only the text can be edited. */
export function settingObject(text: string): SettingObject | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export function isOn(object: SettingObject, { member, on, off }: SettingSwitch): boolean {
  const value = object[member]
  if (off !== undefined) return value !== off
  return typeof value === 'string' ? value.toUpperCase() === on : value === on
}

/** `as_before`: all but responses, conversations and prompts that the upstream keeps. */
export type StoredContext = 'none' | 'as_before' | 'all'

export function storedContextOf({ stored_context: choice }: SettingObject): StoredContext {
  if (choice === true) return 'all'
  return choice === 'as_before' ? choice : 'none'
}

/** Model traits that are no JSON object, such as half of one: they are kept as text until they are, and are not sent. */
export function hasBrokenTraits({ model_traits: traits }: SettingObject): boolean {
  return traits !== undefined && (typeof traits !== 'object' || traits === null || Array.isArray(traits))
}

export function textOf(object: SettingObject, member: string): string {
  const value = object[member]
  return typeof value === 'string' ? value : ''
}

/** The text with some members changed; `undefined` and blank texts take a member away. "" when nothing is left. */
export function withMembers(object: SettingObject, change: SettingObject): string {
  const members = Object.entries({ ...object, ...change }).filter(
    ([, value]) => value !== undefined && !(typeof value === 'string' && value.trim() === ''),
  )
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members), undefined, 2)
}

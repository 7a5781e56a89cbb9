import { type OptionKey, isOptionKey, optionDefinition, parseOption } from '@tollgate/contract/options/index'
import type { NoteCode } from '@tollgate/importer/note'
import { Problem, type ProblemCode } from '@tollgate/problems/problem'
import { defaultText } from '../../snapshots/default-text.ts'
import { readOption } from '../../services/option/rules.ts'
import { readEntries } from './read-entries.ts'

/** A setting of the source: its normalised text, or why it cannot be imported. */
export type OptionReading =
  | {
      readonly type: 'accepted'
      readonly key: OptionKey
      readonly value: string
      /** Set when the setting works here but not exactly as its operator may expect. */
      readonly notes: readonly { readonly code: NoteCode; readonly detail: string }[]
    }
  /** This version has no such setting. */
  | { readonly type: 'unknown' }
  /** An empty text where JSON is expected: the source uses its default then, and so do we. */
  | { readonly type: 'unset' }
  | { readonly type: 'refused'; readonly code: NoteCode; readonly detail: string }

/**
 * Validates settings as if an administrator had typed them in one after the other, each with all the others
 * in place.
 */
export function optionReader(
  texts: ReadonlyMap<string, string>,
): (key: string, text: string) => OptionReading {
  const settings = { text: (key: OptionKey): string => acceptedText(key, texts.get(key)) ?? defaultText(key) }
  return (key, text) => {
    if (!isOptionKey(key)) return { type: 'unknown' }
    if (text.trim() === '' && optionDefinition(key).kind === 'json') return { type: 'unset' }
    const read = (value: string) => attempt(() => readOption(settings, { key, text: value, language: 'en' }))
    const whole = read(text)
    if (typeof whole === 'string')
      return disablesPasswordSignIn(key, whole)
        ? refused('option-door-left-open', key)
        : {
            type: 'accepted',
            key,
            value: whole,
            notes: isPlainOidc(settings, key, whole) ? [PLAIN_OIDC] : [],
          }
    const readReason = (value: string) => {
      const result = read(value)
      return typeof result === 'string' ? undefined : result.textIn('en')
    }
    const entries = optionDefinition(key).kind === 'json' ? readEntries(text, readReason) : undefined
    const rest = entries && read(entries.text)
    if (entries === undefined || typeof rest !== 'string')
      return refused(CODES[whole.code] ?? 'option-refused', whole.textIn('en'))
    const notes = entries.refused.map(({ name, reason }) => ({
      code: 'option-entry-refused' as const,
      detail: `${name}: ${reason}`,
    }))
    return { type: 'accepted', key, value: rest, notes }
  }
}

/** The text, or the problem that refuses it. */
function attempt(read: () => string): string | Problem {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const CODES: Partial<Record<ProblemCode, NoteCode>> = { option_not_supported: 'option-not-supported' }

function acceptedText(key: OptionKey, given: string | undefined): string | undefined {
  const parsed = given === undefined ? undefined : parseOption(key, given)
  return parsed?.type === 'accepted' ? parsed.text : undefined
}

/**
 * Disabling password sign-in is not imported: whether the other sign-in providers work at a new address is
 * unknown until a user has tried.
 */
function disablesPasswordSignIn(key: OptionKey, value: string): boolean {
  return key === 'PasswordLoginEnabled' && value === 'false'
}

const PLAIN_OIDC = {
  code: 'option-oidc-plain',
  detail: 'oidc.well_known is empty, and so are oidc.issuer or oidc.jwks_uri',
} as const

/**
 * Sites that configured the OIDC endpoints by hand never named an issuer, without which identity tokens
 * cannot be verified.
 */
function isPlainOidc(settings: { text(key: OptionKey): string }, key: OptionKey, value: string): boolean {
  if (key !== 'oidc.enabled' || value !== 'true') return false
  return (
    settings.text('oidc.well_known') === '' &&
    !(settings.text('oidc.issuer') && settings.text('oidc.jwks_uri'))
  )
}

function refused(code: NoteCode, detail: string): OptionReading {
  return { type: 'refused', code, detail }
}

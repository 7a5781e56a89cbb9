import { type OptionKey, isOptionKey, parseOption } from '@tollgate/contract/options/index'
import { text } from '@tollgate/importer/cell'
import type { NoteCode } from '@tollgate/importer/note'
import type { SourceRow } from '@tollgate/importer/source'
import { Problem, type ProblemCode } from '@tollgate/problems/problem'
import { defaultText } from '../../snapshots/default-text.ts'
import { readOption } from '../../services/option/rules.ts'

/** A setting of the source: its normalised text, or why it cannot be imported. */
export type OptionReading =
  | {
      readonly type: 'accepted'
      readonly key: OptionKey
      readonly value: string
      /** Set when the setting works here but behaves differently from what its operator may expect. */
      readonly note?: { readonly code: NoteCode; readonly detail: string }
    }
  | { readonly type: 'refused'; readonly code: NoteCode; readonly detail: string }

/**
 * Validates settings as if an administrator had typed them in one after the other, each with all the others
 * in place.
 */
export function optionReader(rows: readonly SourceRow[]): (row: SourceRow) => OptionReading {
  const texts = new Map(rows.map((row) => [text(row, 'key'), text(row, 'value')]))
  const settings = { text: (key: OptionKey): string => acceptedText(key, texts.get(key)) ?? defaultText(key) }
  return (row) => {
    const key = text(row, 'key')
    if (!isOptionKey(key)) return refused('option-unknown', key)
    try {
      const value = readOption(settings, { key, text: text(row, 'value'), language: 'en' })
      return disablesPasswordSignIn(key, value)
        ? refused('option-door-left-open', key)
        : { type: 'accepted', key, value, ...(isPlainOidc(settings, key, value) && { note: PLAIN_OIDC }) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return refused(CODES[error.code] ?? 'option-refused', error.textIn('en'))
    }
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

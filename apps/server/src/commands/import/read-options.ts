import { type OptionKey, isOptionKey, parseOption } from '@tollgate/contract/options'
import { text } from '@tollgate/importer/cell'
import type { NoteCode } from '@tollgate/importer/note'
import type { SourceRow } from '@tollgate/importer/source'
import { Problem, type ProblemCode } from '@tollgate/kit/problem'
import { defaultText } from '../../snapshots/default-text.ts'
import { readOption } from '../../services/option/rules.ts'

/** A setting of the source: its normal text, or why it cannot be taken. */
export type OptionReading =
  | {
      readonly type: 'accepted'
      readonly key: OptionKey
      readonly value: string
      /** It works here, but in another way than its operator may think. */
      readonly note?: { readonly code: NoteCode; readonly detail: string }
    }
  | { readonly type: 'refused'; readonly code: NoteCode; readonly detail: string }

/** Reads settings as if somebody typed them in one after the other, each seeing all the others. */
export function optionReader(rows: readonly SourceRow[]): (row: SourceRow) => OptionReading {
  const texts = new Map(rows.map((row) => [text(row, 'key'), text(row, 'value')]))
  const settings = { text: (key: OptionKey): string => acceptedText(key, texts.get(key)) ?? defaultText(key) }
  return (row) => {
    const key = text(row, 'key')
    if (!isOptionKey(key)) return refused('option-unknown', key)
    try {
      const value = readOption(settings, { key, text: text(row, 'value'), language: 'en' })
      return closesTheDoor(key, value)
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

/** Whether the other ways in work at a new address is only known once somebody tried. */
function closesTheDoor(key: OptionKey, value: string): boolean {
  return key === 'PasswordLoginEnabled' && value === 'false'
}

const PLAIN_OIDC = {
  code: 'option-oidc-plain',
  detail: 'oidc.well_known is empty, and so are oidc.issuer or oidc.jwks_uri',
} as const

/** Sites that typed in the endpoints never named the issuer, by whose keys identity tokens could be checked. */
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

import { type OptionKey, isOptionKey, parseOption } from '@tollgate/contract/options'
import { text } from '@tollgate/importer/cell'
import type { NoteCode } from '@tollgate/importer/note'
import type { SourceRow } from '@tollgate/importer/source'
import { Problem, type ProblemCode } from '@tollgate/kit/problem'
import { defaultText } from '../../services/option/default-text.ts'
import { readOption } from '../../services/option/rules.ts'

/** A setting of the source: its normal text, or why it cannot be taken. */
export type OptionReading =
  | { readonly type: 'accepted'; readonly key: OptionKey; readonly value: string }
  | { readonly type: 'refused'; readonly code: NoteCode; readonly detail: string }

/** Reads settings as if somebody typed them in one after the other, each seeing all the others. */
export function optionReader(rows: readonly SourceRow[]): (row: SourceRow) => OptionReading {
  const texts = new Map(rows.map((row) => [text(row, 'key'), text(row, 'value')]))
  const book = { text: (key: OptionKey): string => acceptedText(key, texts.get(key)) ?? defaultText(key) }
  return (row) => {
    const key = text(row, 'key')
    if (!isOptionKey(key)) return refused('option-unknown', key)
    try {
      const value = readOption(book, { key, text: text(row, 'value'), language: 'en' })
      return closesTheDoor(key, value)
        ? refused('option-door-left-open', key)
        : { type: 'accepted', key, value }
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

function refused(code: NoteCode, detail: string): OptionReading {
  return { type: 'refused', code, detail }
}

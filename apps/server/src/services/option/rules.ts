import { priceOptionFault } from '@tollgate/billing/price-options'
import { type OptionKey, optionDefinition, parseOption } from '@tollgate/contract/options'
import { type Language, problem } from '@tollgate/kit/problem'
import { wordFilter } from '../../books/word-filter.ts'
import { isPriceOption } from './default-text.ts'
import type { OptionBook } from './option-book.ts'

/** The normal text of a new value; throws the problem that tells the operator what is wrong with it. */
export function readOption(
  book: Pick<OptionBook, 'text'>,
  input: { key: OptionKey; text: string; language: Language },
): string {
  const { key, language } = input
  const parsed = parseOption(key, input.text)
  if (parsed.type === 'refused') throw refusal(key, parsed.where, language)
  const fault = isPriceOption(key) ? priceOptionFault(key, parsed.text) : patternFault(key, parsed.text)
  if (fault !== undefined) throw refusal(key, fault, language)
  if (optionDefinition(key).kind === 'boolean' && parsed.text === 'true') checkSwitch(book, key)
  return parsed.text
}

/** A line that is meant as a pattern and is none; it would be left out without a word. */
function patternFault(key: OptionKey, text: string): string | undefined {
  if (key !== 'SensitiveWords') return undefined
  const faults: string[] = []
  wordFilter(text.split('\n'), (line) => void faults.push(line))
  return faults[0]
}

function refusal(key: OptionKey, where: string, language: Language) {
  const allowed = optionDefinition(key).allowed[language]
  return problem('option_refused', { key, allowed, where: where === '' ? '' : ` (${where})` })
}

function checkSwitch(book: Pick<OptionBook, 'text'>, key: OptionKey): void {
  const missing = optionDefinition(key).needs.filter((needed) => textOf(book, needed) === '')
  if (missing.length > 0) throw problem('option_needs', { key, needed: missing.join(', ') })
}

/** Needed keys are option keys; a test of the contract says so. */
function textOf(book: Pick<OptionBook, 'text'>, key: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return book.text(key as OptionKey)
}

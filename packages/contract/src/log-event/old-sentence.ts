import { type Clause, type ClauseName, clausesText } from './charge-clauses.ts'
import { textBeforePlaceholder, fillPlaceholders, patternOf } from './fill-placeholders.ts'
import {
  clauses,
  type EventText,
  namesOf,
  oldAmounts,
  password,
  sentences,
  variants,
  type Language,
} from './texts.ts'

/**
 * Only for rows without an event: those of earlier versions, and those imported from new-api or a fork. Their
 * `content` is a sentence with formatted amounts. It is recognised by its form so that it can be shown in
 * another language.
 */

interface Form<Name extends string = string> {
  readonly name: Name
  readonly text: EventText
  readonly pattern: RegExp
}

function formsOf<Name extends string>(texts: Readonly<Record<Name, EventText>>): readonly Form<Name>[] {
  return namesOf(texts).map((name) => {
    const text = texts[name]
    return { name, text, pattern: patternOf(text.old ?? text.zh) }
  })
}

const sentenceForms = [...formsOf(sentences), ...formsOf(variants)]
const amountForms = formsOf(oldAmounts)
const clauseForms = formsOf(clauses)

/** Returns the sentence in the given language; any other text is returned unchanged. */
export function oldSentence(content: string, language: Language): string {
  const charge = oldClauses(content)
  if (charge !== undefined) return clausesText(charge, { language, amount: String })
  const found = readBy(sentenceForms, content)
  if (found === undefined) return content
  const values = Object.entries(found.values).map(
    ([name, text]) => [name, valueText(text, language)] as const,
  )
  return fillPlaceholders(found.form.text[language], Object.fromEntries(values))
}

function valueText(text: string, language: Language): string {
  if (text === 'password') return password[language]
  const found = readBy(amountForms, text)
  return found === undefined ? text : fillPlaceholders(found.form.text[language], found.values)
}

const BETWEEN = '，'

/** Splits `模型倍率 1.25，补全倍率 4.00，…` into clauses; `undefined` for any other text. */
export function oldClauses(content: string): readonly Clause[] | undefined {
  const parts = content.split(BETWEEN).map((text) => readBy(clauseForms, text))
  return parts.every(isWhole) ? parts.map(({ form, values }) => ({ name: form.name, values })) : undefined
}

const DRAWING_REFUND = textBeforePlaceholder(variants.drawing_refunded.old)

export function isOldDrawing(content: string): boolean {
  return (
    content.startsWith(DRAWING_REFUND) || (oldClauses(content) ?? []).some(({ name }) => name === 'drawing')
  )
}

interface Found<Name extends string> {
  readonly form: Form<Name>
  readonly values: Readonly<Record<string, string>>
}

function readBy<Name extends string>(forms: readonly Form<Name>[], text: string): Found<Name> | undefined {
  for (const form of forms) {
    const found = form.pattern.exec(text)
    if (found !== null) return { form, values: found.groups ?? {} }
  }
  return undefined
}

const DECIMAL = /^-?\d+(\.\d+)?$/

/**
 * Other gateways append notes to a ratio. Such a clause does not count as recognised, so that the note is not
 * lost.
 */
function isWhole(part: Found<ClauseName> | undefined): part is Found<ClauseName> {
  const { ratio = '0', price = '0' } = part?.values ?? {}
  return part !== undefined && DECIMAL.test(ratio) && DECIMAL.test(price)
}

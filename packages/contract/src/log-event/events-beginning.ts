import type { LogEventName } from './event.ts'
import { textBeforePlaceholder } from './fill-placeholders.ts'
import { clauses, type EventText, namesOf, sentences, variants } from './texts.ts'

type Beginning = readonly [beginning: string, events: readonly LogEventName[]]

const sentenceNames = namesOf(sentences)

/** The beginnings of event sentences as clients of the old API get them. */
const beginnings: readonly Beginning[] = [
  ...sentenceNames.map((name): Beginning => [beginningOf(sentences[name]), [name]]),
  [beginningOf(variants.drawing_refunded), ['task_refunded']],
  [beginningOf(variants.signed_in), ['sign_in']],
  [beginningOf(clauses.model_ratio), ['call_charged', 'task_charged']],
  [beginningOf(clauses.model_price), ['call_charged']],
  [beginningOf(clauses.fixed_price), ['task_charged']],
]

function beginningOf(text: EventText): string {
  return textBeforePlaceholder(text.old ?? text.zh)
}

/**
 * Returns events whose sentence may begin with this text. They are candidates, because placeholder values are
 * not compared.
 */
export function eventsBeginning(text: string): readonly LogEventName[] {
  const found = beginnings.filter(([beginning]) => beginning.startsWith(text) || text.startsWith(beginning))
  return [...new Set(found.flatMap(([, events]) => events))]
}

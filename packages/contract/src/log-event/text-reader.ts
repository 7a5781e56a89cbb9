import type { EventText, Language } from './texts.ts'

export interface TextReader {
  readonly language: Language
  /** Formats an amount of quota for this reader. */
  readonly amount: (units: number) => string
  /**
   * True for a client of the old API, which gets new-api's sentences, with two decimals in ratios and names
   * as they are stored.
   */
  readonly isOld?: boolean
}

export function textFor(text: EventText, { language, isOld = false }: TextReader): string {
  return isOld ? (text.old ?? text.zh) : text[language]
}

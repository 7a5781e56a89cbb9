import type { EventText, Language } from './texts.ts'

export interface TextReader {
  readonly language: Language
  /** An amount of quota as this reader is shown it. */
  readonly amount: (units: number) => string
  /** A client of the old API: gets the family's sentences, with ratios of two decimals and names as they are stored. */
  readonly isOld?: boolean
}

export function textFor(text: EventText, { language, isOld = false }: TextReader): string {
  return isOld ? (text.old ?? text.zh) : text[language]
}

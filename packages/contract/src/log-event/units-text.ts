import { fillPlaceholders } from './fill-placeholders.ts'
import { type Language, oldAmounts } from './texts.ts'

/** An amount within a sentence when currency display is off. */
export function unitsText(digits: string, language: Language): string {
  return fillPlaceholders(oldAmounts.units[language], { digits })
}

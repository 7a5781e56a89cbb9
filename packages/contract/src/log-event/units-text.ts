import { fillPlaces } from './fill-places.ts'
import { type Language, oldAmounts } from './texts.ts'

/** An amount within a sentence where the site shows no currency. */
export function unitsText(digits: string, language: Language): string {
  return fillPlaces(oldAmounts.units[language], { digits })
}
